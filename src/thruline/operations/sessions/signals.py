"""The signals of a session: what people and agents meant, mined without a model."""

from thruline.operations.sessions.locate import Located
from thruline.operations.sessions.reading import Reading
from thruline.session.identity import Identity
from thruline.signals.miner import SignalMiner
from thruline.signals.signal import Signal
from thruline.value import dataclass


@dataclass(frozen=True, slots=True)
class Mined:
    """The signals of a session in order of their lines, each with its file. `session` is the id that its records tell.

    Where they tell none it is the name of the file.
    """

    session: str
    signals: tuple[tuple[str, Signal], ...]


def mine_signals(located: Located, kind: str = "", *, weak: bool = False) -> Mined:
    """What a session's records tell; `kind` limits the signals to one, `weak` adds what hardly corrects anything."""
    files = located.sources()
    identity, miner = Identity(), SignalMiner(weak)
    for parts in Reading(located, tokens=False).blocks():
        identity.see_all(parts)
        miner.see_all(parts)
    found = [signal for signal in miner.finish() if not kind or signal.kind == kind]
    rows = tuple((files.get(signal.source, ""), signal) for signal in found)
    return Mined(identity.session_id or located.session_id, rows)
