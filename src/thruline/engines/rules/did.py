"""What all claims about what a session did have in common: their heading, their order, and where they point."""

from collections.abc import Iterable

from thruline.brief.pointer import Pointer, place
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.files import Touched
from thruline.session.commits import CommitFact

# In which order it tells what was done; files come first.
TOUCHED_AT, COMMITS_AT, PULLS_AT, PUSH_AT = 1, 2, 3, 4


def point_at_each(done: Iterable[Touched] | Iterable[CommitFact]) -> tuple[Pointer, ...]:
    """Where all of these stand, from the first change of a file to its last: one range for each transcript."""
    lines: dict[str, list[int]] = {}
    for each in done:
        first = each.first if isinstance(each, Touched) and each.first else each.line
        lines.setdefault(each.source, []).extend((first, each.line))
    return tuple(place(min(at), max(at) if max(at) != min(at) else 0, source) for source, at in lines.items())


def point_at_delegations(facts: Facts, labels: Iterable[str]) -> tuple[Pointer, ...]:
    """Where the session's own file tells of these subagents, as one range; nothing where it tells of none."""
    wanted = set(labels)
    told = [one for one in facts.material.delegations if one.label in wanted and not one.source]
    if {one.label for one in told} != wanted:
        return ()
    first, last = min(one.line for one in told), max(one.line for one in told)
    return (place(first, last if last != first else 0),)
