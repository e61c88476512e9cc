"""Sessions to be archived, and the ark they go into."""

import os
import time
from pathlib import Path

from tests.cli.kept import find_projects
from tests.sample import SAMPLE, SESSION
from thruline.ark.store import Ark
from thruline.layout import find_user_paths


def find_ark() -> Ark:
    return Ark(find_user_paths().ark)


def put_another(home: Path, number: int, *, age_days: float = 0.0, cwd: str = "/home/dev/orders-export") -> Path:
    """A session of its own, with words of its own."""
    session = f"{number:08d}-31b2-4c6d-9a58-7d1f0e2b9c34"
    folder = find_projects(home) / "other"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{session}.jsonl"
    text = SAMPLE.read_text().replace(SESSION, session).replace("/home/dev/orders-export", cwd)
    path.write_text(text + "".join(f'{{"type":"mode","n":"{number}{n}"}}\n' for n in range(50)))
    stamp = time.time() - age_days * 86_400 - number
    os.utime(path, (stamp, stamp))
    return path


def put_noise(home: Path, number: int, size: int, *, age: float) -> Path:
    """A session of about `size` bytes that do not compress to less than half."""
    path = put_another(home, number)
    with path.open("ab") as file:
        file.write(os.urandom(size // 2).hex().encode() + b"\n")
    os.utime(path, (time.time() - age, time.time() - age))
    return path
