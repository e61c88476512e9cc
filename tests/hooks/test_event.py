"""An event says where it happened and whose client it was, whatever the client's folder is now."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import thruline.process
from tests.hooks.conftest import HARNESS, SESSION, Hook
from thruline.harnesses.wiring import build_fields
from thruline.hooks import event as module
from thruline.hooks.event import add_client, build_event, build_line, find_client, find_wire
from thruline.hooks.payload import Unusable
from thruline.hooks.trouble import write_slow
from thruline.process import read_process
from thruline.scan import render_line

PAGE = Path(__file__).parents[2] / "docs" / "formats" / "hook-files.md"


def build(**payload: object) -> dict[str, object]:
    return build_event(HARNESS, "prompt", build_fields({"session_id": SESSION, "cwd": "/", **payload}))


def test_an_event_has_fixed_keys_and_a_line_only_those_that_say_something(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "find_client", lambda: (4711, 7))  # whoever runs this test
    event = build(cwd=7, prompt="My password is hunter2.")
    keys = {"schema", "at", "harness", "event", *build_fields({}), "root", "marked", "pid", "born", "told"}
    assert set(event) == keys
    assert (event["schema"], event["session"], event["cwd"], event["agent"]) == (1, SESSION, "", "")
    line = build_line(add_client(event))
    assert "hunter2" not in json.dumps(line)
    assert set(line) == {"schema", "at", "harness", "event", "session", "root", "pid", "born"}


def find_samples() -> list[str]:
    """The examples of the format's page, in its order: event, ready text, status line, told, trouble."""
    return [part.partition("\n```")[0] for part in PAGE.read_text(encoding="utf-8").split("```json\n")[1:]]


def test_the_event_of_the_formats_page_is_what_is_spooled(monkeypatch: pytest.MonkeyPatch):
    sample = json.loads(find_samples()[0])
    monkeypatch.setattr(module, "find_client", lambda: (sample["pid"], sample["born"]))
    monkeypatch.setattr(module.time, "time", lambda: sample["at"])
    payload = {"session_id": sample["session"], "transcript_path": sample["transcript"], "cwd": sample["cwd"]}
    fields = build_fields({**payload, "tool_name": "Edit", "prompt": "x"})
    fields |= {"files": [["a.py", "edited"]], "outcome": "ok", "project": "/home/dev/proj"}
    line = build_line(add_client(build_event("some-client", "tool_done", fields)))
    assert render_line(line).decode() == find_samples()[0] + "\n"


def test_the_other_examples_of_the_page_are_what_is_read_and_written(hook: Hook):
    _, ready, _, told, trouble, slow = find_samples()
    path = hook.write_ready(hook.here.build_resume(HARNESS), "x")
    path.write_text(ready + "\n")
    assert hook.ask("session_start", "99999999-1111-2222-3333-444455556666") == json.loads(ready)["text"]
    [line] = hook.read_told()
    changed = {**line, "at": json.loads(told)["at"], "harness": "some-client"}
    assert render_line(changed).decode() == told + "\n"
    hook.run(HARNESS, "prompt", payload=b"garbage")
    assert list(json.loads(hook.read_troubles()[0])) == list(json.loads(trouble))
    write_slow(hook.paths.slow_hooks, "some-client", "prompt", 1.34)
    written = json.loads(Path(hook.paths.slow_hooks).read_text())
    assert {**written, "at": json.loads(slow)["at"]} == json.loads(slow)


def test_every_key_of_an_event_is_on_the_formats_page():
    page = PAGE.read_text(encoding="utf-8")
    assert [key for key in build() if f"`{key}`" not in page and key not in ("prompt", "project", "marked")] == []


def test_the_root_is_that_of_the_folder_the_session_was_started_in(tmp_path: Path):
    for name in ("one", "two"):
        (tmp_path / name / ".git").mkdir(parents=True)
        (tmp_path / name / ".git" / "HEAD").write_text("ref: x")
        (tmp_path / name / "below").mkdir()
    fields = build_fields({"session_id": SESSION, "cwd": str(tmp_path / "two" / "below")})
    assert build_event(HARNESS, "prompt", fields)["root"] == str(tmp_path / "two")
    moved = {**fields, "project": str(tmp_path / "one")}
    assert build_event(HARNESS, "prompt", moved)["root"] == str(tmp_path / "one")
    assert build_event(HARNESS, "prompt", {**fields, "project": "relative"})["root"] == str(tmp_path / "two")


def test_files_are_named_in_full():
    fields = {**build_fields({"session_id": SESSION, "cwd": "/w"}), "files": [["a/../b", "read"], ["/c", "edited"]]}
    assert build_event(HARNESS, "tool_done", fields)["files"] == [["/w/b", "read"], ["/c", "edited"]]


@pytest.mark.parametrize("name", ["unknown", "a.b", "../x", "", "registry", "text", "a b"])
def test_only_a_harness_with_a_wire_is_heard(name: str):
    with pytest.raises(Unusable):
        find_wire(name)


def test_a_broken_wire_is_not_taken_for_a_missing_one(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, f"thruline.harnesses.{HARNESS.replace('-', '_')}.wire", None)
    with pytest.raises(Unusable):
        find_wire(HARNESS)


# --- whose client


needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="Linux tells it, others do not")


@needs_proc
@pytest.mark.parametrize("way", ["directly", "through a shell that stays", "through a shell that makes way"])
def test_the_client_is_found_through_the_shell_it_may_start(hook: Hook, way: str):
    line = " ".join(f"'{word}'" for word in [*hook.command, HARNESS, "prompt"])
    commands = {
        "directly": [*hook.command, HARNESS, "prompt"],
        "through a shell that stays": ["sh", "-c", line + "; true"],
        "through a shell that makes way": ["sh", "-c", "exec " + line],
    }
    subprocess.run(commands[way], input=hook.build(), check=True)
    [line] = hook.read_spool()
    assert (line["pid"], line["born"]) == (os.getpid(), read_process(os.getpid())[2])


def test_who_adopts_orphans_is_not_the_client(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module.os, "getppid", lambda: 1)
    assert find_client() == (0, 0)


def test_without_proc_the_parent_is_the_client(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(thruline.process, "read_process", lambda _pid: ("", 0, 0))
    assert find_client() == (os.getppid(), 0)
