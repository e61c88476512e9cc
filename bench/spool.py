"""How an event is best left for the worker: a file of its own, or a line appended under a lock."""

import multiprocessing
import os
import statistics
import time
from collections.abc import Callable
from functools import partial

from bench import Context, Row
from bench.race import Entrant, find_p95, race
from thruline.disk.atomic import append_line
from thruline.hooks.spool import write_event
from thruline.scan import render_line

EVENT: dict[str, object] = {"at": 1.5, "harness": "h", "event": "tool_done", "session": "s" * 36, "cwd": "/home/me/x"}
WRITERS = 8
WAYS: dict[str, Callable[[str], object]] = {
    "a file per event": lambda folder: write_event(os.path.join(folder, "spool"), EVENT),
    "a line under flock": lambda folder: append_line(os.path.join(folder, "spool.jsonl"), render_line(EVENT)),
}


def run(context: Context) -> list[Row]:
    """Both ways by one writer, then by eight at once."""
    folder = str(context.folder)
    alone = [Entrant(f"{name}, one writer", partial(way, folder)) for name, way in WAYS.items()]
    rows = race(alone, rounds=context.rounds * 20, unit="µs")
    times: dict[str, list[float]] = {name: [] for name in WAYS}
    for _ in range(max(1, context.rounds // 10)):
        for name in WAYS:
            times[name] += run_together(name, folder, 50)
    base = statistics.median(times["a file per event"])
    for name, taken in times.items():
        middle = statistics.median(taken)
        first = name == "a file per event"
        rows.append(
            Row(
                f"{name}, {WRITERS} at once",
                middle * 1e6,
                "µs",
                floor="" if first else f"a file per event, {WRITERS} at once",
                ratio=None if first else middle / base,
                p95=find_p95(taken) * 1e6,
                note=f"worst {max(taken) * 1e3:.1f} ms",
            )
        )
    return rows


def run_together(name: str, folder: str, count: int) -> list[float]:
    """How long each of `count` events took in each of the writers."""
    with multiprocessing.get_context("fork").Pool(WRITERS) as pool:
        return [taken for times in pool.starmap(time_events, [(name, folder, count)] * WRITERS) for taken in times]


def time_events(name: str, folder: str, count: int) -> list[float]:
    """The times of `count` events of one writer."""
    taken = []
    for _ in range(count):
        start = time.perf_counter()
        WAYS[name](folder)
        taken.append(time.perf_counter() - start)
    return taken
