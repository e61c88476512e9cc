"""Errors become messages and exit codes here, and nowhere else."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from tests.cli.door.sample import SCRIPT, SECRET, fail
from thruline import errors
from thruline.cli import door
from thruline.errors import ThrulineError


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
