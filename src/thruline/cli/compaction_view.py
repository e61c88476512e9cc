"""How compactions are shown: a bar of what was kept by kind, then the words that were lost."""

from dataclasses import asdict, replace
from functools import lru_cache
from typing import Any

from thruline.brief.attempts.injection import find_attempts
from thruline.brief.kept.loss import count_kinds
from thruline.brief.kept.remember import KINDS, Fact
from thruline.operations.sessions.compactions import Compaction
from thruline.redact import redact

_WIDTH, _LONGEST = 20, 100
_ORDER = "(reads like an order to a model: not repeated here)"
_NAMES = {
    "correction": "corrections",
    "refusal": "refusals",
    "constraint": "rules",
    "decision": "decisions",
    "question": "open questions",
    "task": "open tasks",
    "dead_end": "dead ends",
    "command": "commands",
    "said": "other words",
}


def compaction_fields(one: Compaction) -> dict[str, Any]:
    """One compaction as a JSON object."""
    fields = asdict(replace(one, kept=tuple(map(_clean, one.kept)), lost=tuple(map(_clean, one.lost))))
    kept, lost = count_kinds(one.kept), count_kinds(one.lost)
    fields["kinds"] = {
        kind: {"kept": kept.get(kind, 0), "lost": lost.get(kind, 0)} for kind in KINDS if kind in kept or kind in lost
    }
    return fields


def render_compactions(found: list[Compaction], *, everything: bool) -> str:
    """The compactions one after another."""
    if not found:
        return "This session was never compacted, or its summaries are not in the transcript.\n"
    return "\n".join(_render(number, one, everything) for number, one in enumerate(found, 1))


def _render(number: int, one: Compaction, everything: bool) -> str:
    facts = len(one.kept) + len(one.lost)
    tokens = f", {one.tokens_before:,} tokens before" if one.tokens_before else ""
    how = f" ({one.trigger})" if one.trigger else ""
    told = f"{len(one.kept)} of {facts} things are in the summary, {len(one.lost)} were lost."
    rows = [f"Compaction {number}, L{one.line}{how}{tokens}: {told}"]
    kept, lost = count_kinds(one.kept), count_kinds(one.lost)
    for kind in KINDS:
        here, gone = kept.get(kind, 0), lost.get(kind, 0)
        if here + gone:
            full = round(_WIDTH * here / (here + gone))
            bar = "█" * full + "░" * (_WIDTH - full)
            rows.append(f"  {_NAMES[kind]:<14} {bar}  {here} kept, {gone} lost")
    rows += _list("lost", one.lost)
    rows += _list("kept", one.kept) if everything else []
    return "\n".join(rows) + "\n"


def _clean(fact: Fact) -> Fact:
    """A fact as it may be shown to anybody, a model too: without secrets, and of an order to a model only its place."""
    return replace(fact, text=_clean_text(fact.text))


@lru_cache(1 << 14)
def _clean_text(text: str) -> str:
    # What one compaction lost, the next ones mostly lost too.
    return _ORDER if find_attempts(text) else redact(text).text


def _list(title: str, facts: tuple[Fact, ...]) -> list[str]:
    if not facts:
        return []
    rows = [f"  {title}:"]
    for fact in facts:
        flat = " ".join(_clean_text(fact.text).split())
        place = f"L{fact.line}" if fact.line else ""
        short = flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1] + "…"
        rows.append(f"  {place:>7}  {_NAMES[fact.kind]:<14}  {short}")
    return rows
