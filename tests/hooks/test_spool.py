"""Events reach the spool whole, in order of time, from many processes at once, or not at all."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thruline.scan
from thruline.hooks.spool import append_told, write_event
from thruline.scan import render_line

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


def test_an_event_is_one_private_file_with_one_line(tmp_path):
    path = Path(write_event(str(tmp_path / "spool"), {"event": "turn_end", "cwd": "/a b"}))
    assert path.read_bytes() == b'{"event": "turn_end", "cwd": "/a b"}\n'
    assert path.name.endswith(f"-{os.getpid()}.json")  # two processes may write in the same nanosecond
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_every_folder_it_makes_is_for_its_user_alone(tmp_path):
    before = os.umask(0o022)
    try:
        write_event(str(tmp_path / "state" / "thruline" / "spool"), {})
    finally:
        os.umask(before)
    made = [tmp_path / "state" / "thruline" / "spool", tmp_path / "state" / "thruline", tmp_path / "state"]
    assert [folder.stat().st_mode & 0o777 for folder in made] == [0o700] * 3


def test_names_sort_by_time(tmp_path):
    written = [os.path.basename(write_event(str(tmp_path), {"n": n})) for n in range(20)]
    assert sorted(os.listdir(tmp_path)) == written


def test_thirty_writers_at_once_lose_and_tear_nothing(tmp_path):
    code = (
        "import sys; from thruline.hooks.spool import write_event\n"
        "for n in range(20): write_event(sys.argv[1], {'writer': sys.argv[2], 'n': n, 'text': 'x' * 5000})"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "new"), str(n)]) for n in range(30)]
    assert [writer.wait(60) for writer in writers] == [0] * 30
    events = [json.loads(path.read_bytes()) for path in sorted((tmp_path / "new").iterdir())]
    assert {(event["writer"], event["n"]) for event in events} == {(str(w), n) for w in range(30) for n in range(20)}
    for writer in range(30):
        assert [event["n"] for event in events if event["writer"] == str(writer)] == list(range(20))


@pytest.mark.skipif(sys.platform == "win32", reason="no file size limit there")
def test_a_disk_that_fills_up_leaves_nothing_behind(tmp_path):
    code = (
        "import resource, sys; from thruline.hooks.spool import write_event\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "write_event(sys.argv[1], {'text': 'x' * 5000})"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True)
    assert b"OSError" in done.stderr
    assert os.listdir(tmp_path) == []


def test_lines_of_many_writers_at_once_stay_whole_in_a_private_file(tmp_path):
    code = (
        "import sys; from thruline.hooks.spool import append_told\n"
        "for n in range(20): append_told(sys.argv[1], (sys.argv[2] + ' ' + str(n) + ' ' + 'x' * 9000 + '\\n').encode())"
    )
    log = tmp_path / "new" / "told.jsonl"
    writers = [subprocess.Popen([sys.executable, "-c", code, str(log), str(n)]) for n in range(12)]
    assert [writer.wait(60) for writer in writers] == [0] * 12
    assert sorted(log.read_text().splitlines()) == sorted(f"{w} {n} {'x' * 9000}" for w in range(12) for n in range(20))
    assert log.stat().st_mode & 0o777 == 0o600
    assert log.parent.stat().st_mode & 0o777 == 0o700


def test_a_line_is_added_behind_what_is_there(tmp_path):
    append_told(str(tmp_path / "log"), b"one\n")
    append_told(str(tmp_path / "log"), b"two\n")
    assert (tmp_path / "log").read_bytes() == b"one\ntwo\n"


@given(st.dictionaries(st.text(), VALUES, max_size=5))
def test_a_line_is_ascii_json_and_says_the_same(value):
    line = render_line(value)
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert json.loads(line) == value


def test_a_lone_surrogate_survives():
    assert json.loads(render_line({"a": "\ud83d"})) == {"a": "\ud83d"}


def test_the_public_json_module_stands_in_for_the_private_encoder(monkeypatch):
    value = {"a": [1, None, "ü"], "b": {"c": 1.5}}
    before = render_line(value)
    monkeypatch.setattr(thruline.scan, "_json", None)
    assert render_line(value) == before
