"""What the concurrency tests run in processes of their own: python -m tests.ark.workers NAME FOLDER COUNT NUMBER."""

import random
import sys
from pathlib import Path

from tests.ark.sessions import SHELF, build_lines, fork, keep
from thruline.ark.store import Ark
from thruline.errors import NotFound

SHARED = b"".join(build_lines(400))


def name_of(number: int) -> str:
    """A session's id."""
    return f"{number:08d}-2222-4333-8444-555555555555"


def grow(folder: str, count: int, number: int) -> None:
    """Archives one session again and again while it grows; it begins as a fork that all have in common."""
    ark = Ark(folder + "/ark")
    path = Path(folder, f"{name_of(number)}.jsonl")
    path.write_bytes(fork(SHARED, name_of(number)))
    for each in range(count):
        keep(ark, path, name_of(number))
        with path.open("ab") as file:
            file.write(b"".join(build_lines(40, name_of(number), seed=number * 1000 + each)))
    keep(ark, path, name_of(number))


def come_and_go(folder: str, count: int, number: int) -> None:
    """Archives a fork and forgets it, again and again: what it shares must stay, or be written anew by others."""
    ark = Ark(folder + "/ark")
    path = Path(folder, f"{name_of(number)}.jsonl")
    path.write_bytes(fork(SHARED, name_of(number)))
    for _ in range(count):
        keep(ark, path, name_of(number))
        ark.forget([(SHELF, name_of(number))])


def read_any(folder: str, count: int, number: int) -> None:
    """Reads sessions that others change and forget; each must be whole, in one of its versions."""
    ark = Ark(folder + "/ark")
    made = random.Random(number)
    for _ in range(count * 5):
        names = [name for _, name in ark.entries.find_names()]
        if not names:
            continue
        name = made.choice(names)
        try:
            entry = ark.get(SHELF, name)
            data = b"".join(ark.read(entry.members[0]))
        except NotFound:
            continue
        except Exception as error:
            # An entry that was forgotten between finding and reading it has lost its blocks; nothing else may.
            if ark.entries.read(SHELF, name) == entry:
                raise AssertionError(f"{name}: {error}") from error
            continue
        if not data.startswith(fork(SHARED, name)[:1000]) or not data.endswith(b"\n"):
            raise AssertionError(f"{name} is not whole")


if __name__ == "__main__":
    worker, where, times, who = sys.argv[1:]
    {"grow": grow, "come_and_go": come_and_go, "read_any": read_any}[worker](where, int(times), int(who))
