"""The status line by the real stub: what it shows, what it starts, and that it never breaks or waits."""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.hooks.conftest import SESSION, WIRED, Hook
from tests.hooks.imports import find_added
from thruline.harnesses.installing import find_installers

LINED = [harness.name for harness, module in find_installers() if module.STATUS_SLOT]
LINE = LINED[0]
UNLINED = [name for name in WIRED if name not in LINED]


def build(hook: Hook, percent: Any = 42, **window: Any) -> bytes:
    payload = {
        "session_id": SESSION,
        "transcript_path": f"/x/{SESSION}.jsonl",
        "cwd": str(hook.project),
        "model": {"id": "m", "display_name": "Opus"},
        "context_window": {"used_percentage": percent, **window},
    }
    return json.dumps(payload).encode()


def show(hook: Hook, percent: Any = 42, **window: Any) -> str:
    done = hook.run(LINE, "statusline", payload=build(hook, percent, **window))
    assert (done.returncode, done.stderr) == (0, b"")
    assert hook.read_troubles() == []
    return done.stdout.decode()


def prepare(hook: Hook, **fields: Any) -> None:
    path = Path(hook.here.build_status(LINE, SESSION))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"schema": 1, **fields}))


def choose(hook: Hook, **settings: Any) -> None:
    path = Path(hook.here.config)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"schema": 1, "settings": {key.replace("_", "."): v for key, v in settings.items()}}))


@pytest.mark.feature("F002-27", via="unit")
def test_it_shows_what_was_prepared_and_what_the_client_says(hook: Hook) -> None:
    prepare(hook, branch="main", dirty=3, task="fix the export", loop="loop 2/9", role="child")
    assert show(hook) == "Opus · main ±3 · ctx 42% · fix the export · loop 2/9 · child\n"


def test_a_new_session_is_shown_with_what_is_known_of_the_project(hook: Hook) -> None:
    Path(hook.here.ready).mkdir(parents=True)
    Path(hook.here.status).write_text('{"schema": 1, "branch": "main", "dirty": 1}')
    assert show(hook, None) == "Opus · main ±1\n"


def test_a_user_chooses_the_parts_and_their_order(hook: Hook) -> None:
    prepare(hook, branch="main", dirty=3, task="fix the export")
    choose(hook, statusline_parts=["task", "context"])
    assert show(hook) == "fix the export · ctx 42%\n"
    choose(hook, statusline_parts=["model"])
    assert show(hook) == "Opus\n"
    assert show(hook, 74) == "Opus · ⚠ CTX 74%\n"


def test_a_terminal_is_not_obeyed(hook: Hook) -> None:
    prepare(hook, branch="x\x1b[2Jy\nz\u202e", task="t" * 500)
    shown = show(hook)
    assert "\x1b" not in shown
    assert shown.count("\n") == 1
    assert "\u202e" not in shown
    assert len(shown) < 100


@pytest.mark.parametrize(
    "window",
    [
        {"percent": None},
        {"percent": "74"},
        {"percent": float("nan")},
        {"percent": True, "total_input_tokens": []},
        {"percent": 100, "total_input_tokens": 190_000, "context_window_size": 1_000_000},
        {"percent": -3},
    ],
)
def test_numbers_that_mean_nothing_fire_nothing(hook: Hook, window: dict[str, Any]) -> None:
    assert "⚠" not in show(hook, window.pop("percent"), **window)
    assert hook.read_spool() == []
    assert not os.path.exists(hook.here.build_flag(LINE, SESSION))


@pytest.mark.feature("F002-28", via="unit")
@pytest.mark.feature("F002-32", via="unit")
def test_at_the_threshold_the_worker_is_started_once_and_the_line_warns_from_then_on(hook: Hook) -> None:
    prepare(hook, branch="main")
    assert "⚠" not in show(hook, 69)
    shown = [show(hook, percent) for percent in (74, 75, None, 71)]
    assert [each.split(" · ")[-1].strip() for each in shown] == ["⚠ CTX 74%", "⚠ CTX 75%", "⚠ CTX 74%", "⚠ CTX 71%"]
    [event] = hook.read_spool()
    assert (event["event"], event["session"], event["percent"]) == ("threshold", SESSION, 74)
    assert len(hook.find_starts(1)) == 1


@pytest.mark.feature("F002-34", via="unit")
def test_the_threshold_is_a_setting(hook: Hook) -> None:
    choose(hook, context_threshold=30)
    assert show(hook, 42) == "Opus · ⚠ CTX 42%\n"
    assert len(hook.read_spool()) == 1


@pytest.mark.feature("F002-33", via="unit")
@pytest.mark.parametrize(("source", "cleared"), [("startup", True), ("clear", True), ("resume", False)])
def test_a_start_clears_the_flag_and_a_resumed_session_does_not_fire_again(
    hook: Hook, source: str, cleared: bool
) -> None:
    show(hook, 74)
    flag = hook.here.build_flag(LINE, SESSION)
    assert os.path.exists(flag)
    hook.ask("session_start", harness=LINE, source=source)
    assert os.path.exists(flag) is not cleared


def test_many_windows_at_once_start_one_handoff(hook: Hook) -> None:
    running = [
        subprocess.Popen([*hook.command, LINE, "statusline"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(6)
    ]
    shown = [process.communicate(build(hook, 80), timeout=30)[0].decode() for process in running]
    assert shown == ["Opus · ⚠ CTX 80%\n"] * 6
    assert len(hook.read_spool()) == 1


def test_a_client_that_does_not_wait_for_the_line_is_no_trouble(hook: Hook) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with subprocess.Popen([*hook.command, LINE, "statusline"], stdin=subprocess.PIPE, stdout=writer) as process:
        os.close(writer)
        process.communicate(build(hook, 80), timeout=30)
    assert process.returncode == 0
    assert len(hook.read_spool()) == 1
    assert not os.path.exists(hook.paths.hook_errors)


def test_a_client_that_ends_before_it_said_anything_is_no_trouble(hook: Hook) -> None:
    done = subprocess.run([*hook.command, LINE, "statusline"], input=b"", capture_output=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert hook.read_troubles() == []


def test_a_disk_that_takes_nothing_is_no_reason_to_be_blank(hook: Hook) -> None:
    prepare(hook, branch="main")
    Path(hook.here.ready, "threshold").write_text("a file where a folder should be")
    assert show(hook, 80) == "Opus · main · ⚠ CTX 80%\n"


def test_a_spool_that_takes_nothing_for_a_moment_is_asked_again_with_the_next_line(hook: Hook) -> None:
    prepare(hook, branch="main")
    spool = Path(hook.here.spool)
    spool.parent.mkdir(parents=True, exist_ok=True)
    spool.write_text("a file where a folder should be")
    assert show(hook, 80) == "Opus · main · ⚠ CTX 80%\n"
    spool.unlink()
    assert show(hook, 81) == "Opus · main · ⚠ CTX 81%\n"
    assert [event["percent"] for event in hook.read_spool()] == [81]
    assert len(hook.find_starts(1)) == 1


@pytest.mark.skipif(os.name == "nt", reason="limits of a process are POSIX")
@pytest.mark.parametrize("theirs", [False, True])
def test_a_full_disk_shows_the_line_and_costs_no_handoff(hook: Hook, theirs: bool) -> None:
    import resource

    prepare(hook, branch="main")
    if theirs:
        keep(hook, "echo mine")
        wait_for(hook, "mine")
    full = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))}  # no file takes another byte
    for percent in (80, 81):
        done = hook.run(LINE, "statusline", payload=build(hook, percent), **full)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode().startswith(f"Opus · main · ⚠ CTX {percent}%")
        assert (b"mine" in done.stdout) is theirs
    assert hook.read_spool() == []
    assert show(hook, 82).startswith("Opus · main · ⚠ CTX 82%")
    assert [event["percent"] for event in hook.read_spool()] == [82]


@pytest.mark.parametrize("payload", [b"", b"null", b"[", b"{}", b'{"session_id": "../../x", "cwd": "/"}'])
def test_a_payload_of_nonsense_shows_nothing_and_breaks_nothing(hook: Hook, payload: bytes) -> None:
    done = hook.run(LINE, "statusline", payload=payload)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("harness", UNLINED)
def test_a_client_without_such_a_line_gets_none(hook: Hook, harness: str) -> None:
    done = hook.run(harness, "statusline", payload=build(hook, 80))
    assert (done.returncode, done.stdout, hook.read_spool()) == (0, b"", [])


def test_it_imports_next_to_nothing(hook: Hook) -> None:
    prepare(hook, branch="main")
    added, files, shown = find_added(hook, LINE, "statusline", build(hook))
    assert shown == b"Opus \xc2\xb7 main \xc2\xb7 ctx 42%\n"
    standard = [name for name in added if not name.startswith("thruline")]
    assert len(standard) <= 12, standard
    assert [file for file in files if "site-packages" in file] == []


# --- the line that a user had before


def keep(hook: Hook, command: str) -> None:
    Path(hook.paths.kept_lines).write_text(json.dumps({LINE: {"/elsewhere/settings.json": command}}))


def wait_for(hook: Hook, text: str) -> str:
    patience = time.monotonic() + 20
    while text not in (shown := show(hook)) and time.monotonic() < patience:
        time.sleep(0.05)
    return shown


def test_the_users_own_line_stands_behind_ours_and_gets_the_payload(hook: Hook) -> None:
    keep(hook, "grep -o display_name; echo '\x1b[31mred\x1b[0m'")
    assert wait_for(hook, "red") == "Opus · ctx 42% │ display_name\n\x1b[31mred\x1b[0m\n"


def test_a_line_of_theirs_that_hangs_or_fails_changes_nothing(hook: Hook) -> None:
    keep(hook, "echo first")
    wait_for(hook, "first")
    keep(hook, "echo second; exit 3")
    for _ in range(3):
        assert show(hook).endswith("│ first\n")
        time.sleep(0.1)


def test_a_line_of_theirs_that_fails_from_the_start_is_waited_for_once(hook: Hook) -> None:
    keep(hook, "exit 1")
    assert show(hook) == "Opus · ctx 42%\n"
    base = hook.here.build_theirs(LINE, SESSION)
    patience = time.monotonic() + 20
    while os.path.exists(base + ".busy") and time.monotonic() < patience:
        time.sleep(0.02)
    # What a line waits for is there, and is empty: another one goes by.
    assert Path(base + ".out").read_bytes() == b""
    assert show(hook) == "Opus · ctx 42%\n"


def test_where_the_state_takes_nothing_the_line_and_what_theirs_printed_last_are_shown(hook: Hook) -> None:
    keep(hook, "echo mine")
    wait_for(hook, "mine")
    base = hook.here.build_theirs(LINE, SESSION)
    patience = time.monotonic() + 20
    while os.path.exists(base + ".busy") and time.monotonic() < patience:
        time.sleep(0.02)
    os.mkdir(base + ".busy")  # a name that can be neither made nor removed
    os.utime(base + ".busy", (0, 0))
    Path(base + ".busy", "x").write_text("")
    assert show(hook, 74) == "Opus · ⚠ CTX 74% │ mine\n"


def test_silenced_we_still_show_theirs(hook: Hook) -> None:
    keep(hook, "echo mine")
    wait_for(hook, "mine")
    Path(hook.paths.off).write_text("")
    assert show(hook, 90) == "mine\n"
    assert hook.read_spool() == []
