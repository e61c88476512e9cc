"""A plan is read as something that may come from anywhere."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.harnesses.claude_code.conftest import Transcript
from thruline.cli.show import render_json
from thruline.errors import FormatError
from thruline.operations.handoff.plan import find_chunks, find_text, load_plan
from thruline.operations.handoff.prepare import prepare
from thruline.operations.handoff.reduce import mine_plan, reduce_chunks
from thruline.operations.sessions.locate import locate


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """The plan of a session of several chunks."""
    talk = Transcript(tmp_path / "t" / "5e551011-0000-4000-8000-000000000001.jsonl")
    for number in range(12):
        talk.user(f"No, not way {number}. " + f"Use the other one, number {number}. " * 40)
        talk.agent("Understood. " * 60)
    located = locate(str(talk.path), folder=str(tmp_path))
    prepare(located, str(tmp_path / "out"), direct_tokens=10, chunk_tokens=2_000, render=render_json)
    return tmp_path / "out" / "plan.json"


def change(path: Path, **fields: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


@pytest.mark.parametrize(
    "chunks",
    [
        None,
        "chunk-000.txt",
        [{"index": 0}],
        [{"index": 0, "path": 7}],
        [{"index": 0, "path": "a"}, {"index": "a", "path": "b"}],
        [{"index": True, "path": "a"}],
    ],
)
def test_chunks_that_cannot_be_read_are_told_with_the_file(made: Path, chunks: object) -> None:
    change(made, chunks=chunks)
    with pytest.raises(FormatError, match="names no chunks") as error:
        reduce_chunks(str(made), str(made.parent))
    assert error.value.where == str(made)


@pytest.mark.parametrize("text", ["[]", "7", "{", '{"source_files": "a"}', '{"source_files": [1]}', "[" * 100_000])
def test_what_is_no_plan_is_told_with_the_file(made: Path, text: str) -> None:
    made.write_text(text)
    with pytest.raises(FormatError) as error:
        mine_plan(str(made), folder=str(made.parent))
    assert error.value.where == str(made)


def test_chunks_stand_in_the_order_of_their_numbers() -> None:
    plan = {"chunks": [{"index": 1, "path": "b"}, {"index": 0, "path": "a"}]}
    assert find_chunks(plan, "plan.json") == ["a", "b"]


def test_a_copied_plan_finds_its_chunks_where_they_were_written(made: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(made, tmp_path / "copied.json"))
    (tmp_path / "s").mkdir()
    assert reduce_chunks(str(copy), str(tmp_path / "s"), out=str(tmp_path / "r.txt")).missing == ()


def test_a_plan_of_another_session_does_not_open_these_chunks(made: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(made, tmp_path / "copied.json"))
    change(copy, session="7e551011-0000-4000-8000-000000000002")
    assert [find_text(str(copy), path) for path in find_chunks(load_plan(str(copy)), "")] == [""] * len(
        json.loads(copy.read_text())["chunks"]
    )
