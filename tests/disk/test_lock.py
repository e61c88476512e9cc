"""A lock has one owner, who is told, and is a plain file of this user."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.disk.three_parts import check_three_parts
from thruline.disk.atomic import (
    Lock,
)
from thruline.disk.owner import read_owner
from thruline.errors import DiskError, LockTimeout


@pytest.mark.parametrize("what", ["link", "pipe", "folder"])
def test_a_lock_is_a_plain_file(tmp_path: Path, what: str) -> None:
    (tmp_path / "precious").write_bytes(b"precious")
    if what == "link":
        (tmp_path / "lock").symlink_to(tmp_path / "precious")
    elif what == "pipe":
        os.mkfifo(tmp_path / "lock")
    else:
        (tmp_path / "lock").mkdir()
    with pytest.raises(DiskError), Lock(str(tmp_path / "lock"), 0.0):
        pass
    assert (tmp_path / "precious").read_bytes() == b"precious"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_a_lock_of_another_user_is_refused(tmp_path: Path) -> None:
    (tmp_path / "lock").write_bytes(b"")
    os.chown(tmp_path / "lock", 12345, 12345)
    with pytest.raises(DiskError, match="another user"), Lock(str(tmp_path / "lock"), 0.0):
        pass


def test_a_lock_tells_who_holds_it_and_that_it_still_runs(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    with Lock(path):
        owner = read_owner(path)
        assert owner is not None
        assert owner.pid == os.getpid()
        with pytest.raises(LockTimeout) as caught, Lock(path, timeout=0.01):
            pass
    check_three_parts(caught.value, tmp_path / "lock")
    assert f"process {os.getpid()}" in caught.value.where
    assert "still running" in caught.value.where
    with Lock(path, timeout=0.0):
        pass


def test_a_lock_left_to_a_child_tells_that_its_owner_is_gone(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    # The process takes the lock, hands it to a child and ends: the child sleeps on it.
    code = (
        "import os, sys, time\n"
        "from thruline.disk.lock import Lock\n"
        "Lock(sys.argv[1]).__enter__()\n"
        "child = os.fork()\n"
        "if child: print(child, flush=True); os._exit(0)\n"
        "os.close(1); os.close(2); time.sleep(60)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, check=True)
    try:
        with pytest.raises(LockTimeout) as caught, Lock(path, timeout=0.01):
            pass
    finally:
        os.kill(int(done.stdout), 9)
    assert "no longer running" in caught.value.where
    assert "is gone" in caught.value.next


def test_readers_share_and_keep_a_writer_out(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    with Lock(path, shared=True), Lock(path, timeout=0.0, shared=True), pytest.raises(LockTimeout), Lock(path, 0.0):
        pass


def test_a_lock_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    with pytest.raises(DiskError) as caught, Lock(str(tmp_path / "none" / "lock")):
        pass
    check_three_parts(caught.value, tmp_path / "none" / "lock")
