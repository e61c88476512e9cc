"""Trouble is logged with kinds and places, never with the user's text, and the log stays small."""

import json
import os
from pathlib import Path

from thruline.hooks.payload import Unusable
from thruline.hooks.trouble import LIMIT, write_trouble


def fail(error: BaseException) -> BaseException:
    try:
        raise error
    except BaseException as raised:
        return raised


def test_a_line_names_kind_and_place(tmp_path):
    log = tmp_path / "logs" / "hook-errors.jsonl"
    write_trouble(str(log), "some-client", "prompt", fail(Unusable("not JSON")))
    line = json.loads(log.read_text())
    assert line.pop("at").endswith("Z")
    assert line.pop("place").startswith("test_trouble.py:")
    assert line == {"harness": "some-client", "event": "prompt", "error": "Unusable", "detail": "not JSON"}
    assert log.stat().st_mode & 0o777 == 0o600


def test_the_text_of_a_foreign_error_is_not_kept(tmp_path):
    log = tmp_path / "log"
    write_trouble(str(log), "h", "prompt", fail(KeyError("my password is hunter2")))
    write_trouble(str(log), "h", "prompt", fail(OSError(28, "No space left on device", "/home/me/secret")))
    text = log.read_text()
    assert "hunter2" not in text
    assert "/home/me" not in text
    assert "No space left" in text


def test_a_log_past_its_limit_is_moved_aside_once(tmp_path):
    log = tmp_path / "log"
    log.write_bytes(b"x" * LIMIT + b"\n")
    write_trouble(str(log), "h", "prompt", fail(Unusable("one")))
    write_trouble(str(log), "h", "prompt", fail(Unusable("two")))
    assert [json.loads(line)["detail"] for line in log.read_text().splitlines()] == ["one", "two"]
    assert (tmp_path / "log.1").stat().st_size == LIMIT + 1
    assert sorted(os.listdir(tmp_path)) == ["log", "log.1"]


def test_a_log_that_cannot_be_written_is_no_trouble(tmp_path):
    (tmp_path / "file").write_text("")
    write_trouble(str(tmp_path / "file" / "log"), "h", "prompt", fail(Unusable("x")))
    write_trouble("/dev/full", "h", "prompt", fail(Unusable("x")))
    assert Path("/dev/full").exists()


def test_every_folder_it_makes_is_for_its_user_alone(tmp_path):
    before = os.umask(0o022)
    try:
        write_trouble(str(tmp_path / "state" / "logs" / "log"), "h", "prompt", fail(Unusable("x")))
    finally:
        os.umask(before)
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("state", "state/logs")] == [0o700, 0o700]
