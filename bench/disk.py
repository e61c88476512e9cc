"""What it costs that nothing is torn: four files of 2 KB together, against a plain overwrite; then many processes."""

import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from bench import Context, Row
from bench.race import Entrant, race
from tests.disk.concurrency import find_lost_changes, find_lost_counts, find_lost_lines
from tests.disk.projects import build_paths, make_project
from thruline.disk.atomic import append_line, make_folders, write_bytes
from thruline.disk.transaction import settle, transaction
from thruline.layout import ProjectPaths

SIZE = 2048
BAR = 4.0
PLAIN = "plain overwrite in place (torn by a crash)"


def run(context: Context) -> list[Row]:
    """The race, then what was lost."""
    return race_writers(context.folder, context.rounds * 5) + count_losses(context)


def race_writers(folder: Path, rounds: int) -> list[Row]:
    """Four files changed, by each way of doing it."""
    made = {name: make_project(str(folder / name)) for name in ("plain", "table", "sheet", "each", "log")}
    for project in made.values():
        for path in build_paths(project):
            make_folders(os.path.dirname(path))
    log = os.path.join(made["log"].root, "log")
    floor: list[float] = []
    times: list[float] = []
    entrants = [
        Entrant(PLAIN, timed(lambda: overwrite(build_paths(made["plain"])), floor)),
        Entrant("transaction, SQLite journal", timed(lambda: change(made["table"], "table"), times), bar=BAR),
        Entrant("transaction, file journal (shared mounts)", lambda: change(made["sheet"], "sheet"), bar=BAR),
        Entrant("four write_bytes, each synced (not together)", lambda: replace_each(build_paths(made["each"]))),
        Entrant("append_line of 2 KB", lambda: append_line(log, build_content().replace(b"\n", b" "))),
    ]
    rows = race(entrants, rounds=rounds)
    for kind in ("table", "sheet"):
        settle(made[kind], kind=kind)
    mean = statistics.mean(times)
    note = "against the mean of the first row; with its share of syncing and clearing, once every 16 changes"
    ratio = mean / statistics.mean(floor)
    rows.insert(2, Row("the same, mean", mean * 1e3, "ms", PLAIN, ratio, note=note))
    return rows


_number = 0


def build_content() -> bytes:
    """2 KB that no round before had: an unchanged file would not be written at all."""
    global _number
    _number += 1
    return f"{_number:015}\n".encode() * (SIZE // 16)


def overwrite(paths: list[str]) -> None:
    """What a program without care does."""
    for path in paths:
        with open(path, "wb") as file:
            file.write(build_content())


def change(project: ProjectPaths, kind: str) -> None:
    """All four or none."""
    with transaction(project, kind=kind) as made:
        for path in build_paths(project):
            made.write(path, build_content())


def replace_each(paths: list[str]) -> None:
    """Each file whole, but a crash may leave two old and two new."""
    for path in paths:
        write_bytes(path, build_content())


def timed(work: Callable[[], None], times: list[float]) -> Callable[[], None]:
    """`work`, with the time of each call kept."""

    def run_it() -> None:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)

    return run_it


def count_losses(context: Context) -> list[Row]:
    """Rows that must be 0: 20 processes x 200 updates, of one file, of a log, of four files together."""
    writers, count = (4, 25) if context.quick else (20, 200)
    size = f"{writers} processes x {count}"
    folders = [context.folder / name for name in ("counter", "lines", "table-many", "sheet-many")]
    for folder in folders:
        folder.mkdir()
    lost_lines, torn_lines = find_lost_lines(str(folders[1]), writers, count)
    rows = [
        Row(f"{size} updates of one file: lost", find_lost_counts(str(folders[0]), writers, count), "", bar=0),
        Row(f"{size} appended lines: lost", lost_lines, "", bar=0),
        Row(f"{size} appended lines: torn", torn_lines, "", bar=0),
    ]
    for folder, kind in ((folders[2], "table"), (folders[3], "sheet")):
        lost, mixed = find_lost_changes(str(folder), writers, 4, count, kind)
        rows.append(Row(f"{size} four-file changes ({kind}): lost", lost, "", bar=0))
        rows.append(Row(f"{size} four-file changes ({kind}): readers that saw a mix", mixed, "", bar=0))
    return rows
