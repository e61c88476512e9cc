"""What a summary is asked to keep, and what it lost all the same: two short lists, each line in a code span."""

from collections.abc import Sequence

from thruline.brief.inert import escape_odd, render_span
from thruline.brief.injection import find_attempts
from thruline.brief.quote import CUT
from thruline.brief.remember import KINDS, LONGEST, Fact
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
    more = _MORE.format(count=9_999, session=session) + "\n" if session else ""
    room = MOST_BYTES - len(fill_template(template, FACTS="").encode()) - len(more)
    lines: dict[str, list[tuple[int, str]]] = {}
    left = 0
    for kind, facts_of_kind in _group(facts):
        head = len(f"{KINDS[kind]}:\n")
        share = min(room, int(MOST_BYTES * _SHARES.get(kind, 0.6)))
        spent = head
        # The newest first, where not all of them fit; shown in the order in which they were said.
        for fact in reversed(facts_of_kind):
            line = _render_fact(fact)
            if not line:
                continue
            size = len(line.encode("utf-8", "replace")) + 1
            if spent + size > share:
                left += 1
                continue
            spent += size
            lines.setdefault(kind, []).insert(0, (fact.line, line))
        room -= spent if kind in lines else 0
    if not lines:
        return ""
    rows = [row for kind, found in lines.items() for row in (f"{KINDS[kind]}:", *(line for _, line in found))]
    if left and session:
        rows.append(_MORE.format(count=left, session=session))
    return fill_template(template, FACTS="\n".join(rows))


def _group(facts: Sequence[Fact]) -> list[tuple[str, list[Fact]]]:
    return [(kind, [fact for fact in facts if fact.kind == kind]) for kind in KINDS]


def _render_fact(fact: Fact) -> str:
    flat = " ".join(fact.text.split())
    if find_attempts(flat):
        return ""  # what reads like an order to a model does not come back as one
    safe = escape_odd(redact(flat).text)
    return "- " + render_span(safe[: LONGEST - 1].rstrip() + CUT if len(safe) > LONGEST else safe) if safe else ""
