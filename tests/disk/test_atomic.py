"""One file at a time."""

import os
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.tracer import trace
from thruline.disk import atomic, temps
from thruline.disk.atomic import (
    Lock,
    append_line,
    append_lines,
    find_leftovers,
    read_bytes,
    remove_leftovers,
    write_bytes,
)
from thruline.disk.lock import hold, read_owner
from thruline.errors import DiskError, LockTimeout, NotFound


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def check_three_parts(error: DiskError | NotFound, where: Path) -> None:
    assert error.what
    assert str(where) in error.where
    assert error.next


# --- replacing ---


@pytest.mark.feature("F004-32", via="unit")
def test_missing_folders_are_made_only_when_a_file_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file"
    with pytest.raises(NotFound):
        read_bytes(str(path))
    assert list(tmp_path.iterdir()) == []
    write_bytes(str(path), b"data")
    assert path.read_bytes() == b"data"
    assert os.listdir(path.parent) == ["file"]


def test_the_order_is_write_sync_rename_sync_folder(tmp_path: Path) -> None:
    seen = trace(write_bytes_of, str(tmp_path / "file"))
    assert [call.name for call in seen.changes(below=str(tmp_path))] == ["openat", "write", "fsync", "rename", "fsync"]
    assert seen.changes()[-1].path == str(tmp_path)


def write_bytes_of(path: str) -> None:
    write_bytes(path, b"data")


def test_an_existing_file_keeps_its_mode_and_a_new_one_gets_the_one_asked_for(tmp_path: Path) -> None:
    kept, asked, plain = tmp_path / "kept", tmp_path / "asked", tmp_path / "plain"
    kept.write_bytes(b"old")
    kept.chmod(0o751)
    write_bytes(str(kept), b"new", mode=0o600)
    write_bytes(str(asked), b"new", mode=0o666)
    before = os.umask(0o027)
    try:
        write_bytes(str(plain), b"new")
    finally:
        os.umask(before)
    assert (mode_of(kept), mode_of(asked), mode_of(plain)) == (0o751, 0o666, 0o640)


def test_a_secret_is_never_readable_by_others_on_its_way(tmp_path: Path) -> None:
    seen: list[int] = []
    real_write = os.write

    def look(fd: int, data: bytes) -> int:
        seen.append(stat.S_IMODE(os.fstat(fd).st_mode))
        return real_write(fd, data)

    before = os.umask(0)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "write", look)
            write_bytes(str(tmp_path / "secret"), b"x", mode=0o600)
    finally:
        os.umask(before)
    assert seen == [0o600]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_the_owner_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    os.chown(path, 12345, 12346)
    write_bytes(str(path), b"new")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 12346)


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    target, link, dangling = tmp_path / "elsewhere" / "target", tmp_path / "link", tmp_path / "dangling"
    target.write_bytes(b"old")
    link.symlink_to(target)
    dangling.symlink_to("elsewhere/made")
    write_bytes(str(link), b"new")
    write_bytes(str(dangling), b"made")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert (tmp_path / "elsewhere" / "made").read_bytes() == b"made"


def test_a_name_as_long_as_the_system_allows_can_be_written(tmp_path: Path) -> None:
    write_bytes(str(tmp_path / ("n" * 255)), b"data")
    assert (tmp_path / ("n" * 255)).read_bytes() == b"data"


def test_what_cannot_be_written_is_told_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"old")
    os.mkfifo(tmp_path / "pipe")
    for name in ("folder", "file/below", "pipe", "n" * 256):
        with pytest.raises(DiskError) as caught:
            write_bytes(str(tmp_path / name), b"new")
        check_three_parts(caught.value, tmp_path / name)
    assert sorted(os.listdir(tmp_path)) == ["file", "folder", "pipe"]
    assert (tmp_path / "file").read_bytes() == b"old"


def test_interrupted_while_writing_the_temporary_file_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(atomic, "write_all", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_bytes(str(tmp_path / "file"), b"new")
    assert os.listdir(tmp_path) == []


def test_reading_a_folder_or_nothing_is_told(tmp_path: Path) -> None:
    with pytest.raises(DiskError) as caught:
        read_bytes(str(tmp_path))
    check_three_parts(caught.value, tmp_path)
    with pytest.raises(NotFound) as missing:
        read_bytes(str(tmp_path / "none"))
    check_three_parts(missing.value, tmp_path / "none")


def test_large_content_survives(tmp_path: Path) -> None:
    data = os.urandom(1 << 16) * 300
    write_bytes(str(tmp_path / "large"), data)
    assert read_bytes(str(tmp_path / "large")) == data
    write_bytes(str(tmp_path / "empty"), b"")
    assert read_bytes(str(tmp_path / "empty")) == b""


# --- leftovers ---


def test_leftovers_are_temporary_files_of_processes_that_are_gone(tmp_path: Path) -> None:
    ours = Path(tmp_path, "sub", atomic.build_temp_name())
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    pid = gone.stdout.decode().strip()
    dead = Path(tmp_path, "sub", ours.name.replace(f"-{os.getpid()}-", f"-{pid}-"))
    foreign = Path(tmp_path, "sub", f"{atomic.TEMP_START}{pid}-elsewhere-1.tmp")
    other = Path(tmp_path, "sub", ".thruline-notes.tmp")
    ours.parent.mkdir()
    for path in (ours, dead, foreign, other):
        path.write_bytes(b"")
    assert find_leftovers(str(tmp_path)) == [str(dead)]
    assert remove_leftovers(str(tmp_path)) == [str(dead)]
    assert not dead.exists()
    assert ours.exists()


def test_where_a_process_cannot_be_asked_about_age_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(temps, "is_running", lambda _: None)
    new = temps.build_temp_name()
    yesterday = time.time_ns() - 25 * 3600 * 10**9
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(temps.time, "time_ns", lambda: yesterday)
        old = temps.build_temp_name()
    odd = old.rpartition("-")[0] + "-nonsense.tmp"
    for name in (new, old, odd):
        (tmp_path / name).write_bytes(b"")
    assert find_leftovers(str(tmp_path)) == [str(tmp_path / old)]


# --- other systems ---


def test_on_windows_a_file_that_someone_reads_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, tries = os.replace, []

    def refuse_twice(source: str, target: str) -> None:
        tries.append(target)
        if len(tries) < 3:
            raise PermissionError(13, "in use", target)
        real(source, target)

    monkeypatch.setattr(os, "replace", refuse_twice)
    with pytest.raises(DiskError):
        write_bytes(str(tmp_path / "file"), b"elsewhere it is what it says")
    assert len(tries) == 1
    tries.clear()
    monkeypatch.setattr(atomic, "WINDOWS", True)
    write_bytes(str(tmp_path / "file"), b"new")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert len(tries) == 3


def test_on_windows_the_wait_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: str, target: str) -> None:
        raise PermissionError(13, "in use", target)

    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(atomic, "WINDOWS", True)
    monkeypatch.setattr(atomic, "REPLACE_SECONDS", 0.03)
    with pytest.raises(DiskError):
        write_bytes(str(tmp_path / "file"), b"new")
    assert os.listdir(tmp_path) == []


def test_on_macos_the_disk_itself_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(atomic, "FULLFSYNC", 51)
    monkeypatch.setattr(atomic.fcntl, "fcntl", lambda _, command: asked.append(command))
    monkeypatch.setattr(os, "fsync", lambda _: asked.append(0))
    write_bytes(str(tmp_path / "file"), b"new")
    assert set(asked) == {51}

    def refuse(*_: int) -> None:
        raise OSError(45, "not supported")

    monkeypatch.setattr(atomic.fcntl, "fcntl", refuse)
    write_bytes(str(tmp_path / "file"), b"new")
    assert 0 in asked


# --- private ---


def test_a_private_file_gets_private_folders(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        write_bytes(str(tmp_path / "a" / "b" / "file"), b"", mode=0o600)
        append_line(str(tmp_path / "c" / "d" / "log"), b"", mode=0o600)
        write_bytes(str(tmp_path / "e" / "f" / "file"), b"")
    finally:
        os.umask(before)
    assert [mode_of(tmp_path / name) for name in ("a", "a/b", "c", "c/d", "e", "e/f")] == [0o700] * 4 + [0o755] * 2


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


# --- appending ---


def test_lines_are_appended_whole(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "log"
    append_line(str(path), b"one")
    append_lines(str(path), [b"two\n", b"three"])
    append_lines(str(path), [])
    assert path.read_bytes() == b"one\ntwo\nthree\n"
    with pytest.raises(ValueError):
        append_line(str(path), b"four\nfive")


def test_after_a_torn_line_a_new_one_starts(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b'{"a": 1}\n{"b": ')
    append_line(str(path), b'{"c": 3}')
    assert path.read_bytes() == b'{"a": 1}\n{"b": \n{"c": 3}\n'


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_appending_to_a_full_disk_is_told() -> None:
    with pytest.raises(DiskError, match="space"):
        append_line("/dev/full", b"line")


def test_half_a_line_is_taken_back_when_the_disk_fills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"first\n")
    real_write = os.write

    def fill_up(fd: int, data: bytes) -> int:
        if len(data) < 8:
            raise OSError(28, "No space left on device")
        return real_write(fd, data[: len(data) - 4])

    monkeypatch.setattr(os, "write", fill_up)
    with pytest.raises(DiskError, match="space"):
        append_line(str(path), b"second line")
    assert path.read_bytes() == b"first\n"


def test_a_line_goes_to_the_file_that_has_the_name_now(tmp_path: Path) -> None:
    path = tmp_path / "log"
    fd = hold(str(path), os.O_RDWR | os.O_CREAT)
    waiting = threading.Thread(target=append_line, args=(str(path), b"line"))
    waiting.start()
    path.rename(tmp_path / "log.1")
    os.close(fd)
    waiting.join()
    assert path.read_bytes() == b"line\n"
    assert (tmp_path / "log.1").read_bytes() == b""


# --- locks ---


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


# --- the hot path ---


def test_it_imports_nothing_that_a_hook_cannot_afford() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import os, time, fcntl; before = set(sys.modules)\n"
        "import thruline.disk.atomic\n"
        "print(sorted(name for name in set(sys.modules) - before if not name.startswith('thruline')))"
    )
    source = str(Path(atomic.__file__).parents[2])
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code, source], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "[]"
