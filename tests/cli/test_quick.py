"""The quick lane answers as click does, byte for byte, or not at all."""

import ast
import io
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from thruline.cli import door, quick
from thruline.cli.table import COMMANDS, QUICK
from thruline.layout import find_user_paths

SAMPLE = Path(__file__).parents[2] / "samples" / "orders-export" / "session.jsonl"
SESSION = "5e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34"
OTHER = "6e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34"
KEPT = "7e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34"
Outcome = tuple[int | None, bytes, bytes]


@pytest.fixture
def world(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sessions of this project, of another one and of another client, and one that is only in the ark."""
    here = tmp_path / "here"
    (here / "below").mkdir(parents=True)
    folder = home / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)
    text = SAMPLE.read_text()
    for number, (identity, cwd) in enumerate(((SESSION, str(here)), (OTHER, "/home/dev/caf\u00e9"), (KEPT, str(here)))):
        path = folder / f"{identity}.jsonl"
        path.write_text(text.replace("/home/dev/orders-export", cwd).replace("nightly", "nightly \u2192\\u0007"))
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    rollouts = home / ".codex" / "sessions" / "2026" / "11" / "15"
    rollouts.mkdir(parents=True)
    (rollouts / "rollout-2026-11-15T10-00-00-01a1e1a1-1b8c-7160-ad7b-4ca88adbe8a6.jsonl").write_text(
        '{"type":"session_meta","payload":{"id":"01a1e1a1-1b8c-7160-ad7b-4ca88adbe8a6","cwd":"/home/dev/app"}}\n'
    )
    monkeypatch.chdir(here)
    monkeypatch.setenv("THRULINE_ARK_ENABLED", "true")
    assert door.run(["archive", KEPT]) == 0
    monkeypatch.delenv("THRULINE_ARK_ENABLED")
    (folder / f"{KEPT}.jsonl").unlink()
    assert door.run(["sessions", "list", "--all"]) == 0
    now = time.time()
    monkeypatch.setattr("thruline.cli.sessions_list.time.time", lambda: now)
    return here


def run(lane: Callable[[list[str]], int | None], arguments: list[str]) -> Outcome:
    """Exit code and both streams of one lane."""
    before = sys.stdout, sys.stderr, os.getcwd()
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(
        err, encoding="utf-8", errors="backslashreplace", write_through=True
    )  # as Python's own
    try:
        code = lane(arguments)
        return code, out.getvalue(), err.getvalue()
    finally:
        sys.stdout, sys.stderr = before[:2]
        assert os.getcwd() == before[2]


LIST = ["sessions", "list"]
PLAIN = [
    LIST,
    [*LIST, "--all"],
    [*LIST, "--all", "--all"],
    [*LIST, "--json"],
    ["--json", *LIST],
    ["sessions", "--json", "list", "--all"],
    [*LIST, "--all", "--json", "--limit", "1"],
    [*LIST, "--all", "--limit", "0"],
    [*LIST, "--all", "--limit=2"],
    [*LIST, "--all", "--limit", "007"],
    [*LIST, "--limit", "2", "--limit", "1", "--all"],
    [*LIST, "--all", "--harness", "codex"],
    [*LIST, "--all", "--harness=claude-code"],
    [*LIST, "--harness", ""],
    [*LIST, "--harness="],
    [*LIST, "--harness", "nobody"],
    [*LIST, "--harness", "nobody", "--json"],
    [*LIST, "--harness", "caf\udce9\n\x1b[31m"],
    [*LIST, "--harness=a=b"],
    [*LIST, "--all", "--since", "1m"],
    [*LIST, "--all", "--since=5200w", "--json"],
    [*LIST, "--since", "soon"],
    [*LIST, "--since", "soon", "--json", "--limit", "3"],
    ["-C", "below", *LIST],
    ["-C", "below", "sessions", "-C", "..", "list", "-C", "below"],
    ["-C", "nowhere", "-C", "below", *LIST],
    [*LIST, "-C", "/", "-C", "below"],
    [*LIST, "-C", "/"],
    [*LIST, "-C", ""],
    [*LIST, "-C", "missing"],
    [*LIST, "-C", "missing", "--json"],
    ["-C", "missing", *LIST, "--harness", "nobody"],
]
PREPARE = ["handoff", "prepare"]
PLAIN += [
    [*PREPARE, SESSION, "--out", "out"],
    [*PREPARE, "--out=out", SESSION[:8], "--json"],
    [*PREPARE, "--out", "out", "--direct", "0", "--budget", "500", "latest"],
    [*PREPARE, SESSION, "--out", "out", "--direct", "1000000000"],
    ["-C", "below", "handoff", "-C", "..", "prepare", "--force", str(SAMPLE), "--out", "below/out"],
    [*PREPARE, SESSION],
    [*PREPARE, "no-such-session", "--out", "out"],
    [*PREPARE, "", "--out", "out", "--json"],
    [*PREPARE, "a=b", "--out", "out"],
]
BRIEF = ["handoff", "brief"]
PLAIN += [
    ["handoff"],
    ["handoff", ""],
    BRIEF,
    ["handoff", "current", "--session", SESSION],
    ["handoff", SESSION],
    [*BRIEF, SESSION[:8], "--budget=1000"],
    ["handoff", "--budget", "1000", "--fresh", SESSION],
    ["handoff", "--json", SESSION],
    ["--json", "handoff", SESSION, "--fresh"],
    ["-C", "below", "handoff", "-C", "..", str(SAMPLE), "--out", "below/brief.md"],
    ["handoff", "--json", "prepare", SESSION, "--out", "out"],
    ["handoff", "no-such-session"],
    ["handoff", "finish", "it"],
    ["handoff", SESSION, "--engine", "nobody"],
]


def test_a_plain_line_is_answered_as_click_answers_it(world: Path) -> None:
    for arguments in PLAIN:
        answer = run(quick.run_quick, arguments)
        assert answer[0] is not None, arguments
        assert answer == run(door.run, arguments), arguments


STRANGE = [
    [],
    ["--version"],
    ["sessions"],
    ["sessions", "show", SESSION],
    ["list"],
    ["sessions list"],
    ["--", *LIST],
    ["--all", *LIST],
    ["sessions", "--all", "list"],
    [*LIST, "--help"],
    [*LIST, "-h"],
    [*LIST, "--"],
    [*LIST, "more"],
    [*LIST, ""],
    [*LIST, "list"],
    [*LIST, "--al"],
    [*LIST, "--all=yes"],
    [*LIST, "--json=yes"],
    [*LIST, "--limit"],
    [*LIST, "--limit", "-1"],
    [*LIST, "--limit", "1_0"],
    [*LIST, "--limit", " 1"],
    [*LIST, "--limit", "\u0661"],
    [*LIST, "--limit="],
    [*LIST, "--limit", "9" * 5000],
    [*LIST, "--harness", "--json"],
    [*LIST, "--harness", "-x"],
    [*LIST, "--since"],
    [*LIST, "-C"],
    [*LIST, "-C", "-C"],
    [*LIST, "-Cbelow"],
]
STRANGE += [
    PREPARE,
    [*PREPARE, "--out", "out"],
    [*PREPARE, SESSION, "more", "--out", "out"],
    [*PREPARE, SESSION, "--out"],
    [*PREPARE, "--", SESSION, "--out", "out"],
    [*PREPARE, SESSION, "--out", "out", "--budget", "499"],
    [*PREPARE, SESSION, "--out", "out", "--direct", "-1"],
    ["handoff", "--help"],
    ["handoff", "prompt", "--help"],
    ["handoff", SESSION, "--budget", "1"],
    ["handoff", "finish the export"],
    ["handoff", "--", SESSION],
]


def test_any_other_line_is_left_to_click_with_nothing_done(world: Path) -> None:
    for arguments in STRANGE:
        assert run(quick.run_quick, arguments) == (None, b"", b""), arguments


WORDS = ["sessions", "list", "--all", "--json", "-C", "below", "..", "--limit", "1", "--limit=2", "-1", "--harness"]
WORDS += ["codex", "nobody", "--harness=codex", "--since", "7d", "--since=52w", "x", "--", "-", "", "-h", "=", "--help"]


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    before=st.lists(st.sampled_from(WORDS), max_size=2),
    between=st.lists(st.sampled_from(WORDS), max_size=2),
    after=st.lists(st.sampled_from(WORDS), max_size=5),
)
def test_whatever_the_line_it_is_answered_as_click_answers_it(
    world: Path, before: list[str], between: list[str], after: list[str]
) -> None:
    arguments = [*before, "sessions", *between, "list", *after]
    answer = run(quick.run_quick, arguments)
    if answer[0] is not None:
        assert answer == run(door.run, arguments)
    else:
        assert answer == (None, b"", b"")


@pytest.mark.parametrize("state", ["unknown key", "bad variable", "relative state", "ignored widening", "broken index"])
def test_trouble_around_a_command_is_told_as_click_tells_it(
    world: Path, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Path(find_user_paths().config_file)
    project = world / ".agent" / "context"
    for folder in (config.parent, project):
        folder.mkdir(parents=True)
    if state == "unknown key":
        config.write_text("[git]\ntimout = 4\n")
    elif state == "bad variable":
        monkeypatch.setenv("THRULINE_REDACT_ENTROPY", "garbage")
    elif state == "relative state":
        monkeypatch.setenv("THRULINE_HOME", "state")
    elif state == "ignored widening":
        (project / "root.json").write_text("{}")
        (project / "config.toml").write_text("[ark]\nenabled = true\n")
    else:
        index = Path(find_user_paths().index)
        index.unlink()
        index.mkdir()
    for arguments in (LIST, [*LIST, "--json"], ["-C", "below", *LIST]):
        answer = run(quick.run_quick, arguments)
        assert (answer[0] == 0) == (state in ("ignored widening", "broken index"))
        assert answer == run(door.run, arguments)


def test_what_a_shell_asks_for_completion_is_left_to_click(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_THRULINE_COMPLETE", "bash_complete")
    assert run(quick.run_quick, LIST) == (None, b"", b"")


# --- whole processes ----------------------------------------------------------------------------------------------

LANES = """
import sys
from thruline.cli import entry, quick, report
if sys.argv.pop(1) == "click":
    quick.run_quick = lambda arguments: None
"""
RAISED = [
    "KeyboardInterrupt()",
    "RuntimeError('the user said this')",
    "OSError(28, 'No space left on device')",
    "OSError(13, 'Permission denied', 'some/file')",
    "OSError(99, 'Strange')",
    "BrokenPipeError(32, 'Broken pipe')",
    "errors.Refused('This is not ours.', where='here', next='leave it')",
    "errors.DiskError('The disk said no.')",
    "SystemExit(3)",
]


def run_process(lane: str, code: str, *arguments: str, shell: str = "", **more: str) -> tuple[int, bytes, bytes]:
    command = [sys.executable, "-c", LANES + code + "\nsys.exit(entry.main())", lane, *arguments]
    if shell:
        command = ["sh", "-c", shell, "sh", *command]
    done = subprocess.run(command, capture_output=True, env={**os.environ, **more}, timeout=60)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("raised", RAISED)
def test_what_goes_wrong_inside_ends_both_lanes_alike(world: Path, raised: str) -> None:
    code = (
        "from thruline import errors\nfrom thruline.cli import sessions_list\n"
        "report.write_report = lambda error, verb: f'report of {verb}'\n"
        f"def fail(**_): raise {raised}\nsessions_list.list_sessions = fail"
    )
    for more in ([], ["--json"]):
        assert run_process("quick", code, *LIST, *more) == run_process("click", code, *LIST, *more)


@pytest.mark.parametrize(
    ("shell", "more"),
    [
        ('"$@" >&-', {}),
        ('"$@" 2>&-', {}),
        ('"$@" >/dev/full', {}),
        ('"$@" | head -c 1', {}),
        ("", {"PYTHONIOENCODING": "ascii"}),
        ("", {"PYTHONIOENCODING": "latin-1"}),
        ("", {"NO_COLOR": "", "FORCE_COLOR": "1"}),
        ('mkdir gone && cd gone && rmdir ../gone && "$@"', {}),
    ],
    ids=str,
)
def test_streams_and_places_trouble_both_lanes_alike(world: Path, shell: str, more: dict[str, str]) -> None:
    code = "from thruline.cli import sessions_list\nsessions_list.render_age = lambda seconds: 'old'"
    for arguments in ([*LIST, "--all"], [*LIST, "--all", "--json"], [*LIST, "--harness", "caf\u00e9"]):
        answers = [run_process(lane, code, *arguments, shell=shell, **more) for lane in ("quick", "click")]
        assert answers[0] == answers[1]


def test_an_interrupt_while_sessions_are_read_ends_with_130_and_says_so(world: Path) -> None:
    code = (
        "import os, signal, time\nfrom thruline.cli import sessions_list\n"
        "def wait(**_): os.kill(os.getpid(), signal.SIGINT); time.sleep(60)\nsessions_list.list_sessions = wait"
    )
    for lane in ("quick", "click"):
        assert run_process(lane, code, *LIST) == (130, b"", b"\nInterrupted.\n"), signal.SIGINT


# --- what it is for -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", QUICK)
def test_every_quick_command_is_one_that_click_knows(path: str) -> None:
    assert path.split()[0] in COMMANDS
    group = door.main_command
    for word in path.split():
        found = group.get_command(None, word)  # type: ignore[arg-type]
        assert found is not None
        group = found  # type: ignore[assignment]


def test_a_spine_is_written_without_what_only_click_and_dataclasses_need(world: Path) -> None:
    shutil.rmtree(find_user_paths().ark)
    code = "before = set(sys.modules)\nimport atexit\n"
    code += "atexit.register(lambda: print(sorted(set(sys.modules) - before), file=sys.stderr))"
    answer = run_process("quick", code, *PREPARE, str(SAMPLE), "--out", "out")
    assert answer[0] == 0
    assert (world / "out" / "spine.txt").stat().st_size > 0
    added = ast.literal_eval(answer[2].decode())
    assert {"click", "collections", "dataclasses", "msgspec", "typing", "inspect"} & set(added) == set()
    assert [name for name in added if name.startswith(("thruline.engines", "thruline.brief", "thruline.ark"))] == []


def test_a_list_of_known_sessions_imports_nothing_dear(world: Path) -> None:
    shutil.rmtree(find_user_paths().ark)
    code = "before = set(sys.modules)\nimport atexit\n"
    code += "atexit.register(lambda: print(sorted(set(sys.modules) - before), file=sys.stderr))"
    run_process("quick", code, *LIST, "--all")
    answer = run_process("quick", code, *LIST, "--all")
    assert SESSION[:8].encode() in answer[1]
    added = ast.literal_eval(answer[2].decode())
    dear = {"click", "dataclasses", "json", "msgspec", "re", "typing", "importlib", "enum", "inspect", "tomllib"}
    assert dear & set(added) == set()
    assert [name for name in added if "reader" in name or name.startswith("thruline.ark")] == []
