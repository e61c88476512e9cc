"""Errors become messages and exit codes here, and nowhere else."""

import json
import os
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from thruline import errors
from thruline.cli import door, entry, report
from thruline.cli.command import command, command_group
from thruline.cli.table import COMMANDS
from thruline.errors import ThrulineError

SECRET = "the user's own words"


@pytest.fixture
def declare(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Puts a command named `sample`, and one named `group sample`, into the table."""

    def add(action: Callable[[], object]) -> None:
        def sample(as_json: bool) -> object:
            return action()

        def sample_below(as_json: bool) -> object:
            return action()

        group = command_group("group", help="Hold a sample.", example="thruline group sample")
        command("sample", help="Do it.", example="thruline group sample", group=group)(sample_below)
        for name, made in (
            ("sample", command("sample", help="Do it.", example="thruline sample")(sample)),
            ("group", group),
        ):
            module = types.ModuleType(f"sample_{name}")
            module.command = made  # type: ignore[attr-defined]
            monkeypatch.setitem(sys.modules, module.__name__, module)
            monkeypatch.setitem(COMMANDS, name, (module.__name__, "Do it."))

    return add


def fail(error: BaseException) -> Callable[[], None]:
    def action() -> None:
        raise error

    return action


# --- exit codes ---------------------------------------------------------------------------------------------------


def test_what_went_well_exits_with_0(declare: Callable[..., None]) -> None:
    declare(lambda: None)
    assert door.run(["sample"]) == 0


def test_a_command_may_answer_with_its_own_exit_code(declare: Callable[..., None]) -> None:
    declare(lambda: 1)
    assert door.run(["sample"]) == 1


@pytest.mark.feature("F002-46", via="cli")
@pytest.mark.parametrize(
    "kind", [errors.NotFound, errors.Refused, errors.FormatError, errors.Conflict, errors.MissingExtra]
)
def test_an_expected_failure_exits_with_1_and_says_its_three_parts(
    declare: Callable[..., None], capsys: pytest.CaptureFixture[str], kind: type[ThrulineError]
) -> None:
    place = {"path" if kind is errors.FormatError else "where": "under the stone"}
    declare(fail(kind("It is not there.", **place, next="look elsewhere")))
    assert door.run(["sample"]) == 1
    said = capsys.readouterr()
    assert said.err == "It is not there.\n  where  under the stone\n  try    look elsewhere\n"
    assert said.out == ""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["no-such-verb"], "No such command 'no-such-verb'"),
        (["--no-such-option"], "No such option"),
        (["sample", "--no-such-option"], "No such option"),
        (["sample", "extra"], "unexpected extra argument"),
        (["-C", "no/such/folder", "sample"], "Cannot work in no/such/folder: No such file or directory."),
    ],
)
def test_wrong_usage_exits_with_2_and_names_the_help(
    declare: Callable[..., None], capsys: pytest.CaptureFixture[str], line: list[str], said: str
) -> None:
    declare(lambda: None)
    assert door.run(line) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "  try    " in error


def test_no_arguments_show_the_help_and_exit_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert door.run([]) == 2
    assert "Usage: thruline" in capsys.readouterr().err


def test_a_bug_exits_with_3_says_one_line_and_leaves_a_report(
    declare: Callable[..., None], capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    declare(fail(ZeroDivisionError(SECRET)))
    assert door.run(["sample"]) == 3
    said = capsys.readouterr().err
    assert said.startswith("This is a bug in thruline (ZeroDivisionError).")
    assert said.count("\n") == 1
    [written] = home.rglob("bug-*.txt")
    assert str(written) in said


def test_an_interrupt_exits_with_130(declare: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    declare(fail(KeyboardInterrupt()))
    assert door.run(["sample"]) == 130
    assert capsys.readouterr().err == "\nInterrupted.\n"  # the first line end is the one after ^C


def test_a_question_without_an_answer_counts_as_interrupted(declare: Callable[..., None]) -> None:
    declare(fail(click.Abort()))
    assert door.run(["sample"]) == 130


SCRIPT = """
import os, signal, sys, time, types
from thruline.cli.command import command
from thruline.cli.table import COMMANDS
from thruline.errors import NotFound
def sample(as_json):
    {body}
module = types.ModuleType("sample")
module.command = command("sample", help="Do it.", example="thruline sample")(sample)
sys.modules["sample"] = module
COMMANDS["sample"] = ("sample", "Do it.")
from thruline.cli.entry import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("pass", 0),
        ("raise NotFound('gone')", 1),
        ("raise ValueError('x')", 3),
        ("os.kill(os.getpid(), signal.SIGINT); time.sleep(9)", 130),
    ],
)
def test_a_process_ends_with_the_code_of_the_door(body: str, code: int) -> None:
    command = [sys.executable, "-c", SCRIPT.format(body=body), "sample"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_a_reader_that_went_away_is_no_trouble() -> None:
    body = "import click; [click.echo('x' * 1000) for _ in range(1000)]"
    line = f'{sys.executable} -c "$SCRIPT" sample | head -c 1; test ${{PIPESTATUS[0]}} = 0'
    done = subprocess.run(
        ["bash", "-c", line], env={**os.environ, "SCRIPT": SCRIPT.format(body=body)}, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "x", "")


# --- the report ---------------------------------------------------------------------------------------------------


def test_a_report_holds_versions_and_places_and_no_word_of_the_user(
    declare: Callable[..., None], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def action() -> None:
        try:
            raise KeyError(SECRET)
        except KeyError as error:
            raise RuntimeError(SECRET) from error

    declare(action)
    assert door.run(["-C", str(home), "sample"]) == 3
    [written] = home.rglob("bug-*.txt")
    text = written.read_text()
    assert text.startswith("thruline ")
    assert "command sample\n" in text
    assert "builtins.RuntimeError\n" in text
    assert "builtins.KeyError\n" in text
    assert "thruline/cli/door.py:" in text
    for word in (SECRET, str(home), str(Path(door.__file__).parents[3]), os.path.expanduser("~")):
        assert word not in text
    assert written.stat().st_mode & 0o077 == 0


def test_a_report_that_cannot_be_written_is_printed(
    declare: Callable[..., None], home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "file").write_text("")
    monkeypatch.setenv("THRULINE_HOME", str(home / "file"))
    declare(fail(ValueError(SECRET)))
    assert door.run(["sample"]) == 3
    said = capsys.readouterr().err
    assert "builtins.ValueError" in said
    assert said.endswith("Please report it with the text above\n")
    assert SECRET not in said


def test_a_chain_of_causes_that_is_a_ring_is_told_once() -> None:
    one, two = ValueError(), KeyError()
    one.__cause__, two.__cause__ = two, one
    assert report.render_report(one, "").count("builtins.") == 2


# --- JSON ---------------------------------------------------------------------------------------------------------


@pytest.mark.feature("F002-45", via="cli")
@pytest.mark.parametrize("line", [["sample", "--json"], ["group", "sample", "--json"]])
def test_with_json_an_error_is_a_document_on_stdout(
    declare: Callable[..., None], capsys: pytest.CaptureFixture[str], line: list[str]
) -> None:
    declare(fail(errors.NotFound("Gone.", where="here", next="there")))
    assert door.run(line) == 1
    said = capsys.readouterr()
    assert json.loads(said.out) == {
        "error": {"kind": "NotFound", "what": "Gone.", "where": "here", "next": "there"},
    }
    assert said.err == ""


def test_with_json_wrong_usage_is_a_document_too(
    declare: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    declare(lambda: None)
    assert door.run(["sample", "--json", "--what"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["kind"] == "UsageError"


def test_with_json_a_bug_is_a_document_without_user_text(
    declare: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    declare(fail(ValueError(SECRET)))
    assert door.run(["sample", "--json"]) == 3
    said = capsys.readouterr()
    assert json.loads(said.out)["error"]["kind"] == "Bug"
    assert SECRET not in said.out + said.err


def test_a_name_that_is_no_text_is_told_and_not_a_crash() -> None:
    name = os.fsdecode(b"no-\xff")
    for arguments in (["-C", name, "sample"], ["sample", "--json", "-C", name]):
        command = [sys.executable, "-c", SCRIPT.format(body="pass"), *arguments]
        done = subprocess.run(command, capture_output=True)
        assert done.returncode == 2, done.stderr
        assert b"no-" in done.stdout + done.stderr
        if "--json" in arguments:
            assert json.loads(done.stdout)["error"]["where"] == "-C " + name


# --- -C -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "place", ["{C} sample", "sample {C}", "{C} group sample", "group {C} sample", "group sample {C}"]
)
def test_the_folder_may_be_given_before_or_after_the_verb(
    declare: Callable[..., None], tmp_path: Path, place: str
) -> None:
    seen: list[str] = []
    declare(lambda: seen.append(os.getcwd()))
    before = os.getcwd()
    line = [str(tmp_path) if word == "DIR" else word for word in place.format(C="-C DIR").split()]
    assert door.run(line) == 0
    assert seen == [str(tmp_path)]
    assert os.getcwd() == before


def test_a_second_folder_is_relative_to_the_first(declare: Callable[..., None], tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    seen: list[str] = []
    declare(lambda: seen.append(os.getcwd()))
    assert door.run(["-C", str(tmp_path), "sample", "-C", "a"]) == 0
    assert seen == [str(tmp_path / "a")]


def test_the_folder_is_left_again_after_a_failure(declare: Callable[..., None], tmp_path: Path) -> None:
    declare(fail(errors.NotFound("Gone.")))
    before = os.getcwd()
    assert door.run(["-C", str(tmp_path), "sample"]) == 1
    assert os.getcwd() == before


def test_a_folder_can_be_given_where_the_working_folder_is_gone(
    declare: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    seen: list[str] = []
    declare(lambda: seen.append(os.getcwd()))
    assert door.run(["-C", str(tmp_path), "sample"]) == 0
    assert seen == [str(tmp_path)]


# --- help and version ---------------------------------------------------------------------------------------------


def test_the_help_lists_every_command_without_importing_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert door.run(["--help"]) == 0
    said = capsys.readouterr().out
    for name, (_, line) in COMMANDS.items():
        assert name in said
        assert line.split(";")[0][:30] in said
    code = (
        "import sys; from thruline.cli.door import run; run(['--help']); from thruline.cli.table import COMMANDS;"
        "sys.exit(any(module in sys.modules for module, _ in COMMANDS.values()))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0


def test_the_version_is_told_without_click(capsys: pytest.CaptureFixture[str]) -> None:
    code = "import sys; from thruline.cli.entry import main; main(); sys.exit('click' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout.split()[0]) == (0, "thruline")
    assert door.run(["--version"]) == 0
    assert capsys.readouterr().out == done.stdout


def test_the_entry_hands_its_arguments_to_the_door(
    declare: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(lambda: 1)
    monkeypatch.setattr(sys, "argv", ["thruline", "sample"])
    assert entry.main() == 1


@pytest.mark.feature("F004-40", via="unit")
def test_a_command_is_added_by_a_module_and_a_line_of_the_table(
    declare: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    declare(lambda: click.echo("done"))
    assert door.run(["sample"]) == 0
    assert door.run(["sample", "--help"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("done\n")
    for word in ("Do it.", "--json", "-C DIR", "Example:", "thruline sample"):
        assert word in said


@pytest.mark.feature("F004-40", via="unit")
def test_a_new_kind_of_error_is_told_by_its_name_without_changing_the_door(
    declare: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    class Overheated(ThrulineError):
        exit_code = 1

    declare(fail(Overheated("Too hot.")))
    assert door.run(["sample", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["kind"] == "Overheated"


@pytest.mark.feature("F000-60", via="cli")
@pytest.mark.parametrize("verb", ["compact", "remember", "memory", "subagent", "init", "ticket", "issue"])
def test_what_is_other_tools_work_is_no_command(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert door.run([verb]) == 2
    assert "No such command" in capsys.readouterr().err


@pytest.mark.parametrize("line", [["--json", "group", "sample"], ["group", "--json", "sample"], ["--json", "sample"]])
def test_json_may_stand_before_the_verb(
    capsys: pytest.CaptureFixture[str], declare: Callable[..., None], line: list[str]
) -> None:
    declare(lambda: click.echo(click.get_current_context().params["as_json"]))
    assert door.run(line) == 0
    assert capsys.readouterr().out == "True\n"
