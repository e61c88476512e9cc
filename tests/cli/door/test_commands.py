"""The commands are those of the table: told by the help, imported only when run."""

import json
import subprocess
import sys
from collections.abc import Callable

import click
import pytest

from tests.cli.door.sample import fail
from thruline.cli import door, entry
from thruline.cli.table import COMMANDS
from thruline.errors import ThrulineError


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
