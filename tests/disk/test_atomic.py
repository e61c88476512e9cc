"""One file at a time: the old content or the new, on every system."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.disk.three_parts import check_three_parts
from tests.tracer import trace
from thruline.disk import atomic, replace
from thruline.disk.atomic import (
    append_line,
    read_bytes,
    write_bytes,
)
from thruline.errors import DiskError, NotFound


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


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

    monkeypatch.setattr(replace, "write_all", interrupt)
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
    monkeypatch.setattr(replace, "WINDOWS", True)
    write_bytes(str(tmp_path / "file"), b"new")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert len(tries) == 3


def test_on_windows_the_wait_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: str, target: str) -> None:
        raise PermissionError(13, "in use", target)

    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(replace, "WINDOWS", True)
    monkeypatch.setattr(replace, "REPLACE_SECONDS", 0.03)
    with pytest.raises(DiskError):
        write_bytes(str(tmp_path / "file"), b"new")
    assert os.listdir(tmp_path) == []


def test_on_macos_the_disk_itself_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(replace, "FULLFSYNC", 51)
    monkeypatch.setattr(replace.fcntl, "fcntl", lambda _, command: asked.append(command))
    monkeypatch.setattr(os, "fsync", lambda _: asked.append(0))
    write_bytes(str(tmp_path / "file"), b"new")
    assert set(asked) == {51}

    def refuse(*_: int) -> None:
        raise OSError(45, "not supported")

    monkeypatch.setattr(replace.fcntl, "fcntl", refuse)
    write_bytes(str(tmp_path / "file"), b"new")
    assert 0 in asked


def test_who_does_not_ask_for_lasting_waits_for_the_content_and_not_for_the_folder(tmp_path: Path) -> None:
    def count(lasting: bool) -> int:
        code = "import sys; sys.path.insert(0, sys.argv[1]); from thruline.disk.replace import write_bytes; "
        code += f"write_bytes(sys.argv[2], b'new', lasting={lasting})"
        source = str(Path(atomic.__file__).parents[2])
        seen = trace([sys.executable, "-c", code, source, str(tmp_path / "file")])
        return sum(call.name in ("fsync", "fdatasync") for call in seen)

    assert (count(True), count(False)) == (2, 1)


def test_a_private_file_gets_private_folders(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        write_bytes(str(tmp_path / "a" / "b" / "file"), b"", mode=0o600)
        append_line(str(tmp_path / "c" / "d" / "log"), b"", mode=0o600)
        write_bytes(str(tmp_path / "e" / "f" / "file"), b"")
    finally:
        os.umask(before)
    assert [mode_of(tmp_path / name) for name in ("a", "a/b", "c", "c/d", "e", "e/f")] == [0o700] * 4 + [0o755] * 2


def test_it_imports_nothing_that_a_hook_cannot_afford() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import os, time, fcntl; before = set(sys.modules)\n"
        "import thruline.disk.atomic\n"
        "print(sorted(name for name in set(sys.modules) - before if not name.startswith('thruline')))"
    )
    source = str(Path(atomic.__file__).parents[2])
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code, source], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "[]"
