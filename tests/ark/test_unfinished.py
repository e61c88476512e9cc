"""What a killed change of the ark leaves is a sign, not litter: the doctor and later writers finish the change."""

import hashlib
import os
from pathlib import Path

import pytest

from tests.ark.sessions import PARENT, SHELF, build_lines, find_stored, find_used, keep, list_litter
from thruline.ark.store import Ark
from thruline.cli.door import run
from thruline.disk.temps import TEMP_END, TEMP_START, find_host_mark
from thruline.layout import find_user_paths

OTHER = "22222222-2222-4333-8444-555555555555"
THIRD = "33333333-2222-4333-8444-555555555555"


@pytest.fixture
def ark(home: Path) -> Ark:
    """Two sessions, of which one was being forgotten when its process was killed."""
    ark = Ark(find_user_paths().ark)
    for number, name in enumerate((PARENT, OTHER)):
        path = home / f"{name}.jsonl"
        path.write_bytes(b"".join(build_lines(30, name, seed=number)))
        keep(ark, path, name)
    dead = f"{TEMP_START}{2**22 + 1}-{find_host_mark()}-1{TEMP_END}"
    os.replace(ark.entries.find_path(SHELF, OTHER), os.path.join(ark.entries.folder, dead))
    assert set(find_stored(ark)) > find_used(ark)
    return ark


def write_newer(ark: Ark, name: str) -> None:
    """What a later version of ours may leave."""
    file = Path(ark.entries.find_path(SHELF, name))
    line = file.read_bytes().split(b"\n")[0].replace(b'"ark":1', b'"ark":9')
    file.write_bytes(line + b"\n" + hashlib.sha256(line).hexdigest().encode() + b"\n")


def test_the_doctor_finishes_a_broken_off_forgetting(ark: Ark, capsys: pytest.CaptureFixture[str]) -> None:
    run(["doctor"])
    assert "A change of the ark was broken off" in capsys.readouterr().out
    assert list_litter(ark)
    run(["doctor", "--fix"])
    assert list_litter(ark) == []
    assert sorted(find_stored(ark)) == sorted(find_used(ark))


def test_the_doctor_leaves_the_sign_where_an_entry_cannot_be_read(ark: Ark, capsys: pytest.CaptureFixture[str]) -> None:
    Path(ark.entries.find_path(SHELF, PARENT)).write_text("damaged")
    before = find_stored(ark)
    run(["doctor", "--fix"])
    assert "cannot be read" in capsys.readouterr().out
    assert list_litter(ark)
    assert find_stored(ark) == before


def test_an_entry_of_a_newer_version_stops_nobody_from_archiving(ark: Ark, home: Path) -> None:
    write_newer(ark, PARENT)
    path = home / "third.jsonl"
    path.write_bytes(b"third\n")
    keep(ark, path, THIRD)
    assert b"".join(ark.read(ark.get(SHELF, THIRD).members[0])) == b"third\n"
    assert list_litter(ark)
