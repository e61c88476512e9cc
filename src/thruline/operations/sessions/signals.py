"""The signals of a session: what people and agents meant, mined without a model."""

from thruline.operations.sessions.locate import Located
from thruline.operations.sessions.reading import Reading
from thruline.signals.miner import mine
from thruline.signals.signal import Signal


def mine_signals(located: Located, kind: str = "") -> list[tuple[str, Signal]]:
    """(file, signal) for each signal, by kind and line; `kind` limits them to one."""
    files = located.sources()
    return [
        (files.get(signal.source, ""), signal)
        for signal in mine(Reading(located, tokens=False))
        if not kind or signal.kind == kind
    ]
