"""A config that is wrong stops every command, but not those that help to mend it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.redact.planting import fill
from thruline.cli.door import run
from thruline.layout import find_user_paths

RANDOM = fill("{alnum:40}", 11)


@pytest.fixture
def config() -> Path:
    """The user's config file, in a folder that is there."""
    file = Path(find_user_paths().config_file)
    file.parent.mkdir(parents=True)
    return file


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a marker and a file to scrub, as the working folder."""
    root = tmp_path / "project"
    (root / ".agent" / "context").mkdir(parents=True)
    (root / ".agent" / "context" / "root.json").write_text("{}")
    (root / "note.md").write_text(f"token={RANDOM}\n")
    monkeypatch.chdir(root)
    return root


STOPPED = [
    ["sessions", "list"],
    ["scrub", "--check", "note.md"],
    ["context", "init"],
    ["context", "show"],
    ["archive", "--all"],
    ["handoff", "prepare", "latest", "--out", "out"],
]


@pytest.mark.parametrize("line", STOPPED)
def test_an_unknown_key_stops_a_command_with_file_and_line(
    line: list[str], config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config.write_text("[git]\ntimeout_seconds = 3\ntimout = 4\n")
    assert run(line) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f'There is no setting "git.timout".\n  where  {config}:3\n  try ')


def test_a_projects_file_is_checked_where_the_command_works(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = project / ".agent" / "context" / "config.toml"
    file.write_text("[git]\ntimeout_seconds = 'x'\n")
    monkeypatch.chdir(tmp_path)
    assert run(["context", "show"]) == 0
    for line in (["-C", "project", "context", "show"], ["context", "show", "-C", "project"]):
        assert run(line) == 1
        assert f"{file}:2" in capsys.readouterr().err


def test_what_a_project_may_not_widen_stops_nothing(project: Path) -> None:
    (project / ".agent" / "context" / "config.toml").write_text("[ark]\nenabled = true\n")
    assert run(["context", "show"]) == 0


def test_a_variable_that_cannot_be_read_stops_a_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THRULINE_REDACT_ENTROPY", "garbage")
    assert run(["scrub", "--check", "note.md", "--json"]) == 1
    error = json.loads(capsys.readouterr().out)["error"]
    assert (error["kind"], error["where"]) == ("ConfigError", "THRULINE_REDACT_ENTROPY")


@pytest.mark.parametrize(
    "line",
    [
        ["config", "list"],
        ["config", "get", "git.timeout_seconds"],
        ["config", "path"],
        ["completion", "bash"],
        ["--version"],
        ["--help"],
        ["sessions", "list", "--help"],
    ],
)
def test_what_helps_to_mend_it_still_runs(line: list[str], config: Path) -> None:
    config.write_text("[git\n")
    assert run(line) == 0


def test_the_doctor_still_runs_and_finds_it(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text("[git\n")
    assert run(["doctor"]) == 1
    assert f"broken  config     {config}:1" in capsys.readouterr().out


def test_scrub_obeys_the_setting(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scrub", "--check", "note.md"]) == 1
    config.write_text("[redact]\nentropy = false\n")
    assert run(["scrub", "--check", "note.md"]) == 0


def test_without_a_config_no_toml_is_loaded() -> None:
    code = (
        "import sys; from thruline.cli.door import run; run(['sessions', 'list']);"
        "sys.stderr.write(repr([name for name in ('tomllib', 'thruline.config.load') if name in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr == "[]"
