"""The quick lane answers as click does, byte for byte, or not at all."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cli.quick.lanes import BRIEF, LIST, PREPARE, run
from tests.sample import SAMPLE, SESSION
from thruline.cli import door, quick
from thruline.layout import find_user_paths

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
