"""A session read on from where the last reading stopped: at the end of a turn only what the turn added is read.

What the folds hold is kept beside the reader's checkpoint, in one file. It is written by pickle: the folds are plain
slotted objects of ours with no JSON form, and taking a hundred megabytes' worth of them back takes 40 ms. Only classes
of the rooms named below are let in, so the file can hold values and nothing that runs; anything odd about it, and the
session is read from its beginning.
"""

import io
import os
import pickle
from dataclasses import dataclass, field, fields
from typing import Any

from thruline import __version__
from thruline.brief.attempts.watch import AttemptWatch
from thruline.disk.atomic import write_bytes
from thruline.disk.own import read_own
from thruline.engines.rules import VERSION, Facts, GitState, Material
from thruline.errors import ThrulineError
from thruline.harnesses.transcripts import open_reader
from thruline.operations.sessions.locate import Located
from thruline.operations.sessions.proof import prove_read
from thruline.operations.sessions.reading import Reading
from thruline.operations.sessions.side_files import read_aside, read_aside_on
from thruline.session.aside import Aside
from thruline.session.ledger import Ledger
from thruline.session.parts import Delegated, Part, Said
from thruline.session.summary import Summary
from thruline.signals.miner import SignalMiner

_ROOMS = ("thruline.session.", "thruline.signals.", "thruline.engines.rules.", "thruline.brief.attempts.watch")
_PLAIN = ("set", "frozenset", "bytearray")
_MAKER = f"3 {__version__} {VERSION}"
_LARGEST = 256 << 20


@dataclass(slots=True)
class Folds:
    """Everything a brief needs of a session, as far as it was read."""

    summary: Summary = field(default_factory=Summary)
    ledger: Ledger = field(default_factory=Ledger)
    material: Material = field(default_factory=Material)
    miner: SignalMiner = field(default_factory=SignalMiner)
    watch: AttemptWatch = field(default_factory=AttemptWatch)
    last_said: str = ""
    aside: Aside = field(default_factory=Aside)
    aside_read: list[tuple[str, int, int]] = field(default_factory=list)

    def see_all(self, found: list[Part]) -> None:
        """Takes parts in, one after another."""
        self.summary.see_all(found)
        self.ledger.see_all(found)
        self.material.see_all(found)
        self.miner.see_all(found)
        self.watch.see_all(found)
        for part in found:
            if type(part) is Said and part.by == "agent" and not part.source:
                self.last_said = part.text

    def finish(self, git: GitState) -> Facts:
        """What was read, for the rules. The folds take no more parts after it."""
        self.material.finish()
        return Facts(self.summary, self.ledger, self.material, tuple(self.miner.finish()), git, self.aside)


def read_on(located: Located, kept: str) -> Folds:
    """The session as far as it is written; what was folded before is taken from `kept`, which is written anew."""
    labels = {path: label for label, path in located.sources().items()}
    simple = len(located.files) == 1 and not any(found.kind == "base" for found in located.companions)
    if not simple:
        # Copies elsewhere and a base of a fork are read together with it, which cannot be gone on with.
        return _read_whole(located)
    path = located.files[0]
    folds, checkpoint = _take_kept(kept, path, labels)
    reader = open_reader(located.harness, path, live=True, checkpoint=checkpoint)
    for found in reader.blocks():
        _label(found, labels)
        folds.see_all(found)
    folds.watch.finish()
    folds.aside = read_aside_on(located, folds.aside, folds.aside_read)
    reached = reader.checkpoint()
    _keep(kept, path, labels, folds, reached)
    # What waits for later records counts as it stands now; so does a last record that still lacks its line end.
    grew = os.path.getsize(path) > reached["offset"]
    for found in open_reader(located.harness, path, checkpoint=reached).blocks() if grew else [reader.pending()]:
        _label(found, labels)
        folds.see_all(found)
    return folds


def drop_kept(kept: str) -> None:
    """Forgets what was folded; the next reading begins at the beginning."""
    try:
        os.unlink(kept)
    except FileNotFoundError:
        pass


def _read_whole(located: Located) -> Folds:
    folds = Folds()
    for found in Reading(located).blocks():
        folds.see_all(found)
    folds.aside, _ = read_aside(located)
    return folds


def _label(found: list[Part], labels: dict[str, str]) -> None:
    for part in found:
        if type(part) is Delegated:
            part.label = labels.get(part.path, "")


def _take_kept(kept: str, path: str, labels: dict[str, str]) -> tuple[Folds, dict[str, Any] | None]:
    try:
        found = _Values(io.BytesIO(read_own(kept, _LARGEST))).load()
        # A label that names another file now would make a pointer lie.
        same = all(labels.get(known) == label for known, label in found["labels"].items())
        offset = found["checkpoint"]["offset"]
        grown = _may_have_grown(found["state"], _read_state(path)) and found["proof"] == prove_read(path, offset)
        if found["maker"] == _MAKER and found["path"] == path and same and grown:
            return Folds(*found["folds"]), found["checkpoint"]
    except (ThrulineError, OSError):
        pass
    except Exception:  # noqa: S110 - whatever a torn or foreign pickle raises, the transcript itself is still there
        pass
    return Folds(), None


def _read_state(path: str) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_size, found.st_mtime_ns


def _may_have_grown(before: tuple[int, int], now: tuple[int, int]) -> bool:
    """Whether a file is as it was or longer: of the same length and written since, somebody wrote in it."""
    return now == before or now[0] > before[0]


def _keep(kept: str, path: str, labels: dict[str, str], folds: Folds, checkpoint: dict[str, Any]) -> None:
    value = {
        "maker": _MAKER,
        "path": path,
        "labels": labels,
        "state": _read_state(path),
        "proof": prove_read(path, checkpoint["offset"]),
        "folds": tuple(getattr(folds, each.name) for each in fields(folds)),
        "checkpoint": checkpoint,
    }
    write_bytes(kept, pickle.dumps(value, 5), mode=0o600)


class _Values(pickle.Unpickler):
    """Lets in what folds are made of."""

    def find_class(self, module: str, name: str) -> Any:
        if (module.startswith(_ROOMS) and "." not in name) or (module == "builtins" and name in _PLAIN):
            found = super().find_class(module, name)
            if isinstance(found, type):
                return found
        if (module, name) == ("copyreg", "__newobj__"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a fold")
