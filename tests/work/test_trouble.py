"""Files that cannot be read, moved or written, links, and a second worker."""

import os
import threading
from pathlib import Path

import pytest

from tests.work.shop import CORRECTION, Shop
from thruline.disk.atomic import Lock
from thruline.operations.work.run import work

ME = os.getpid()


def test_an_event_left_while_the_worker_lets_go_is_not_stranded(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Lock.__exit__

    def leave(lock: Lock, *raised: object) -> None:
        if not shop.count and lock.path == shop.hooks.work_lock:
            shop.spool("prompt")  # its hook saw the lock held, and started nobody
        real(lock, *raised)

    monkeypatch.setattr(Lock, "__exit__", leave)
    assert shop.work().events == 1
    assert os.listdir(shop.hooks.spool) == []


def test_a_second_worker_ends_at_once(shop: Shop) -> None:
    shop.spool("prompt")
    os.makedirs(shop.hooks.work)
    with Lock(shop.hooks.work_lock):
        seen: list[bool] = []
        second = threading.Thread(target=lambda: seen.append(work(str(shop.root)).busy))
        second.start()
        second.join()
    assert seen == [True]
    assert len(os.listdir(shop.hooks.spool)) == 1


def test_what_cannot_be_read_is_set_aside_and_the_rest_taken_in(shop: Shop) -> None:
    name = shop.spool("prompt")
    Path(shop.hooks.spool, "00000000000000000001-1.json").write_text('{"schema": 1, "session": "../../x"}')
    Path(shop.hooks.spool, "00000000000000000002-1.json").write_bytes(b"\xff{")
    shop.work()
    assert os.listdir(shop.hooks.spool) == []
    assert len(os.listdir(os.path.join(shop.hooks.work, "bad"))) == 2
    assert name not in os.listdir(os.path.join(shop.hooks.work, "bad"))


def test_an_event_that_cannot_be_moved_or_removed_does_not_keep_the_worker_for_ever(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(shop.hooks.spool).mkdir(parents=True)
    Path(shop.hooks.spool, "00000000000000000001-1.json").write_text("{")
    monkeypatch.setattr("thruline.operations.work.run._set_aside", lambda *_: None)
    monkeypatch.setattr("thruline.operations.work.intent._remove", lambda *_: None)
    assert shop.work().events == 1


def test_a_project_that_cannot_be_written_still_gets_its_notes_told(marked: Shop) -> None:
    marked.put()
    (marked.root / ".agent" / "context" / "indexes").write_text("a file where the folder should be")
    marked.spool("session_start", source="startup", pid=ME)
    marked.spool("turn_end", pid=ME)
    marked.work()
    assert os.listdir(marked.hooks.spool) == []
    assert marked.resume() is not None
    assert [each.job for each in marked.state.parked] == ["rows"]


def test_a_project_that_lets_nothing_be_written_still_tells_its_next_session(marked: Shop, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (marked.root / ".agent" / "context" / "logs").symlink_to(outside)  # as a repository may ship it
    marked.run_session()
    envelope = marked.resume()
    assert envelope is not None
    assert CORRECTION in envelope["text"]
    assert list(outside.iterdir()) == []


def test_a_link_out_of_the_project_is_not_followed(marked: Shop, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (marked.root / ".agent" / "context" / "indexes").symlink_to(outside)
    (marked.root / ".agent" / "context" / "handoffs").symlink_to(outside)
    marked.run_session(pid=ME)
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("kind", ["link", "link to a file of that name", "file", "removed since"])
def test_a_brief_that_could_not_be_written_is_not_named(marked: Shop, tmp_path: Path, kind: str) -> None:
    outside, handoffs = tmp_path / "outside", marked.root / ".agent" / "context" / "handoffs"
    outside.mkdir()
    if kind.startswith("link"):
        handoffs.symlink_to(outside)
    elif kind == "file":
        handoffs.write_text("a file where the folder should be")
    marked.run_session()
    [session] = marked.state.sessions.values()
    assert session.handoff  # the name was chosen before
    if kind == "link to a file of that name":
        (outside / session.handoff).write_text("somebody else's")
    elif kind == "removed since":
        (handoffs / session.handoff).unlink()
    marked.work()
    envelope = marked.resume()
    assert envelope is not None
    assert CORRECTION in envelope["text"]
    assert "handoff-" not in envelope["text"]
    if kind == "removed since":
        (handoffs / session.handoff).write_text("it is back")
        marked.work()
        assert session.handoff in str(marked.resume())  # and where it is there, it is named


@pytest.mark.parametrize("forge", [False, True])
@pytest.mark.parametrize("whole", [False, True])
def test_a_link_inside_the_project_does_not_make_a_file_of_the_users_ours(
    marked: Shop, forge: bool, whole: bool
) -> None:
    context = marked.root / ".agent" / "context"
    logs = marked.root / ".forge" if forge else context
    places = [context / "indexes" / "sessions.jsonl", context / "indexes" / "relevant-files.jsonl"]
    places += [logs / "logs" / name for name in ("last-session.json", "pre-compact-state.json")]
    mine = [marked.root / ("mine-" + place.name) for place in places]
    for place, file in zip(places, mine, strict=True):
        file.write_text("a week of my own notes\n")
        place.parent.mkdir(parents=True, exist_ok=True)
        if not whole:
            place.symlink_to(file)
    if whole:  # whole folders of ours are links to one of the user's, where files of these names are theirs
        theirs = marked.root / "theirs"
        theirs.mkdir()
        for place, file in zip(places, mine, strict=True):
            file.rename(theirs / place.name)
        for folder in {place.parent for place in places} | {logs / "handoffs"}:
            if folder.exists():
                folder.rmdir()
            folder.symlink_to(theirs)
        mine = [theirs / place.name for place in places]
    marked.put()
    marked.spool("session_start", source="startup", pid=ME)
    marked.spool("tool_done", pid=ME, files=[["a.py", "edited"]])
    marked.spool("before_compact", pid=ME)
    marked.spool("turn_end", pid=ME)
    marked.work()
    marked.spool("session_end", pid=ME)
    marked.work()
    assert [file.read_text() for file in mine] == ["a week of my own notes\n"] * 4
    if whole:
        assert sorted(each.name for each in (marked.root / "theirs").iterdir()) == sorted(each.name for each in mine)
    assert {each.job for each in marked.state.parked} >= {"rows", "turn", "before_compact"}
