"""No text of a client or a project is ever run: nothing is evaluated, and no name becomes a flag or a command."""

import ast
import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.hooks.conftest import HARNESS, SESSION, WIRED, Hook
from tests.hooks.imports import SOURCE, find_file, find_imports
from thruline.hooks.handlers import HANDLERS

EVALUATING = {"eval", "exec", "compile", "system", "popen", "getoutput", "input"}
SPAWNING = {"posix_spawn", "posix_spawnp", "spawnve", "execve", "fork", "Popen", "run", "start_detached"}
# Who may start a program, and what it is: our own worker and the renewing of a status line; that status line and the
# command of a loop, which are lines that the user wrote for a shell and gave leave to.
MAY_SPAWN = {"thruline.hooks.worker", "thruline.hooks.theirs", "thruline.child"}
EVIL = "a 'b' $(touch pwned) `touch pwned` ; touch pwned # --help"


def find_reachable() -> set[str]:
    """Every module of ours that a hook can import."""
    waiting = [f"thruline.hooks.{path.stem}" for path in (SOURCE / "hooks").glob("*.py") if path.stem != "__init__"]
    waiting += [f"thruline.harnesses.{name.replace('-', '_')}.wire" for name in WIRED]
    found: set[str] = set()
    while waiting:
        module = waiting.pop()
        if module not in found and module.startswith("thruline") and find_file(module).exists():
            found.add(module)
            waiting += find_imports(find_file(module))
    return found


def find_calls(module: str) -> set[str]:
    """The names that are called in it, without what is before the last dot."""
    called = (node.func for node in ast.walk(ast.parse(find_file(module).read_text())) if isinstance(node, ast.Call))
    return {each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in called}


@pytest.mark.feature("F002-42", via="unit")
def test_nothing_that_a_hook_can_reach_evaluates_text_and_few_start_a_program():
    calls = {module: find_calls(module) for module in find_reachable()}
    assert len(calls) > 20
    assert {module: names & EVALUATING for module, names in calls.items() if names & EVALUATING} == {}
    assert {module for module, names in calls.items() if names & SPAWNING} == MAY_SPAWN


@pytest.mark.feature("F002-42", via="unit")
@pytest.mark.parametrize("harness", WIRED)
@pytest.mark.parametrize("event", HANDLERS)
def test_no_word_of_a_payload_and_no_name_of_a_folder_is_run_or_taken_for_a_flag(
    hook: Hook, tmp_path: Path, harness: str, event: str
):
    project = tmp_path / EVIL / "--exec=sh"
    project.mkdir(parents=True)
    fields = dict.fromkeys(("prompt", "model", "reason", "last_assistant_message", "trigger", "tool_name"), EVIL)
    fields |= {"cwd": str(project), "tool_input": {"file_path": f"--{EVIL}", "command": EVIL}}
    done = hook.run(harness, event, payload=hook.build(**fields), cwd=project)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not list(tmp_path.rglob("pwned"))
    for started in hook.find_starts():
        arguments = ast.literal_eval(started)[0]
        assert arguments == ["-I", "-m", "thruline.cli.entry", "work", str(project)]
    assert hook.read_troubles() == []


@pytest.mark.feature("F002-42", via="unit")
@pytest.mark.parametrize("name", ["session_id", "harness", "event"])
@pytest.mark.parametrize("text", ["--help", "-rf", "$(touch pwned)", "; touch pwned", "`touch pwned`"])
def test_an_id_that_looks_like_a_flag_or_a_command_is_refused(hook: Hook, tmp_path: Path, name: str, text: str):
    session, harness, event = SESSION, HARNESS, "turn_end"
    if name == "session_id":
        session = text
    else:
        harness, event = (text, event) if name == "harness" else (harness, text)
    # As a client would: a line for a shell.
    line = shlex.join([*hook.command, harness, event])
    payload = json.dumps({"session_id": session, "cwd": str(tmp_path)}).encode()
    done = subprocess.run(["sh", "-c", line], input=payload, capture_output=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not os.path.exists(hook.here.spool)
    assert hook.find_starts() == []
    assert not list(tmp_path.rglob("pwned"))
    assert len(hook.read_troubles()) == 1
