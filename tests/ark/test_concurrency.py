"""Several processes archive, forget and read at once: nothing lost, nothing half, nothing left over."""

import subprocess
import sys
from pathlib import Path

from tests.ark.sessions import find_stored, find_used, list_litter, read_back
from tests.ark.workers import name_of
from thruline.ark.store import Ark

REPOSITORY = Path(__file__).resolve().parents[2]
JOBS = [("grow", 1), ("grow", 2), ("come_and_go", 3), ("come_and_go", 4), ("read_any", 5)]


def test_archiving_forgetting_and_reading_at_once(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.ark.workers", name, str(tmp_path), "12", str(number)],
            cwd=REPOSITORY,
            stderr=subprocess.PIPE,
        )
        for name, number in JOBS
    ]
    said = [process.communicate()[1].decode() for process in processes]
    assert [process.returncode for process in processes] == [0] * len(JOBS), "\n".join(said)
    ark = Ark(str(tmp_path / "ark"))
    assert sorted(name for _, name in ark.entries.find_names()) == [name_of(1), name_of(2)]
    for number in (1, 2):
        assert read_back(ark, name_of(number)) == [(tmp_path / f"{name_of(number)}.jsonl").read_bytes()]
    ark.collect()
    assert sorted(find_stored(ark)) == sorted(find_used(ark))
    assert list_litter(ark) == []
