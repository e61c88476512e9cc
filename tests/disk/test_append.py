"""Lines are appended whole, or not at all."""

import os
import threading
from pathlib import Path

import pytest

from thruline.disk.atomic import (
    append_line,
    append_lines,
)
from thruline.disk.lock import hold
from thruline.errors import DiskError


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
