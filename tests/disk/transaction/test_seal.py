"""The key of this machine."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.disk.operations import make_the_key
from tests.tracer import Crash, crash_points
from thruline.disk.transaction.seal import build_seal, is_sealed, make_key, read_key
from thruline.errors import DiskError
from thruline.layout import find_user_paths

REPOSITORY = Path(__file__).parents[3]


def test_the_key_is_made_once_for_its_owner_alone() -> None:
    path = find_user_paths().journal_key
    assert read_key() == b""
    assert not os.path.exists(path)
    before = os.umask(0o022)
    try:
        key = make_key()
    finally:
        os.umask(before)
    assert (len(key), make_key(), read_key()) == (32, key, key)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700


def test_another_machine_has_another_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = make_key()
    monkeypatch.setenv("HOME", str(tmp_path))
    assert make_key() != key


def test_a_seal_is_of_one_key_one_purpose_and_one_body() -> None:
    seal = build_seal(b"k" * 32, "entry", b"body")
    assert is_sealed(b"k" * 32, "entry", b"body", seal)
    assert not is_sealed(b"j" * 32, "entry", b"body", seal)
    assert not is_sealed(b"k" * 32, "pointer", b"body", seal)
    assert not is_sealed(b"k" * 32, "entry", b"bodY", seal)
    assert not is_sealed(b"k" * 32, "entry", b"body", "ü")
    assert not is_sealed(b"", "entry", b"body", build_seal(b"", "entry", b"body"))


def test_a_link_in_place_of_the_key_is_not_followed(tmp_path: Path) -> None:
    path = Path(find_user_paths().journal_key)
    path.parent.mkdir(parents=True)
    (tmp_path / "precious").write_bytes(b"")
    path.symlink_to(tmp_path / "precious")
    with pytest.raises(DiskError):
        make_key()
    assert (tmp_path / "precious").read_bytes() == b""


def test_all_who_come_first_at_once_get_the_same_key(home: Path) -> None:
    code = "from thruline.disk.transaction.seal import make_key; print(make_key().hex())"
    started = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(6)]
    keys = {process.communicate()[0] for process in started}
    assert len(keys) == 1
    assert keys == {make_key().hex().encode() + b"\n"}


def test_killed_while_making_it_the_next_one_makes_it(tmp_path: Path) -> None:
    def check(folder: str, crash: Crash) -> None:
        code = "import sys; from tests.disk.operations import make_the_key as go; print(len(go(sys.argv[1])))"
        done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, check=True, cwd=REPOSITORY)
        assert done.stdout == b"64\n", str(crash)

    assert len(crash_points(make_the_key, setup=lambda _: None, check=check, folder=str(tmp_path))) >= 5
