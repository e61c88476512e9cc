"""What clients are about to delete is named in time."""

import json
import os
import time
from pathlib import Path

import pytest

from tests.cli.kept import ask, find_projects, put_session, remove_session, turn_on
from tests.sample import SESSION
from thruline.layout import find_user_paths
from thruline.operations.doctor.ark import check_ark
from thruline.operations.doctor.surroundings import Surroundings
from thruline.operations.finding import BROKEN, NOTE, OK, Finding


@pytest.fixture
def kept(home: Path) -> Path:
    return put_session(home)


def age(path: Path, days: float) -> None:
    stamp = time.time() - days * 86_400
    os.utime(path, (stamp, stamp))


def look(folder: Path) -> Finding:
    (found,) = check_ark(Surroundings(str(folder), os.environ))
    return found.finding


def set_days(home: Path, days: object) -> None:
    (find_projects(home).parent / "settings.json").write_text(json.dumps({"cleanupPeriodDays": days}))


@pytest.mark.parametrize(
    ("told", "days", "state"),
    [(None, 22, OK), (None, 24, NOTE), (None, 31, NOTE), (10, 2, OK), (10, 4, NOTE), (99999, 400, OK), ("x", 24, NOTE)],
)
def test_the_clients_own_setting_decides(home: Path, kept: Path, told: object, days: float, state: str) -> None:
    if told is not None:
        set_days(home, told)
    age(kept, days)
    found = look(home)
    assert found.state == state
    if state == NOTE:
        assert str(kept) in found.what
        assert "thruline config set ark.enabled true" in found.fix
        assert "thruline archive --all" in found.fix


def test_what_is_in_the_ark_is_not_named_until_it_grows(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    age(kept, 25)
    turn_on(capsys)
    assert look(home).fix == "thruline archive --all"
    ask(capsys, "archive", SESSION)
    assert look(home).state == OK
    with kept.open("a") as file:
        file.write('{"type":"mode"}\n')
    age(kept, 25)
    assert look(home).state == NOTE


def test_what_the_user_excluded_is_not_named(home: Path, kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    age(kept, 25)
    ask(capsys, "config", "set", "ark.exclude", "orders-*")
    assert look(home).state == OK


def test_without_any_client_there_is_nothing_to_say(home: Path) -> None:
    assert look(home).state == OK


def test_a_deleted_session_is_no_longer_named(home: Path, kept: Path) -> None:
    age(kept, 25)
    remove_session(home)
    assert look(home).state == OK


def test_packs_that_were_lost_are_told_and_archiving_again_mends_it(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    age(kept, 25)
    turn_on(capsys)
    ask(capsys, "archive", SESSION)
    for pack in Path(find_user_paths().ark, "packs").iterdir():
        pack.unlink()
    lost, ending = [each.finding for each in check_ark(Surroundings(str(home), os.environ))]
    assert (lost.state, ending.state) == (BROKEN, NOTE)
    assert f"Blocks of 1 session are missing in the ark: {SESSION}" in lost.what
    assert str(kept) in ending.what
    assert "1 session archived, 0 unchanged" in ask(capsys, "archive", "--all")
    assert look(home).state == OK


def test_what_the_ark_would_drop_at_once_is_not_asked_for(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    age(kept, 25)
    turn_on(capsys)
    assert look(home).state == NOTE
    ask(capsys, "config", "set", "ark.keep_days", "20")
    assert look(home).state == OK


def test_a_full_ark_is_said_to_be_full(home: Path, kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turn_on(capsys)
    ask(capsys, "archive", SESSION)
    size = sum(path.stat().st_size for path in Path(find_user_paths().ark).rglob("*") if path.is_file())
    other = kept.with_name("99999999-31b2-4c6d-9a58-7d1f0e2b9c34.jsonl")
    other.write_text(kept.read_text())
    age(other, 25)
    ask(capsys, "config", "set", "ark.max_bytes", str(size * 4))
    assert look(home).fix == "thruline archive --all"
    ask(capsys, "config", "set", "ark.max_bytes", str(size))
    assert look(home).fix == f"the ark is full: raise ark.max_bytes (now {size}), then thruline archive --all"
