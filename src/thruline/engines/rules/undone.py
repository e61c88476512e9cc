"""Edits undone and work put back: dead ends, at the user's word or by the agent's own finding.

The fact that tells them apart: what was made before the user last spoke, and undone after it, was undone because of
what the user said. What was made and undone within one turn the agent gave up by itself; then its words in between,
where they give a reason, say why. Errs on the side of the user's word: a wrong "disproved" would be taken for a proof.
"""

from collections.abc import Iterator

from thruline.brief.claims.names import render_command, render_path
from thruline.brief.pointer import place
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import Claim
from thruline.engines.rules.candidates import DISPROVED, OVERRULED
from thruline.engines.rules.cues import find_cues
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.files import shorten_path
from thruline.engines.rules.material import Message
from thruline.engines.rules.quoting import build_quote
from thruline.engines.rules.reverted import puts_back_own
from thruline.engines.rules.units import split_units
from thruline.pattern import compile_later
from thruline.session.runs import runs_git
from thruline.signals.signal import Signal

# The newest so many of each kind.
MOST = 3
_MADE = compile_later(r"L(\d+)")
_REASONS = ("cause", "rejected", "against", "given_up", "step")


def build_undone(facts: Facts) -> list[Claim]:
    """One claim for what each message of the user had undone, one for each edit or piece of work given up."""
    found = [one for one in facts.signals if one.kind == "dead_end" and not one.source and one.quote.strip()]
    told: dict[int, list[tuple[str, int]]] = {}
    given_up: list[Claim] = []
    for variety in ("edit_undone", "reverted"):
        newest = list({one.quote: one for one in found if one.variety == variety}.values())[-MOST:]
        for signal in newest:
            if variety == "reverted" and not _is_own(signal, facts):
                continue
            name = _render_name(signal, facts)
            asked = _find_asked(signal, facts)
            if asked is not None:
                told.setdefault(asked.line, []).append((name, signal.line))
            else:
                given_up.append(_build_given_up(signal, name, facts))
    return [*_build_told(told), *given_up]


def _is_own(signal: Signal, facts: Facts) -> bool:
    """Whether work of the session was put back; `git revert` names a commit, which is somebody's work always."""
    own = puts_back_own(signal.quote, signal.line, facts.ledger, facts.summary.cwd)
    return own or runs_git(signal.quote, "revert") or runs_git(signal.quote, "stash")


def _build_told(told: dict[int, list[tuple[str, int]]]) -> Iterator[Claim]:
    for line, undone in told.items():
        words = f"Undone in answer to the user, {', '.join(name for name, _ in undone)}."
        where = (place(line), *(place(at) for _, at in undone))
        yield Claim(words, pointers=where, topic=OVERRULED, weight=0.3)


def _build_given_up(signal: Signal, name: str, facts: Facts) -> Claim:
    words = f"Made and put back in one turn: {name}"
    why = _find_reason(signal, facts)
    if why is None:
        return Claim(f"{words}.", pointers=(place(signal.line),), topic=DISPROVED, weight=0.3)
    return Claim(f"{words}, because:", (why,), (place(signal.line),), topic=DISPROVED, weight=0.4)


def _render_name(signal: Signal, facts: Facts) -> str:
    if signal.variety == "reverted":
        return f"work, with {render_command(signal.quote, 90)}"
    return f"an edit of {render_path(shorten_path(signal.quote, facts.summary.cwd), 100)}"


def _find_asked(signal: Signal, facts: Facts) -> Message | None:
    """The user's words between what was made and its undoing, if there are any."""
    before = [one for one in facts.material.messages if one.by == "human" and one.line < signal.line]
    if not before or before[-1].source or before[-1].turn == 1:
        return None
    last = before[-1]
    return last if _find_made(signal, facts) < last.line else None


def _find_made(signal: Signal, facts: Facts) -> int:
    """The line of what was undone: the edit's own, or the last change before work was put back."""
    at = _MADE.search(signal.about) if signal.variety == "edit_undone" else None
    if at is not None:
        return int(at[1])
    files = [fact for fact in facts.ledger.files.values() if not fact.source and fact.how != ["read"]]
    changes = [line for fact in files for line in (fact.first, fact.last) if line < signal.line]
    return max(changes, default=signal.line)


def _find_reason(signal: Signal, facts: Facts) -> Quote | None:
    """The last sentence before it, of the same turn, in which the agent says what was wrong."""
    before = [one for one in facts.material.messages if one.line < signal.line and not one.source]
    if not before or before[-1].by != "agent" or before[-1].line < _find_made(signal, facts):
        return None
    for span in reversed(split_units(before[-1].text)):
        cues = find_cues(before[-1].text[span.start : span.end], _REASONS)
        if cues and "step" not in cues:
            return build_quote(before[-1], [(span.start, span.end)])
    return None
