"""What a refused call was to do: the words that announced it, since the call itself names no more than a file."""

from thruline.engines.rules.material import Material, Message
from thruline.engines.rules.settled import Since
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.units import split_units
from thruline.session import parts
from thruline.session.looking import may_write
from thruline.session.runs import find_runs

# Further on a call was announced by something else; a longer sentence is a list, and fewer terms say nothing.
MOST_APART, LONGEST, LEAST_TOLD = 12, 300, 3
# What git may do without a change to any file.
_ACTING = frozenset(("push", "branch", "tag", "remote", "fetch"))


def find_announcing(before: Message, line: int) -> tuple[int, int] | None:
    """The last sentence of what was said right before a call, if it says what the call is to do."""
    span = next(reversed(split_units(before.text)), None) if line - before.line <= MOST_APART else None
    if span is None or span.end - span.start > LONGEST or not says(before.text[span.start : span.end]):
        return None
    return span.start, span.end


def says(text: str) -> bool:
    """Whether a sentence says more than that there is one."""
    terms = find_terms(text)
    return len(terms) >= LEAST_TOLD or any(terms.values())


def find_made_later(material: Material, since: Since) -> dict[int, int]:
    """Where a command that was refused was run after all, or its commit made, by the line of the refusal."""
    ran = [one for one in material.failures if one.outcome == parts.REFUSED and one.action == "run" and not one.source]
    found = {one.line: since.find_again(one.target, one.line) for one in ran}
    return {line: later for line, later in found.items() if later}


def find_looks(material: Material) -> frozenset[int]:
    """The lines at which a call was refused that would only have looked at something: that overruled nothing."""
    refused = [one for one in material.failures if one.outcome == parts.REFUSED and not one.source]
    return frozenset(
        one.line
        for one in refused
        if one.action in ("read", "search") or (one.action == "run" and _only_looks(one.target))
    )


def _only_looks(command: str) -> bool:
    acts = any(run.program == "git" and not _ACTING.isdisjoint(run.words) for run in find_runs(command))
    return not acts and not may_write(command)
