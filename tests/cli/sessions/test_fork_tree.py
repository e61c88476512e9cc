"""`sessions fork-tree`: who shares a history with a session, wherever its transcript lies; who could not be read."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.cli.sessions.asking import told
from tests.sample import SAMPLE, SESSION

FORK = "0f0f0f0f-31b2-4c6d-9a58-7d1f0e2b9c34"
NONE = "No other session of its project, listed or beside it, shares records with it."


def put_fork(folder: Path, lines: int = 80) -> Path:
    """A session that goes on, in its own words, from the first `lines` lines of the sample."""
    copied = SAMPLE.read_text().replace(SESSION, FORK).splitlines(keepends=True)[:lines]
    last = json.loads(copied[-1])
    own = {**last, "type": "user", "uuid": FORK, "parentUuid": last.get("uuid")}
    own["message"] = {"role": "user", "content": "Let us try the other way."}
    path = folder / f"{FORK}.jsonl"
    path.write_text("".join(copied) + json.dumps(own) + "\n")
    return path


def test_a_fork_beside_a_transcript_that_no_client_keeps_is_found_by_either_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = Path(shutil.copy(SAMPLE, tmp_path / f"{SESSION}.jsonl"))
    fork = put_fork(tmp_path)
    other = json.loads(SAMPLE.read_text().splitlines()[3]) | {"cwd": "/home/dev/elsewhere"}
    (tmp_path / "elsewhere.jsonl").write_text(json.dumps(other) + "\n")
    (tmp_path / "notes.jsonl").write_text("no transcript\n")
    for asked in (own, fork):
        tree = json.loads(told(capsys, "fork-tree", str(asked), "--json"))
        (child,) = tree["root"]["children"]
        assert {tree["root"]["path"], child["path"]} == {str(own), str(fork)}
        assert child["shared"] > 10
        assert tree["unread"] == []
        text = told(capsys, "fork-tree", str(asked))
        assert NONE not in text
        assert f"left after L{child['at']}, {child['shared']} records shared" in text
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.move(own, alone)
    assert NONE in told(capsys, "fork-tree", str(alone / own.name))


def test_a_listed_fork_of_a_transcript_given_by_path_is_found(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fork = put_fork(tmp_path)
    tree = json.loads(told(capsys, "fork-tree", str(fork), "--json"))["root"]
    assert {tree["path"], *(child["path"] for child in tree["children"])} == {str(kept), str(fork)}


def test_what_a_session_says_it_was_forked_from_is_in_its_tree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = ["019a0000-0000-7000-8000-000000000001", "019a0000-0001-7000-8000-000000000002"]
    day = tmp_path / "sessions" / "2026" / "11" / "16"
    day.mkdir(parents=True)
    for number, thread in enumerate(ids):
        base = {"history_base": {"thread_id": ids[0], "end_ordinal_exclusive": 2}} if number else {}
        records = [
            {"type": "session_meta", "payload": {"id": thread, "cwd": f"/home/dev/{number}", **base}},
            {"type": "event_msg", "payload": {"type": "user_message", "message": f"Way {number}"}},
        ]
        lines = [json.dumps({"timestamp": f"2026-11-16T10:0{number}:00Z", **record}) for record in records]
        (day / f"rollout-2026-11-16T10-0{number}-00-{thread}.jsonl").write_text("\n".join(lines) + "\n")
    fork = next(day.glob(f"*{ids[1]}.jsonl"))
    tree = json.loads(told(capsys, "fork-tree", str(fork), "--json"))["root"]
    assert (tree["session"], [child["session"] for child in tree["children"]]) == (ids[0], ids[1:])


def test_one_session_under_two_accounts_is_no_fork_of_itself_and_is_listed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = SAMPLE.read_text().splitlines(keepends=True)
    paths = []
    for account, part in (("one", lines), ("two", lines), ("three", lines[:60])):
        folder = tmp_path / account / "projects" / "p"
        folder.mkdir(parents=True)
        paths.append(folder / f"{SESSION}.jsonl")
        paths[-1].write_text("".join(part))
        os.utime(paths[-1], (1_700_000_000, 1_700_000_000 + len(paths)))
    accounts = os.pathsep.join(str(path.parents[2]) for path in paths)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", accounts)
    for ref in (SESSION, *map(str, paths)):
        root = json.loads(told(capsys, "fork-tree", ref, "--json"))["root"]
        assert root["children"] == []
        assert root["asked"]
        assert {root["path"], *(copy["path"] for copy in root["copies"])} == set(map(str, paths))
        assert sorted(copy["records"] == root["records"] for copy in root["copies"]) == [False, True]
    text = told(capsys, "fork-tree", SESSION)
    assert f"also in {paths[2]}, " in text
    assert NONE not in text
    (row,) = json.loads(told(capsys, "list", "--all", "--json"))
    assert row["path"] == str(paths[2])  # written last, as `show` leads with it
    assert len(told(capsys, "list", "--all").splitlines()) == 2


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file whose reading fails, for root too")
@pytest.mark.parametrize("listed", [True, False])
def test_a_file_that_may_belong_to_it_and_cannot_be_read_is_told(
    kept: Path, tmp_path: Path, listed: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    own = kept if listed else Path(shutil.copy(SAMPLE, tmp_path / f"{SESSION}.jsonl"))
    closed = own.with_name(f"{FORK}.jsonl")
    closed.symlink_to("/proc/self/mem")
    if not listed:
        kept.unlink()
    text = told(capsys, "fork-tree", str(own))
    assert f"could not be read: {closed} (" in text
    (unread,) = json.loads(told(capsys, "fork-tree", str(own), "--json"))["unread"]
    assert unread[0] == str(closed)
