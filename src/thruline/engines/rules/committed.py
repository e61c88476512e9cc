"""The commits of a session in its code-state: the newest with their subjects, the others by name."""

from collections.abc import Iterator, Sequence

from thruline.brief.attempts.inert import parse_span, render_span
from thruline.brief.claims.names import render_path
from thruline.brief.pointer import place
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import SESSION, Claim
from thruline.engines.rules.did import COMMITS_AT, point_at_delegations, point_at_each
from thruline.engines.rules.facts import Facts
from thruline.session.commits import CommitFact
from thruline.session.places import find_branch

# The branches that a session was on, each with the line from which on.
Branches = Sequence[tuple[int, str]]
# What some clients call it where there is none.
_DETACHED = "HEAD"

# What a commit takes of the room: its line, the line of its subject, and the subject; and its name alone.
_COST, _NAME_COST = 110, 12
_FEWEST_NAMED = 6


def build_commits(facts: Facts, room: int) -> Iterator[Claim]:
    """The claims about commits that stand, in about `room` bytes: the session's, its subagents', others new in its log.

    A commit of a subagent is told at the place of its delegation: each of their files would need a line of the Sources.
    """
    standing = [made for made in facts.ledger.commits[::-1] if not made.gone]
    own = [made for made in standing if not made.logged and not made.rebased]
    yield from _tell(own, "committed", "", room, 0.75, facts.material.branches)
    yield from _tell([made for made in standing if made.rebased], "committed", " before a rebase", 0, 0.4)
    yield from _tell(facts.ledger.commits_elsewhere[::-1], "committed", " in another folder", room // 2, 0.6)
    known = {made.digest[:7] for made in facts.ledger.commits if not made.logged}
    # What a subagent only saw in a log is nobody's that it knows.
    others = [made for made in facts.aside.ledger.commits[::-1] if not made.logged and made.digest[:7] not in known]
    aside = [made for made in others if not made.gone]
    if aside:
        who = "a subagent" if len({made.source for made in aside}) == 1 else "subagents"
        names, more = _name(aside, max(_FEWEST_NAMED, room // 3 // _NAME_COST))
        where = point_at_delegations(facts, [made.source for made in aside]) or point_at_each(aside)
        yield Claim(f"{who} committed {names}{more}", pointers=where, topic=SESSION, shown=COMMITS_AT, weight=0.72)
    theirs = {made.digest[:7] for made in others}
    logged = [made for made in standing if made.logged and made.digest[:7] not in theirs]
    yield from _tell(logged, "new in the log:", "", room, 0.7, facts.material.branches)


def _tell(
    newest: list[CommitFact], words: str, behind: str, room: int, weight: float, branches: Branches = ()
) -> Iterator[Claim]:
    shown = newest[: max(1, room // 2 // _COST)] if room else []
    for number, made in enumerate(shown):
        where = place(made.line, source=made.source, uuid=made.uuid)
        quotes = (Quote(made.subject, where, "git"),) if made.subject.strip() else ()
        name = f"{words} {render_span(made.digest)}{behind or _tell_branch(made, branches)}"
        yield Claim(
            name,
            quotes,
            () if quotes else (where,),
            topic=SESSION,
            shown=COMMITS_AT,
            weight=weight - number / 100,
        )
    rest: dict[str, list[CommitFact]] = {}
    for made in newest[len(shown) :]:
        rest.setdefault(behind or _tell_branch(made, branches), []).append(made)
    for after, group in rest.items():
        names, more = _name(group, max(_FEWEST_NAMED, room // 3 // _NAME_COST))
        yield Claim(
            # Behind "and 3 more" a branch would be that of commits which nobody can look up.
            f"{words} {names}{more}{behind if more else after}",
            pointers=point_at_each(group),
            topic=SESSION,
            shown=COMMITS_AT,
            weight=weight - 0.15,
        )


def _tell_branch(made: CommitFact, branches: Branches) -> str:
    """On which branch a commit was made, where the session ended on another one."""
    there = "" if made.source else find_branch(branches, made.line)
    if not there or there == branches[-1][1] or _DETACHED in (there, branches[-1][1]):
        return ""
    name = render_path(there, 80)
    return f" on branch {name}" if parse_span(name) else ""


def _name(made: list[CommitFact], most: int) -> tuple[str, str]:
    names = ", ".join(render_span(one.digest) for one in made[:most])
    return names, f" and {len(made) - most} more" if len(made) > most else ""
