"""The quick commands are commands of click, and cost less."""

import ast
import shutil
from pathlib import Path

import pytest

from tests.cli.quick.lanes import LIST, PREPARE, run_process
from tests.sample import SAMPLE, SESSION
from thruline.cli import door
from thruline.cli.table import COMMANDS, QUICK
from thruline.layout import find_user_paths


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


def test_a_brief_is_made_without_what_only_click_and_dataclasses_need(world: Path) -> None:
    shutil.rmtree(find_user_paths().ark)
    code = "before = set(sys.modules)\nimport atexit\n"
    code += "atexit.register(lambda: print(sorted(set(sys.modules) - before), file=sys.stderr))"
    answer = run_process("quick", code, "handoff", str(SAMPLE), "--fresh")
    assert b"## Convergence" in answer[1]
    added = ast.literal_eval(answer[2].decode())
    assert {"click", "dataclasses", "typing", "inspect", "tomllib"} & set(added) == set()


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
