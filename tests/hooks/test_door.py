"""Whatever a client sends, the door answers or stays silent; it exits 0 and says nothing else."""

import json
import os
import random
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hooks.conftest import HARNESS, SESSION, WIRED, Hook
from thruline.hooks.door import answer
from thruline.hooks.handlers import HANDLERS
from thruline.layout import UserPaths, is_safe_id, is_safe_name
from thruline.operations.hook_entry import STUB

READY = "Yesterday you were told no."
PAYLOAD = json.dumps({"session_id": SESSION, "cwd": "/tmp", "source": "startup"}).encode()
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


@pytest.mark.parametrize("harness", WIRED)
@pytest.mark.parametrize("event", EVENTS)
def test_an_event_with_nothing_ready_is_spooled_and_answered_with_silence(hook: Hook, harness: str, event: str):
    done = hook.run(harness, event, payload=hook.build(tool_name="Edit", tool_input={"file_path": "a.py"}))
    assert silent(done)
    assert hook.read_troubles() == []
    if "tool" not in event:
        [line] = hook.read_spool()
        assert (line["event"], line["harness"], line["session"]) == (event, harness, SESSION)


def test_it_answers_while_the_client_keeps_the_pipe_open(hook: Hook):
    hook.write_ready(hook.here.build_resume(HARNESS), READY)
    with subprocess.Popen(
        [*hook.command, HARNESS, "session_start"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        process.stdin.write(hook.build())
        process.stdin.flush()
        assert process.wait(4) == 0  # before its patience ends
        assert process.stdout is not None
        assert READY in process.stdout.read().decode()


def test_a_client_that_never_sends_is_left_after_a_while(hook: Hook):
    stub = Path(hook.paths.hook_entry)
    stub.write_text(stub.read_text().replace("    main(", "    main.__globals__['PATIENCE'] = 0.3\n    main("))
    reader, writer = os.pipe()
    try:
        done = hook.run(HARNESS, "prompt", stdin=reader)
    finally:
        os.close(reader)
        os.close(writer)
    assert silent(done)
    assert "no end within 0.3 s" in hook.read_troubles()[0]


def test_a_hook_that_its_session_waits_for_is_noted_and_still_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source, target = os.pipe(), os.pipe()
    os.write(source[1], json.dumps({"session_id": SESSION, "cwd": str(tmp_path), "source": "startup"}).encode())
    slow = iter([0.0, 1.26])
    monkeypatch.setattr("thruline.hooks.door.time", SimpleNamespace(monotonic=lambda: next(slow)))
    paths = UserPaths(str(tmp_path / "state"), "")
    answer(paths, [HARNESS, "session_start"], source[0], target[1])
    (line,) = Path(paths.slow_hooks).read_text().splitlines()
    row = json.loads(line)
    assert (row["harness"], row["event"], row["seconds"]) == (HARNESS, "session_start", 1.3)
    assert not os.path.exists(paths.hook_errors)


def test_megabytes_of_tool_output_are_no_trouble_and_stay_out_of_the_spool(hook: Hook):
    payload = hook.build(
        tool_name="Read", tool_input={"file_path": "/a"}, tool_response='a "{quoted}" \\ line\n' * 400_000
    )
    assert len(payload) > 8_000_000
    assert silent(hook.run(HARNESS, "tool_done", payload=payload))
    assert hook.read_troubles() == []
    assert len(json.dumps(hook.read_spool())) < 1000


# --- the switch, and no litter


@pytest.mark.parametrize(("value", "off"), [("1", True), ("yes", True), ("0", False), ("", False)])
def test_thruline_off_silences_it(hook: Hook, value: str, off: bool):
    hook.write_ready(hook.here.build_start(HARNESS), READY)
    done = hook.run(HARNESS, "session_start", payload=hook.build(), env={**os.environ, "THRULINE_OFF": value})
    assert (done.returncode, READY.encode() in done.stdout, bool(hook.read_spool())) == (0, not off, not off)


@pytest.mark.parametrize("event", EVENTS)
def test_both_switches_silence_every_event_to_the_last_byte(hook: Hook, event: str):
    hook.write_ready(hook.here.build_start(HARNESS), READY)
    for switch in (hook.paths.off, hook.here.off):
        Path(switch).touch()
        before = hook.find_files()
        assert silent(hook.run(HARNESS, event, payload=hook.build(tool_name="Edit", tool_input={"file_path": "a"})))
        assert hook.find_files() == before
        Path(switch).unlink()
    assert hook.find_starts() == []


def test_a_project_that_is_off_leaves_its_neighbours_on(hook: Hook, tmp_path: Path):
    Path(hook.here.ready).mkdir(parents=True)
    Path(hook.here.off).touch()
    neighbour = Hook(hook.state, tmp_path / "neighbour")
    neighbour.project.mkdir()
    assert silent(neighbour.run(HARNESS, "prompt", payload=neighbour.build()))
    assert [event["event"] for event in neighbour.read_spool()] == ["prompt"]


def test_thruline_off_leaves_no_trace_of_trouble_either(hook: Hook):
    assert silent(hook.run(HARNESS, "nonsense", payload=b"{", env={**os.environ, "THRULINE_OFF": "1"}))
    assert hook.read_troubles() == []


@pytest.mark.parametrize("event", EVENTS)
def test_a_project_without_a_marker_gets_not_one_byte(hook: Hook, event: str):
    (hook.project / ".git").mkdir()
    (hook.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    hook.run(HARNESS, event, payload=hook.build(), cwd=hook.project)
    hook.run(HARNESS, event, payload=b"garbage", cwd=hook.project)
    assert sorted(path.name for path in hook.project.rglob("*")) == [".git", "HEAD"]


def test_a_ready_text_inside_a_repository_is_not_read(hook: Hook):
    inside = Hook(hook.project / ".agent" / "context", hook.project)
    for paths in (inside.here, Hook(hook.project, hook.project).here):
        for path in (paths.build_start(HARNESS), paths.build_resume(HARNESS)):
            inside.write_ready(path, READY)
    (hook.project / ".agent/context/root.json").write_text("{}")
    assert silent(hook.run(HARNESS, "session_start", payload=hook.build(), cwd=hook.project))


@pytest.mark.parametrize("absolute", [True, False])
def test_the_stubs_own_state_is_used_whatever_thruline_home_says(hook: Hook, tmp_path: Path, absolute: bool):
    other = Hook(tmp_path / "other", hook.project)
    other.write_ready(other.here.build_start(HARNESS), "From elsewhere.")
    hook.write_ready(hook.here.build_start(HARNESS), READY)
    env = {**os.environ, "THRULINE_HOME": str(other.state) if absolute else "here"}
    done = hook.run(HARNESS, "session_start", payload=hook.build(), env=env, cwd=hook.project)
    assert READY.encode() in done.stdout
    assert silent(hook.run(HARNESS, "prompt", payload=b"garbage", env=env, cwd=hook.project))
    assert len(hook.read_troubles()) == 1
    assert other.read_troubles() == other.read_spool() == []
    assert os.listdir(hook.project) == []


# --- exit 0, always


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        [HARNESS],
        [HARNESS, "prompt", "more"],
        [HARNESS, "Stop"],
        ["../x", "prompt"],
        ["", ""],
        ["unknown-client", "prompt"],
        ["registry", "prompt"],
        [HARNESS + ".reader", "prompt"],
    ],
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
    assert silent(hook.run(HARNESS, "session_start", payload=payload))
    assert len(hook.read_troubles()) == 1


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_forgiven(hook: Hook, closed: str):
    ready = hook.write_ready(hook.here.build_start(HARNESS), READY)
    before = ready.read_bytes()
    script = f'"$@" {closed}'
    command = ["sh", "-c", script, "sh", *hook.command, HARNESS, "session_start"]
    done = subprocess.run(command, input=hook.build(), capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"" or READY in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    assert ready.read_bytes() == before  # nothing was written into what a closed stream's number now is


def test_a_reader_that_went_away_is_forgiven_and_the_event_is_still_spooled(hook: Hook):
    hook.write_ready(hook.here.build_start(HARNESS), READY)
    reader, writer = os.pipe()
    os.close(reader)
    command = [*hook.command, HARNESS, "session_start"]
    done = subprocess.run(command, input=hook.build(), stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")
    assert [event.get("told") for event in hook.read_spool()] == [None]
    assert hook.read_told() == []


def test_a_full_disk_is_forgiven(hook: Hook):
    os.makedirs(hook.paths.logs)
    os.symlink("/dev/full", hook.paths.hook_errors)
    assert silent(hook.run(HARNESS, "prompt", payload=b"garbage"))


@pytest.mark.parametrize("event", EVENTS)
def test_a_disk_that_takes_not_one_byte_more_is_forgiven_and_nothing_is_torn(hook: Hook, event: str):
    hook.write_ready(hook.here.build_start(HARNESS), READY)
    script = 'ulimit -f 0; trap "" XFSZ; "$@"'
    command = ["sh", "-c", script, "sh", *hook.command, HARNESS, event]
    payload = hook.build(tool_name="Edit", tool_input={"file_path": "a"})
    done = subprocess.run(command, input=payload, capture_output=True, timeout=20)
    assert (done.returncode, done.stderr) == (0, b"")
    assert READY.encode() in done.stdout if event == "session_start" else done.stdout == b""
    assert hook.read_spool() == []
    assert not os.path.exists(hook.here.spool) or os.listdir(hook.here.spool) == []


@pytest.mark.parametrize("event", EVENTS)
def test_a_state_that_cannot_be_written_is_forgiven(hook: Hook, event: str):
    for folder in (hook.paths.logs, hook.paths.spool, os.path.dirname(hook.here.injected)):
        Path(folder).write_text("a file where the folder should be")
    hook.write_ready(hook.here.build_start(HARNESS), READY)
    done = hook.run(HARNESS, event, payload=hook.build(tool_name="Edit", tool_input={"file_path": "a"}))
    assert (done.returncode, done.stderr) == (0, b"")
    assert READY.encode() in done.stdout if event == "session_start" else done.stdout == b""


def test_a_ready_text_that_cannot_be_read_is_forgiven(hook: Hook):
    os.makedirs(hook.here.build_start(HARNESS))
    assert silent(hook.run(HARNESS, "session_start", payload=hook.build()))
    assert len(hook.read_troubles()) == 1
    assert len(hook.read_spool()) == 1


@pytest.mark.feature("F002-06", via="unit")
def test_no_home_and_no_environment_is_forgiven(hook: Hook):
    hook.write_ready(hook.here.build_start(HARNESS), READY)
    assert READY.encode() in hook.run(HARNESS, "session_start", payload=hook.build(), env={}).stdout
    assert silent(hook.run(HARNESS, "prompt", payload=b"garbage", env={}))
    assert len(hook.read_troubles()) == 1


@pytest.mark.skipif(os.name == "nt", reason="modes mean nothing there")
def test_a_project_that_is_read_only_or_gone_or_no_folder_is_forgiven(hook: Hook, tmp_path: Path):
    hook.project.chmod(0o500)
    file = tmp_path / "file"
    file.write_text("")
    for cwd in (str(hook.project), "/no/such/folder", str(file), "relative", "", "/" + "x" * 5000, "a\0b"):
        assert silent(hook.run(HARNESS, "prompt", payload=hook.build(cwd=cwd)))
    assert len(hook.read_spool()) == 1


def test_a_working_folder_that_is_gone_is_forgiven(hook: Hook, tmp_path: Path):
    gone = tmp_path / "gone"
    script = 'mkdir -p "$0" && cd "$0" && rmdir "$0" && "$@"'
    command = ["sh", "-c", script, str(gone), *hook.command, HARNESS, "prompt"]
    for cwd in (str(gone), ""):
        assert silent(subprocess.run(command, input=hook.build(cwd=cwd), capture_output=True))


@pytest.mark.parametrize("package", ["missing", "broken", "interrupted"])
def test_a_package_that_is_gone_or_broken_is_forgiven(hook: Hook, tmp_path: Path, package: str):
    folder = tmp_path / "site"
    door = folder / "thruline" / "hooks" / "door.py"
    door.parent.mkdir(parents=True)
    if package != "missing":
        door.write_text("this is (no python" if package == "broken" else "raise KeyboardInterrupt")
    Path(hook.paths.hook_entry).write_text(
        STUB.format(version="9", folder=str(folder), state=str(hook.state), python="", hot="/no/such/file", stamp=0)
    )
    assert silent(hook.run(HARNESS, "session_start", payload=PAYLOAD))


def test_thirty_hooks_at_once_each_get_their_own_answer_and_lose_nothing(hook: Hook):
    sessions = [f"session-{n:04d}" for n in range(30)]
    running = []
    for session in sessions:
        hook.write_ready(hook.here.build_late(HARNESS, session), f"For {session}.", kind="late")
        process = subprocess.Popen(
            [*hook.command, HARNESS, "prompt"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        running.append(process)
    answers = [
        process.communicate(hook.build(session), timeout=60) for session, process in zip(sessions, running, strict=True)
    ]
    for session, (said, error) in zip(sessions, answers, strict=True):
        assert json.loads(said)["hookSpecificOutput"]["additionalContext"] == f"For {session}."
        assert error == b""
    assert [process.returncode for process in running] == [0] * 30
    assert {event["session"] for event in hook.read_spool()} == set(sessions)
    assert {line["session"] for line in hook.read_told()} == set(sessions)  # thirty whole lines


def test_one_text_is_told_to_one_of_thirty_who_ask_at_once(hook: Hook):
    hook.write_ready(hook.here.build_resume(HARNESS), READY)
    command = [*hook.command, HARNESS, "session_start"]
    running = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(30)]
    answers = [process.communicate(hook.build(f"session-{n:04d}"), timeout=60)[0] for n, process in enumerate(running)]
    assert len([said for said in answers if READY.encode() in said]) == 1
    assert len(hook.read_told()) == 1
    assert len(hook.read_spool()) == 30


def test_thirty_troubles_at_once_are_thirty_whole_lines(hook: Hook):
    running = [
        subprocess.Popen([*hook.command, f"client{n}", "prompt"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for n in range(30)
    ]
    assert [process.communicate(timeout=30)[1] for process in running] == [b""] * 30
    assert {json.loads(line)["harness"] for line in hook.read_troubles()} == {f"client{n}" for n in range(30)}


# --- any payload at all

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
KEYS = [
    *("session_id", "cwd", "transcript_path", "source", "reason", "trigger", "model", "prompt"),
    *("tool_name", "tool_input", "tool_response", "file_path", "command", "agent_id", "agent_type"),
    *("last_assistant_message", "compact_summary", "stop_hook_active", "hook_event_name"),
]
NAMES = st.sampled_from(KEYS) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner), max_leaves=8)
LIKELY = st.fixed_dictionaries(
    {"session_id": st.just(SESSION) | SCALARS},
    optional={"tool_name": st.sampled_from(["Edit", "Read", "apply_patch"]), "source": st.just("startup")},
)
PAYLOADS = st.binary(max_size=200) | st.builds(
    lambda some, more: json.dumps({**more, **some}).encode("utf-8", "surrogatepass"),
    LIKELY,
    st.dictionaries(NAMES, VALUES, max_size=8),
)
WORDS = st.sampled_from([*EVENTS, *WIRED, "..", "/", ""]) | st.text(max_size=20)
ARGUMENTS = st.lists(WORDS, max_size=3) | st.tuples(st.sampled_from(WIRED), st.sampled_from(EVENTS)).map(list)


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzzed")


def knock(folder: Path, arguments: list[str], payload: bytes) -> None:
    """Opens the door in this very process; what it says is added to the folder's `out`."""
    reader, writer = os.pipe()
    os.write(writer, payload)
    os.close(writer)
    with open(folder / "out", "ab") as out:
        answer(UserPaths(str(folder / "state"), ""), arguments, reader, out.fileno())
    os.close(reader)


def check_silent(folder: Path) -> None:
    """Nothing but whole events and the log was written, and nothing was said."""
    assert os.path.getsize(folder / "out") == 0
    for at, _, names in os.walk(folder / "state"):
        for name in names:
            if name.endswith(".json"):
                assert json.loads((Path(at) / name).read_bytes())["event"] in EVENTS
                os.unlink(os.path.join(at, name))
            else:
                assert name in ("hook-errors.jsonl", "hook-errors.jsonl.1")


@given(ARGUMENTS, PAYLOADS)
def test_no_payload_and_no_argument_gets_an_answer_or_an_error_out_of_it(fuzzed, arguments, payload):
    knock(fuzzed, arguments, payload)
    check_silent(fuzzed)


def test_ten_thousand_damaged_payloads_get_neither_an_answer_nor_an_error_out_of_it(fuzzed, hook: Hook):
    chance = random.Random(7)
    whole = [
        hook.build(tool_name="Edit", tool_input={"file_path": "a.py"}, tool_response={"type": "create"}),
        hook.build(tool_name="apply_patch", tool_input={"command": "*** Add File: a\n*** Move to: b"}),
        hook.build(last_assistant_message="Done \ud83d \u2028.", stop_hook_active=False, compact_summary="S" * 300),
        hook.build(transcript_path=f"/x/{SESSION}.jsonl", reason="other", trigger="auto", model={"id": 1}),
    ]
    scraps = [b"{", b"}", b"[", b'"', b"\\", b"null", b"1e999", b"\xff", b"\x00", b"\\ud800", b":", b",", b"../", b"-1"]
    for number in range(10_000):
        payload = bytearray(chance.choice(whole))
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(len(payload))
            cut = at + chance.choice((0, 0, 1, 2, 30))
            payload[at:cut] = chance.choice((b"", chance.choice(scraps), chance.randbytes(3)))
        knock(fuzzed, [WIRED[number // len(EVENTS) % len(WIRED)], EVENTS[number % len(EVENTS)]], bytes(payload))
    check_silent(fuzzed)


@given(st.text(st.characters() | st.sampled_from("./\\:-_ \x00"), max_size=140))
def test_a_safe_name_is_one_component_of_a_path_and_stays_in_its_folder(name):
    if is_safe_name(name):
        assert os.path.basename(name) == name
        assert os.path.normpath(os.path.join("/folder", name)) == "/folder/" + name
        assert not set(name) & set('/\\:*?"<>| \x00')


@pytest.mark.parametrize(
    "name", ["..", ".", "a/b", "a\\b", "C:x", ".hidden", "a..b", "end.", "", "ä", "a" * 129, "-.", "-rf", "--help"]
)
def test_names_that_could_leave_their_folder_or_are_flags_are_refused(name):
    assert not is_safe_name(name)


@pytest.mark.parametrize(
    "name", [SESSION, "ses_5f2a9c81", "019a8b7c-1234-7abc-8def-0123456789ab", "2026-11-16T01.22.33_abc"]
)
def test_ids_that_clients_use_are_taken(name):
    assert is_safe_id(name)


@pytest.mark.parametrize("name", ["con", "NUL", "com1", "lpt9"])
def test_device_names_of_windows_are_no_ids(name):
    assert not is_safe_id(name)
