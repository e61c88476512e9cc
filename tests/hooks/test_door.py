"""Whatever a client sends, the door answers or stays silent; it exits 0 and says nothing else."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hooks.conftest import SESSION, Hook
from thruline.hooks.door import HANDLERS, answer, build_event, is_safe_id, is_safe_name
from thruline.layout import UserPaths
from thruline.operations.hook_entry import STUB

READY = b'{"hookSpecificOutput": {"additionalContext": "Yesterday you were told no."}}\n'
PAYLOAD = json.dumps({"session_id": SESSION, "cwd": "/tmp"}).encode()
EVENTS = [
    "session_start",
    "session_end",
    "prompt",
    "turn_end",
    "tool_done",
    "tool_failed",
    "before_compact",
    "after_compact",
    "subagent_start",
    "subagent_end",
]


def silent(done: "subprocess.CompletedProcess[bytes]") -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


# --- what it answers


def test_the_table_holds_our_ten_events():
    assert list(HANDLERS) == EVENTS


def test_session_start_prints_the_ready_text_as_it_is(hook: Hook):
    hook.write_ready("some-client", SESSION, READY)
    done = hook.run("some-client", "session_start", payload=PAYLOAD)
    assert (done.returncode, done.stdout, done.stderr) == (0, READY, b"")


def test_another_session_or_harness_gets_nothing(hook: Hook):
    hook.write_ready("some-client", SESSION, READY)
    assert silent(hook.run("other-client", "session_start", payload=PAYLOAD))
    other = json.dumps({"session_id": "another-session"}).encode()
    assert silent(hook.run("some-client", "session_start", payload=other))


@pytest.mark.parametrize("event", EVENTS[1:])
def test_every_other_event_has_nothing_to_do_yet(hook: Hook, event: str):
    hook.write_ready("some-client", SESSION, READY)
    before = hook.find_files()
    assert silent(hook.run("some-client", event, payload=PAYLOAD))
    assert hook.find_files() == before


@pytest.mark.parametrize("text", [b"Plain words", b"", b'{"a": 1', b"[1]"])
def test_a_broken_ready_text_is_not_shown_to_the_model(hook: Hook, text: bytes):
    hook.write_ready("some-client", SESSION, text)
    assert silent(hook.run("some-client", "session_start", payload=PAYLOAD))
    assert len(hook.read_troubles()) == 1


def test_it_answers_while_the_client_keeps_the_pipe_open(hook: Hook):
    hook.write_ready("some-client", SESSION, READY)
    with subprocess.Popen(
        [*hook.command, "some-client", "session_start"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        process.stdin.write(PAYLOAD)
        process.stdin.flush()
        assert process.wait(4) == 0  # before its patience ends
        assert process.stdout is not None
        assert process.stdout.read() == READY


def test_a_client_that_never_sends_is_left_after_a_while(hook: Hook):
    stub = Path(hook.paths.hook_entry)
    stub.write_text(stub.read_text().replace("    main(", "    main.__globals__['PATIENCE'] = 0.3\n    main("))
    reader, writer = os.pipe()
    try:
        done = hook.run("some-client", "prompt", stdin=reader)
    finally:
        os.close(reader)
        os.close(writer)
    assert silent(done)
    assert "no end within 0.3 s" in hook.read_troubles()[0]


def test_megabytes_of_tool_output_are_no_trouble(hook: Hook):
    payload = json.dumps({"session_id": SESSION, "tool_response": 'a "{quoted}" \\ line\n' * 400_000}).encode()
    assert len(payload) > 8_000_000
    assert silent(hook.run("some-client", "tool_done", payload=payload))
    assert hook.read_troubles() == []


# --- the switch, and no litter


@pytest.mark.parametrize(("value", "off"), [("1", True), ("yes", True), ("0", False), ("", False)])
def test_thruline_off_silences_it(hook: Hook, value: str, off: bool):
    hook.write_ready("some-client", SESSION, READY)
    done = hook.run("some-client", "session_start", payload=PAYLOAD, env={**os.environ, "THRULINE_OFF": value})
    assert (done.returncode, done.stdout) == (0, b"" if off else READY)


def test_thruline_off_leaves_no_trace_of_trouble_either(hook: Hook):
    assert silent(hook.run("some-client", "nonsense", payload=b"{", env={**os.environ, "THRULINE_OFF": "1"}))
    assert hook.read_troubles() == []


@pytest.mark.parametrize("event", EVENTS)
def test_a_project_without_a_marker_gets_not_one_byte(hook: Hook, tmp_path: Path, event: str):
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    payload = json.dumps({"session_id": SESSION, "cwd": str(project)}).encode()
    hook.run("some-client", event, payload=payload, cwd=project)
    hook.run("some-client", event, payload=b"garbage", cwd=project)
    assert sorted(path.name for path in project.rglob("*")) == [".git", "HEAD"]


def test_a_ready_text_inside_a_repository_is_not_read(hook: Hook, tmp_path: Path):
    for folder in (".agent/context/ready/some-client", "ready/some-client"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / f"{SESSION}.json").write_bytes(READY)
    (tmp_path / ".agent/context/root.json").write_text("{}")
    payload = json.dumps({"session_id": SESSION, "cwd": str(tmp_path)}).encode()
    assert silent(hook.run("some-client", "session_start", payload=payload, cwd=tmp_path))


@pytest.mark.parametrize("absolute", [True, False])
def test_the_stubs_own_state_is_used_whatever_thruline_home_says(hook: Hook, tmp_path: Path, absolute: bool):
    project = tmp_path / "project"
    project.mkdir()
    other = Hook(tmp_path / "other")
    other.write_ready("some-client", SESSION, b'{"from": "elsewhere"}')
    hook.write_ready("some-client", SESSION, READY)
    env = {**os.environ, "THRULINE_HOME": str(other.state) if absolute else "here"}
    assert hook.run("some-client", "session_start", payload=PAYLOAD, env=env, cwd=project).stdout == READY
    assert silent(hook.run("some-client", "prompt", payload=b"garbage", env=env, cwd=project))
    assert len(hook.read_troubles()) == 1
    assert other.read_troubles() == []
    assert os.listdir(project) == []


# --- exit 0, always


@pytest.mark.parametrize(
    "arguments",
    [[], ["some-client"], ["some-client", "prompt", "more"], ["some-client", "Stop"], ["../x", "prompt"], ["", ""]],
)
def test_a_wrong_command_line_is_logged_and_forgiven(hook: Hook, arguments: list[str]):
    assert silent(hook.run(*arguments, payload=PAYLOAD))
    assert len(hook.read_troubles()) == 1


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"garbage",
        b"\x00" * 1000,
        b"[]",
        b"{}",
        b'{"session_id": 7}',
        b'{"session_id": "../../etc/passwd"}',
        b'{"session_id": ' + b"[" * 300_000,
        b'{"session_id": "' + b"x" * 70_000_000,
    ],
    ids=["empty", "garbage", "zeros", "list", "no id", "number", "path", "nested", "huge"],
)
def test_a_useless_payload_is_logged_and_forgiven(hook: Hook, payload: bytes):
    assert silent(hook.run("some-client", "session_start", payload=payload))
    assert len(hook.read_troubles()) == 1


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_forgiven(hook: Hook, closed: str):
    hook.write_ready("some-client", SESSION, READY)
    script = f'"$@" {closed}'
    done = subprocess.run(
        ["sh", "-c", script, "sh", *hook.command, "some-client", "session_start"], input=PAYLOAD, capture_output=True
    )
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout in (b"", READY)
    assert (hook.state / "ready" / "some-client" / f"{SESSION}.json").read_bytes() == READY


def test_a_reader_that_went_away_is_forgiven(hook: Hook):
    hook.write_ready("some-client", SESSION, READY)
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*hook.command, "some-client", "session_start"], input=PAYLOAD, stdout=writer, stderr=subprocess.PIPE
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_full_disk_is_forgiven(hook: Hook):
    os.makedirs(hook.paths.logs)
    os.symlink("/dev/full", hook.paths.hook_errors)
    assert silent(hook.run("some-client", "prompt", payload=b"garbage"))


def test_a_state_that_cannot_be_written_is_forgiven(hook: Hook):
    Path(hook.paths.logs).write_text("a file where the folder should be")
    assert silent(hook.run("some-client", "prompt", payload=b"garbage"))


def test_a_ready_text_that_cannot_be_read_is_forgiven(hook: Hook):
    (hook.state / "ready" / "some-client" / f"{SESSION}.json").mkdir(parents=True)
    assert silent(hook.run("some-client", "session_start", payload=PAYLOAD))
    assert len(hook.read_troubles()) == 1


def test_no_home_and_no_environment_is_forgiven(hook: Hook):
    hook.write_ready("some-client", SESSION, READY)
    assert hook.run("some-client", "session_start", payload=PAYLOAD, env={}).stdout == READY
    assert silent(hook.run("some-client", "prompt", payload=b"garbage", env={}))
    assert len(hook.read_troubles()) == 1


def test_a_working_folder_that_is_gone_is_forgiven(hook: Hook, tmp_path: Path):
    gone = tmp_path / "gone"
    gone.mkdir()
    script = 'cd "$0" && rmdir "$0" && "$@"'
    done = subprocess.run(
        ["sh", "-c", script, str(gone), *hook.command, "some-client", "prompt"], input=PAYLOAD, capture_output=True
    )
    assert silent(done)


def test_an_event_has_fixed_keys_and_a_schema():
    event = build_event("some-client", "prompt", {"session_id": SESSION, "cwd": 7, "prompt": "hello"})
    assert list(event) == ["schema", "at", "harness", "event", "session", "cwd", "payload"]
    assert (event["schema"], event["session"], event["cwd"]) == (1, SESSION, "")


@pytest.mark.parametrize("package", ["missing", "broken", "interrupted"])
def test_a_package_that_is_gone_or_broken_is_forgiven(hook: Hook, tmp_path: Path, package: str):
    folder = tmp_path / "site"
    door = folder / "thruline" / "hooks" / "door.py"
    door.parent.mkdir(parents=True)
    if package != "missing":
        door.write_text("this is (no python" if package == "broken" else "raise KeyboardInterrupt")
    Path(hook.paths.hook_entry).write_text(STUB.format(version="9", folder=str(folder), state=str(hook.state)))
    assert silent(hook.run("some-client", "session_start", payload=PAYLOAD))


def test_thirty_hooks_at_once_each_get_their_own_answer(hook: Hook):
    sessions = [f"session-{n:04d}" for n in range(30)]
    running = []
    for session in sessions:
        hook.write_ready("some-client", session, b'{"for": "%s"}' % session.encode())
        process = subprocess.Popen(
            [*hook.command, "some-client", "session_start"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        running.append(process)
    answers = [
        process.communicate(json.dumps({"session_id": session}).encode(), timeout=30)
        for session, process in zip(sessions, running, strict=True)
    ]
    assert answers == [(b'{"for": "%s"}' % session.encode(), b"") for session in sessions]
    assert [process.returncode for process in running] == [0] * 30


def test_thirty_troubles_at_once_are_thirty_whole_lines(hook: Hook):
    running = [
        subprocess.Popen([*hook.command, f"client-{n}", "prompt"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for n in range(30)
    ]
    assert [process.communicate(timeout=30)[1] for process in running] == [b""] * 30
    assert {json.loads(line)["harness"] for line in hook.read_troubles()} == {f"client-{n}" for n in range(30)}


# --- any payload at all

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
NAMES = st.sampled_from(["session_id", "cwd", "hook_event_name", "transcript_path", "prompt", "tool_input"]) | st.text()
PAYLOADS = st.binary(max_size=200) | st.dictionaries(
    NAMES, st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner), max_leaves=8)
).map(lambda value: json.dumps(value).encode("utf-8", "surrogatepass"))
WORDS = st.sampled_from([*EVENTS, "some-client", "..", "/", ""]) | st.text(max_size=20)


@given(st.lists(WORDS, max_size=3) | st.sampled_from(EVENTS).map(lambda event: ["some-client", event]), PAYLOADS)
def test_no_payload_and_no_argument_gets_an_answer_or_an_error_out_of_it(arguments, payload):
    with tempfile.TemporaryDirectory() as folder:
        reader, writer = os.pipe()
        with open(os.path.join(folder, "out"), "wb") as out:
            os.write(writer, payload)
            os.close(writer)
            answer(UserPaths(os.path.join(folder, "state"), ""), arguments, reader, out.fileno())
            os.close(reader)
        files = {os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names}
        assert os.path.getsize(os.path.join(folder, "out")) == 0
        assert files <= {"out", os.path.join("state", "logs", "hook-errors.jsonl")}


@given(st.text(st.characters() | st.sampled_from("./\\:-_ \x00"), max_size=140))
def test_a_safe_name_is_one_component_of_a_path_and_stays_in_its_folder(name):
    if is_safe_name(name):
        assert os.path.basename(name) == name
        assert os.path.normpath(os.path.join("/folder", name)) == "/folder/" + name
        assert not set(name) & set('/\\:*?"<>| \x00')


@pytest.mark.parametrize("name", ["..", ".", "a/b", "a\\b", "C:x", ".hidden", "a..b", "end.", "", "ä", "a" * 129, "-."])
def test_names_that_could_leave_their_folder_are_refused(name):
    assert not is_safe_name(name)


@pytest.mark.parametrize(
    "name", [SESSION, "ses_5f2a9c81", "019a8b7c-1234-7abc-8def-0123456789ab", "2026-11-16T01.22.33_abc"]
)
def test_ids_that_clients_use_are_taken(name):
    assert is_safe_id(name)


@pytest.mark.parametrize("name", ["con", "NUL", "com1", "lpt9"])
def test_device_names_of_windows_are_no_ids(name):
    assert not is_safe_id(name)
