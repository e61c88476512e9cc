"""How signals are shown: to people by kind, the strongest first; to programs as fields."""

from typing import Any

from thruline.signals.signal import KINDS, Signal

_TITLES = {
    "correction": "Corrections", "refusal": "Refusals", "interrupt": "Interrupts", "constraint": "Constraints",
    "decision": "Decisions", "hypothesis": "Hypotheses", "reversal": "Reversals", "dead_end": "Dead ends",
    "intent": "Intents", "question": "Open questions", "conclusion": "Conclusions", "command": "Commands that worked",
    "file": "Files", "commit": "Commits",
}  # fmt: skip


def signal_fields(file: str, signal: Signal) -> dict[str, Any]:
    """One signal as a JSON object: what every signal has first, then what this one has."""
    fields: dict[str, Any] = {
        "kind": signal.kind,
        "by": signal.by,
        "file": file,
        "line": signal.line,
        "uuid": signal.uuid,
        "quote": signal.quote,
        "strength": signal.strength,
        "why": signal.why,
    }
    for name in ("variety", "about", "source", "time", "withdrawn"):
        if getattr(signal, name):
            fields[name] = getattr(signal, name)
    return fields


def render_signals(signals: list[Signal]) -> str:
    """The signals under one heading per kind, the strongest first."""
    if not signals:
        return "No signals in this session.\n"
    out: list[str] = []
    for kind in KINDS:
        found = sorted((one for one in signals if one.kind == kind), key=lambda one: (-one.strength, one.line))
        if found:
            out.append(f"{_TITLES[kind]} ({len(found)})")
            out += [_render(signal) for signal in found]
            out.append("")
    return "\n".join(out)


def _render(signal: Signal) -> str:
    place = f"{signal.source}:L{signal.line}" if signal.source else f"L{signal.line}"
    quote = " ".join(signal.quote.split())
    marks = [signal.variety, signal.why]
    if signal.withdrawn:
        marks.append(f"taken back at L{signal.withdrawn}")
    told = "; ".join(mark for mark in marks if mark)
    return f"  {place:>7}  {signal.strength:.2f}  {quote}" + (f"\n                 {told}" if told else "")
