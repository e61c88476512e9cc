"""What a summary is asked to keep, and what it lost all the same: two short lists, each line in a code span."""

from collections.abc import Sequence

from thruline.brief.attempts.inert import escape_odd, render_span
from thruline.brief.attempts.injection import find_attempts
from thruline.brief.kept.remember import KINDS, LONGEST, Fact
from thruline.brief.quotation.quote import CUT
from thruline.inject.templates import fill_template
from thruline.redact import redact

MOST_BYTES = 2_048
# Commands and loose remarks are many; they get what the rest leaves, and of the rest nobody gets all.
_SHARES = {"command": 0.25, "dead_end": 0.25, "task": 0.35, "said": 1.0}
_MORE = "- and {count} more: `thruline sessions compactions {session}`"


def render_keep(facts: Sequence[Fact]) -> str:
    """What the one who writes the summary is told to keep; empty where there is nothing. Remarks are left to them."""
    return _render("keep", [fact for fact in facts if fact.kind != "said"], "")


def render_lost(facts: Sequence[Fact], session: str) -> str:
    """What the session is told of its summary's gaps; empty where there are none."""
    return _render("lost", facts, session)


def _render(template: str, facts: Sequence[Fact], session: str) -> str:
    more = len(_MORE.format(count=9_999, session=session)) + 1 if session else 0
    room = MOST_BYTES - len(fill_template(template, FACTS="").encode()) - more
    chosen: dict[str, list[tuple[int, str]]] = {}
    later: list[tuple[int, Fact, str]] = []
    for place, (fact, line) in enumerate(_order(facts)):
        spent = sum(_measure(row) for _, row in chosen.get(fact.kind, ()))
        if spent + _measure(line) > MOST_BYTES * _SHARES.get(fact.kind, 0.6):
            later.append((place, fact, line))
        else:
            room = _add(chosen, place, fact, line, room)
    for place, fact, line in later:
        room = _add(chosen, place, fact, line, room)
    if not chosen:
        return ""
    # The newest come first where not all fit; they are shown in the order in which they were said.
    rows = [
        row
        for kind in KINDS
        if kind in chosen
        for row in (f"{KINDS[kind]}:", *(row for _, row in reversed(chosen[kind])))
    ]
    left = len(_order(facts)) - sum(map(len, chosen.values()))
    if left and session:
        rows.append(_MORE.format(count=left, session=session))
    return fill_template(template, FACTS="\n".join(rows))


def _order(facts: Sequence[Fact]) -> list[tuple[Fact, str]]:
    """The facts that can be shown, most important first and of equals the newest first, each with its line."""
    found = [fact for kind in KINDS for fact in reversed([one for one in facts if one.kind == kind])]
    return [(fact, line) for fact in found if (line := _render_fact(fact))]


def _add(chosen: dict[str, list[tuple[int, str]]], place: int, fact: Fact, line: str, room: int) -> int:
    """What room is left after this line, if it fits."""
    size = _measure(line) + (0 if fact.kind in chosen else len(KINDS[fact.kind]) + 2)
    if size > room:
        return room
    kept = chosen.setdefault(fact.kind, [])
    kept.append((place, line))
    kept.sort()
    return room - size


def _measure(line: str) -> int:
    return len(line.encode("utf-8", "replace")) + 1


def _render_fact(fact: Fact) -> str:
    flat = " ".join(fact.text.split())
    if find_attempts(flat):
        return ""  # what reads like an order to a model does not come back as one
    safe = escape_odd(redact(flat).text)
    return "- " + render_span(safe[: LONGEST - 1].rstrip() + CUT if len(safe) > LONGEST else safe) if safe else ""
