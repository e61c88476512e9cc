"""Sessions that real clients recorded: archived, deleted, and read as before."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.kept import ask, turn_on
from thruline.cli.door import run
from thruline.harnesses.installed import find_homes
from thruline.harnesses.registry import HARNESSES

FIXTURES = Path(__file__).parents[3] / "shared" / "fixtures"


@pytest.mark.shared
def test_a_fork_whose_history_is_another_file_is_read_whole_from_the_ark(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (client,) = [harness for harness in HARNESSES if harness.name == "codex"]
    top = Path(find_homes(client, {}, str(home))[0])
    folder = top / "sessions" / "2026" / "11" / "15"
    folder.mkdir(parents=True)
    for path in (FIXTURES / "codex").glob("*/rollout-*.jsonl"):
        shutil.copy(path, folder)
    turn_on(capsys)
    ids = [row["session_id"] for row in json.loads(ask(capsys, "sessions", "list", "--all", "--json"))]
    assert len(ids) >= 5
    before = {each: ask(capsys, "sessions", "spine", each) for each in ids}
    ask(capsys, "archive", "--all")
    shutil.rmtree(top)
    assert {each: ask(capsys, "sessions", "spine", each) for each in ids} == before


def test_a_transcript_that_its_client_compressed_is_told_and_not_passed_over(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (client,) = [harness for harness in HARNESSES if harness.name == "codex"]
    folder = Path(find_homes(client, {}, str(home))[0]) / "sessions" / "2026" / "11" / "15"
    folder.mkdir(parents=True)
    packed = folder / "rollout-2026-11-15T10-00-00-01a1e1a1-1b8c-7000-8000-000000000001.jsonl.zst"
    packed.write_bytes(b"\x28\xb5\x2f\xfd" + b"\0" * 40)
    turn_on(capsys)
    assert run(["archive", "--all"]) == 1
    said = capsys.readouterr().out
    assert packed.name in said
    assert "zstd -d" in said
