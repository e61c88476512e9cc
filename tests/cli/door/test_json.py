"""With --json everything the door says is one document on stdout."""

import json
import os
import subprocess
import sys
from collections.abc import Callable

import click
import pytest

from tests.cli.door.sample import SCRIPT, SECRET, fail
from thruline import errors
from thruline.cli import door


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


@pytest.mark.parametrize("line", [["--json", "group", "sample"], ["group", "--json", "sample"], ["--json", "sample"]])
def test_json_may_stand_before_the_verb(
    capsys: pytest.CaptureFixture[str], declare: Callable[..., None], line: list[str]
) -> None:
    declare(lambda: click.echo(click.get_current_context().params["as_json"]))
    assert door.run(line) == 0
    assert capsys.readouterr().out == "True\n"
