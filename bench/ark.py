"""What keeping a transcript costs: against compressing it plainly, for forks, and for a session that grew.

A monster's tool results are one line over and over, and compress to a three-hundredth; real transcripts to about an
eighth. Here they are words in random order, which compress to a seventh.
"""

import itertools
import re
from pathlib import Path

from bench import Context, Row
from bench.monster import Monster
from bench.race import WARM_UP, Entrant, race
from thruline.ark.compress import LEVEL, zstd
from thruline.ark.entry import Source
from thruline.ark.store import Ark

SHELF = "bench"
FORKS = 10
PLAIN = "read, compress in one go, write (not synced, not shared)"
FRESH = "write and archive a session of 1 MB"


def run(context: Context) -> list[Row]:
    """Time of 100 MB, space of forks, time and bytes of growing."""
    small = context.quick
    rows = race_whole(context.folder / "whole", 20 if small else 100, max(context.rounds // 2, 3))
    rows += measure_forks(context.folder / "forks", 10 if small else 50)
    return rows + race_growth(context.folder / "growth", 20 if small else 100, context.rounds)


class Wordy(Monster):
    """A monster whose tools say something new each time."""

    def _payload(self, size: int) -> str:
        return self._prose(size // 5 + 1)[:size]


def make_session(folder: Path, megabytes: float, *, seed: int = 7) -> tuple[Path, str]:
    """A transcript under its session's name; one id throughout, as in a file that one client wrote."""
    folder.mkdir(parents=True, exist_ok=True)
    monster = Wordy(int(megabytes * 1_000_000), seed=seed, forks=0, huge_lines=3 if megabytes > 20 else 0)
    name = monster.session
    path = folder / f"{name}.jsonl"
    with path.open("wb") as file:
        for number, line in enumerate(monster.lines()):
            # Real transcripts have a note of the client for some 25 records.
            file.write(line if number % 25 else b'{"type":"mode","sessionId":"%s"}\n%s' % (name.encode(), line))
    return path, name


def keep(ark: Ark, path: Path, name: str, mark: str = "") -> tuple[int, int]:
    """Archives one file; the bytes read and written for it."""
    made = ark.archive(SHELF, name, [Source(str(path), "session", name, grows=True, mark=mark, key=_KEY)])
    return made.read, made.written


def race_whole(folder: Path, megabytes: int, rounds: int) -> list[Row]:
    """A large session into an empty ark, read back, and plain compression."""
    path, name = make_session(folder, megabytes)
    fresh = itertools.count()
    kept = Ark(str(folder / "kept"))
    keep(kept, path, name)

    def plain() -> None:
        (folder / "plain").write_bytes(zstd.compress(path.read_bytes(), LEVEL))

    def archive() -> None:
        keep(Ark(str(folder / f"ark-{next(fresh)}")), path, name)

    def read() -> None:
        for _ in kept.read(kept.get(SHELF, name).members[0]):
            pass

    entrants = [
        Entrant(PLAIN, plain, note=f"{megabytes} MB, {zstd.__name__}, level {LEVEL}"),
        Entrant("archive into an empty ark", archive, bar=2.0),
        Entrant("read back, every block checked", read),
        Entrant("archive what has not changed", lambda: keep(kept, path, name)),
    ]
    rows = race(entrants, rounds=rounds)
    size = kept.find_size() / 1e6
    whole = (folder / "plain").stat().st_size / 1e6
    rows.append(Row("the same session's size", size, "MB", "compressed in one go", size / whole))
    return rows


def measure_forks(folder: Path, megabytes: int) -> list[Row]:
    """What ten forks take beside their session: its records, without its notes, under a new id, and 100 KB more."""
    path, name = make_session(folder, megabytes)
    ark = Ark(str(folder / "ark"))
    keep(ark, path, name)
    one = ark.find_size()
    for number in range(FORKS):
        extra, fork = make_session(folder, 0.1, seed=100 + number)
        data = b"".join([*_copy_records(path, name, fork), extra.read_bytes()])
        extra.write_bytes(data)
        keep(ark, extra, fork)
        member = ark.get(SHELF, fork).members[0]
        if b"".join(ark.read(member)) != data:
            raise RuntimeError("a fork did not come back as it was")
        extra.unlink()
    what = f"ark with a session of {megabytes} MB"
    row = Row(f"… and {FORKS} forks of it", ark.find_size() / 1e6, "MB", what, ark.find_size() / one, bar=1.5)
    return [Row(what, one / 1e6, "MB"), row, measure_branches(folder / "branches", path, name, what, one)]


def measure_branches(folder: Path, path: Path, name: str, what: str, one: int) -> Row:
    """What ten forks take that a client made with the parent's id and the record's own in every copied record."""
    ark = Ark(str(folder / "ark"))
    keep(ark, path, name)
    for number in range(FORKS):
        fork = f"{number:08d}-2222-4333-8444-555555555555"
        copy = folder / f"{fork}.jsonl"
        copy.write_bytes(b"".join(_UUID.sub(_add_origin(name), line) for line in _copy_records(path, name, fork)))
        keep(ark, copy, fork, _ORIGIN % name)
        if b"".join(ark.read(ark.get(SHELF, fork).members[0])) != copy.read_bytes():
            raise RuntimeError("a fork did not come back as it was")
        copy.unlink()
    size = ark.find_size()
    return Row(f"… and {FORKS} forks that name it in every record", size / 1e6, "MB", what, size / one, bar=1.5)


def _copy_records(path: Path, name: str, fork: str) -> list[bytes]:
    lines = path.read_bytes().splitlines(keepends=True)
    return [line.replace(name.encode(), fork.encode()) for line in lines if _KEY.encode() in line]


_KEY = '"uuid":"'
_ORIGIN = ',"forkedFrom":{"sessionId":"%s","messageUuid":"'
_UUID = re.compile(rb'^(\{.*?"uuid": ?"([^"]+)".*)\}$', re.MULTILINE)


def _add_origin(name: str) -> bytes:
    return rb"\1" + (_ORIGIN % name).encode() + rb'\2"}}'


def _make_piece(folder: Path, seed: int) -> bytes:
    path, _ = make_session(folder, 1, seed=seed)
    data = path.read_bytes()
    path.unlink()
    return data


def race_growth(folder: Path, megabytes: int, rounds: int) -> list[Row]:
    """One megabyte more of a large session, against a session of one megabyte."""
    path, name = make_session(folder, megabytes)
    # Never the same megabyte twice: the second time it would cost nothing.
    pieces = iter([_make_piece(folder / "pieces", seed) for seed in range(200, 200 + 2 * (rounds + WARM_UP))])
    ark = Ark(str(folder / "ark"))
    keep(ark, path, name)
    fresh = itertools.count()
    costs: list[tuple[int, int]] = []

    def grow() -> None:
        with path.open("ab") as file:
            file.write(next(pieces))
        costs.append(keep(ark, path, name))

    def begin() -> None:
        number = next(fresh)
        small = folder / f"small-{number}.jsonl"
        small.write_bytes(next(pieces))
        keep(Ark(str(folder / f"ark-{number}")), small, f"small-{number:030d}")

    entrants = [
        Entrant(FRESH, begin),
        Entrant(f"a session of {megabytes} MB grew by 1 MB: append and archive", grow, bar=2.0),
    ]
    rows = race(entrants, rounds=rounds)
    read, written = (sorted(each)[len(costs) // 2] / 1e6 for each in zip(*costs, strict=True))
    rows.append(Row("… bytes read for it, median", read, "MB", bar=2.5, note="1 MB, the last block, 17 samples"))
    rows.append(Row("… bytes written for it, median", written, "MB", bar=1.0))
    return rows
