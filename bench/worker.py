"""What the worker does after a turn of a 100 MB session: the tail is read on, the rest was folded before."""

import statistics
import time
from collections.abc import Callable
from pathlib import Path

from bench import Context, Row
from bench.monster import write_monster
from thruline.engines.rules import GitState
from thruline.operations.handoff.brief import build_brief
from thruline.operations.sessions.locate import locate
from thruline.operations.work.reading import Folds, read_on

TAIL = 256 << 10
BAR = 0.25
_ASKED = GitState("Not asked: the project's folder is not on this machine.")


def run(context: Context) -> list[Row]:
    """CPU seconds of a whole reading, of reading on, and of the notes; the first is the floor."""
    size = 10 if context.quick else 100
    whole = context.folder / "whole.jsonl"
    write_monster(whole, size)
    data = whole.read_bytes()
    cut = data.rfind(b"\n", 0, len(data) - TAIL) + 1
    grown = context.folder / "0b7e5c1a-6a34-4b0e-9d0f-1c2d3e4f5a6b.jsonl"
    grown.write_bytes(data)
    rounds = max(3, min(context.rounds, 7))
    first = [measure(lambda n=n: _read(grown, context.folder / f"first-{n}")) for n in range(rounds)]
    tails = []
    for number in range(rounds):
        kept = context.folder / f"kept-{number}"
        grown.write_bytes(data[:cut])
        _read(grown, kept)
        with grown.open("ab") as file:
            file.write(data[cut:])
        tails.append(measure(lambda kept=kept: _read(grown, kept)))
    folds = _read(grown, context.folder / "last")
    facts = folds.finish(_ASKED)
    located = locate(str(grown), folder=str(context.folder))
    notes = [measure(lambda: build_brief(located, facts, folds.watch, 1_900)) for _ in range(rounds)]
    floor = min(first)
    name = f"the session read whole and folded, {size} MB"
    return [
        Row(name, 1000 * statistics.median(first), "ms", note="CPU"),
        Row("read on after a turn of 256 KB", 1000 * statistics.median(tails), "ms", name, min(tails) / floor, BAR),
        Row("notes for the next session", 1000 * statistics.median(notes), "ms", name, min(notes) / floor),
    ]


def _read(path: Path, kept: Path) -> Folds:
    return read_on(locate(str(path), folder=str(path.parent)), str(kept))


def measure(work: Callable[[], object]) -> float:
    """CPU seconds that `work` takes: others use this machine too."""
    begun = time.process_time()
    work()
    return time.process_time() - begun
