"""Of what was mined, the signals of one kind."""

from collections.abc import Iterable

from thruline.signals.signal import Signal


def kinds(signals: Iterable[Signal], kind: str) -> list[Signal]:
    return [signal for signal in signals if signal.kind == kind]
