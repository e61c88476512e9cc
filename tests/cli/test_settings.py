"""A config that is wrong stops every command, but not those that help to mend it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.redact.planting import fill
from thruline.cli import settings
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


# --- files that were in order -------------------------------------------------------------------------------------


@pytest.fixture
def rested(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if every file had been written a while ago; the system sets the time of a change by itself."""
    monkeypatch.setattr(settings, "_RESTED", -1.0)


def refuse(*_: object) -> None:
    raise AssertionError("the files were read again")


@pytest.mark.usefixtures("rested")
def test_files_that_were_in_order_are_read_again_only_after_a_change(
    project: Path, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = project / ".agent" / "context" / "config.toml"
    config.write_text("[git]\ntimeout_seconds = 3\n")
    own.write_text("[git]\ntimeout_seconds = 2\n")
    assert run(["context", "show"]) == 0
    for file in (config, own):
        with monkeypatch.context() as patch:
            patch.setattr("thruline.config.load_config", refuse)
            assert run(["sessions", "list"]) == 0
        # The same length, and the time of the last write put back: the system still knows that something happened.
        text, times = file.read_text(), (file.stat().st_atime_ns, file.stat().st_mtime_ns)
        file.write_text(text.replace("timeout_seconds", "timeout_secondz"))
        os.utime(file, ns=times)
        assert run(["sessions", "list"]) == 1
        file.write_text(text)
        assert run(["sessions", "list"]) == 0


@pytest.mark.usefixtures("rested")
def test_what_is_wrong_is_told_every_time_and_one_project_says_nothing_of_another(
    project: Path, config: Path, tmp_path: Path
) -> None:
    config.write_text("[git]\ntimeout_seconds = 3\n")
    assert run(["context", "show"]) == 0
    (project / ".agent" / "context" / "config.toml").write_text("[git]\ntimout = 3\n")
    for _ in range(2):
        assert run(["context", "show"]) == 1
        assert run(["-C", str(tmp_path), "context", "show"]) == 0


@pytest.mark.usefixtures("rested")
def test_a_variable_is_checked_whatever_the_files_said(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text("[git]\ntimeout_seconds = 3\n")
    assert run(["context", "show"]) == 0
    monkeypatch.setenv("THRULINE_GIT_TIMEOUT_SECONDS", "garbage")
    assert run(["context", "show"]) == 1


def test_a_file_that_was_written_just_now_is_not_remembered(config: Path) -> None:
    config.write_text("[git]\ntimeout_seconds = 3\n")
    assert run(["context", "show"]) == 0
    assert not Path(find_user_paths().checked_settings).exists()


@pytest.mark.usefixtures("rested")
def test_a_link_that_leads_nowhere_is_not_taken_for_a_file_that_was_in_order(config: Path) -> None:
    target = config.with_name("real.toml")
    target.write_text("[git]\ntimeout_seconds = 3\n")
    config.symlink_to(target)
    assert run(["context", "show"]) == 0
    target.unlink()
    assert run(["context", "show"]) == 1
