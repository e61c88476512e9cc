import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from thruline.cli.completion import SHELLS
from thruline.cli.door import run
from thruline.cli.table import COMMANDS

BASH = shutil.which("bash")


def complete(words: str, at: int) -> list[str]:
    """What the command answers to a shell that asks, by click's protocol."""
    asked = {"_THRULINE_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(at)}
    done = subprocess.run(
        [sys.executable, "-m", "thruline.cli.entry"], env={**os.environ, **asked}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_gets_a_script_that_calls_us_back(shell, capsys):
    assert run(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert "_THRULINE_COMPLETE=" in out
    assert "thruline" in out


def test_script_as_json(capsys):
    assert run(["completion", "zsh", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["shell"] == "zsh"


def test_unknown_shell_is_a_usage_error_that_names_the_known(capsys):
    assert run(["completion", "tcsh"]) == 2
    told = capsys.readouterr().err
    assert all(shell in told for shell in SHELLS)


def test_commands_options_and_subcommands_are_completed():
    assert complete("thruline co", 1) == [name for name in COMMANDS if name.startswith("co")]
    assert complete("thruline context i", 2) == ["init"]
    assert "--fix" in complete("thruline doctor --", 2)


def test_names_of_settings_are_completed():
    for verb in ("get", "set", "unset"):
        assert complete(f"thruline config {verb} git.", 3) == ["git.timeout_seconds"]


def test_completing_a_name_imports_no_command():
    code = (
        "import sys; from thruline.cli.door import run; code = run([]);"
        "loaded = [name for name in sys.modules if name.startswith('thruline.operations')];"
        "sys.stderr.write(repr((code, loaded)))"
    )
    asked = {"_THRULINE_COMPLETE": "bash_complete", "COMP_WORDS": "thruline ", "COMP_CWORD": "1"}
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **asked}, capture_output=True, text=True)
    assert done.stderr == "(0, [])"
    assert len(done.stdout.splitlines()) == len(COMMANDS)


@pytest.mark.skipif(not BASH, reason="needs bash")
def test_real_bash_completes_after_sourcing_the_script(tmp_path: Path):
    program = tmp_path / "thruline"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m thruline.cli.entry "$@"\n')
    program.chmod(0o755)
    script = """
        eval "$(thruline completion bash)"
        complete -p thruline
        COMP_WORDS=(thruline co); COMP_CWORD=1; COMPREPLY=()
        _thruline_completion thruline co thruline
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    env = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([str(BASH), "--norc", "-c", script], env=env, capture_output=True, text=True)
    assert done.stderr == ""
    registered, *found = done.stdout.splitlines()
    assert "_thruline_completion" in registered
    assert found == [name for name in COMMANDS if name.startswith("co")]
