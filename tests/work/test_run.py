"""The worker from end to end, on what hooks leave."""

import json
import os
import threading
from pathlib import Path

import pytest

from tests.work.shop import CORRECTION, FIRST, HARNESS, NOBODY, OTHER, SECOND, THIRD, Shop
from thruline.cli.door import run
from thruline.config.schema import find_settings
from thruline.disk.atomic import Lock
from thruline.operations.work.run import work
from thruline.process import read_process

ME = os.getpid()


def test_after_a_turn_the_next_session_would_be_told_the_correction_word_for_word(shop: Shop) -> None:
    shop.put()
    shop.spool("session_start", source="startup", pid=ME)
    shop.spool("turn_end", pid=ME)
    assert shop.work().events == 2
    for harness in (HARNESS, OTHER):
        envelope = shop.resume(harness)
        assert envelope is not None
        assert CORRECTION in envelope["text"]
        assert (envelope["schema"], envelope["kind"], envelope["from"]) == (1, "resume", FIRST)
        assert envelope["pid"] == ME  # its client still runs: nobody else is told
    assert os.listdir(shop.hooks.spool) == []
    assert shop.handoffs() == []


def test_after_the_end_the_brief_is_a_handoff_that_verify_proves(
    marked: Shop, capsys: pytest.CaptureFixture[str]
) -> None:
    marked.run_session(pid=ME)
    (name,) = marked.handoffs()
    path = os.path.join(marked.project.handoffs, name)
    assert path.startswith(str(marked.root))
    assert CORRECTION in Path(path).read_text()
    assert run(["verify", path]) == 0, capsys.readouterr().out
    envelope = marked.resume()
    assert envelope is not None
    assert path in envelope["text"]
    assert envelope["pid"] == 0
    assert not list(Path(marked.hooks.work).rglob("*.folds"))


@pytest.mark.feature("F002-04", via="unit")
def test_a_forge_project_keeps_its_logs_and_handoffs_where_it_always_did(marked: Shop) -> None:
    (marked.root / ".forge").mkdir()
    (marked.root / ".forge" / "state.json").write_text('{"phase": "build", "task": "T-4"}')
    marked.run_session(pid=ME)
    last = json.loads((marked.root / ".forge" / "logs" / "last-session.json").read_text())
    assert (last["forge_phase"], last["forge_task"]) == ("build", "T-4")
    assert len(list((marked.root / ".forge" / "handoffs").glob("handoff-*.md"))) == 1
    assert not (marked.root / ".agent" / "context" / "logs").exists()


def test_a_project_without_a_marker_gets_not_one_byte(shop: Shop) -> None:
    shop.run_session(pid=ME)
    assert list(shop.root.iterdir()) == []
    assert len(shop.handoffs()) == 1


def test_what_was_told_is_not_ready_again_and_its_handoff_was_seen(shop: Shop) -> None:
    shop.run_session(pid=ME)
    (name,) = shop.handoffs()
    told = shop.tell(shop.hooks.build_resume(HARNESS), SECOND)
    shop.spool("session_start", SECOND, source="startup", pid=ME, told=[told])
    shop.work()
    assert shop.resume(HARNESS) is None
    assert shop.resume(OTHER) is None
    assert shop.handoffs() == []
    assert shop.handoffs("seen") == [name]


def test_what_a_hook_claimed_and_could_not_log_is_not_put_there_again(shop: Shop) -> None:
    shop.run_session(pid=ME)
    os.unlink(shop.hooks.build_resume(HARNESS))
    shop.spool("prompt", SECOND, pid=ME)
    shop.work()
    assert shop.resume(HARNESS) is None
    assert len(shop.handoffs()) == 1  # `continue` finds it


def test_what_a_hook_claimed_does_not_come_back_when_the_session_ends(shop: Shop) -> None:
    shop.put()
    shop.spool("turn_end", pid=ME)
    shop.work()
    os.unlink(shop.hooks.build_resume(HARNESS))
    shop.spool("session_end", reason="other")  # the same notes, now with the path of their handoff
    shop.work()
    assert shop.resume(HARNESS) is None
    other = shop.resume(OTHER)
    assert other is not None
    assert "handoff-" in other["text"]


def test_of_two_ended_sessions_the_newest_is_told_and_the_other_named_with_its_path(shop: Shop) -> None:
    shop.run_session(FIRST, pid=ME)
    shop.run_session(SECOND, pid=ME)
    envelope = shop.resume()
    assert envelope is not None
    assert envelope["from"] == SECOND
    older, _newer = shop.handoffs()
    assert os.path.join(shop.project.handoffs, older) in envelope["text"]
    told = shop.tell(shop.hooks.build_resume(HARNESS), THIRD)
    shop.spool("session_start", THIRD, source="startup", told=[told])
    shop.work()
    assert len(shop.handoffs("seen")) == 2


def test_a_session_that_died_is_finished_by_the_next_start(shop: Shop) -> None:
    shop.put()
    shop.spool("session_start", source="startup", pid=NOBODY)
    shop.spool("turn_end", pid=NOBODY)
    shop.spool("session_start", SECOND, source="startup", pid=ME)
    shop.work()
    assert [row["reason"] for row in shop.rows("sessions.jsonl") if row["event"] == "ended"] == ["died"]
    assert len(shop.handoffs()) == 1
    # The start came before the notes, so they wait for that session's next prompt, and for nobody else.
    late = shop.late(SECOND)
    assert late is not None
    assert (late["kind"], late["from"]) == ("late", FIRST)
    assert CORRECTION in late["text"]
    assert shop.resume() is None
    told = shop.tell(shop.hooks.build_late(HARNESS, SECOND), SECOND, "prompt")
    shop.spool("prompt", SECOND, pid=ME, told=[told])
    shop.work()
    assert len(shop.handoffs("seen")) == 1


def test_notes_that_a_session_never_heard_are_for_the_next_one_again(shop: Shop) -> None:
    shop.put()
    shop.spool("turn_end", pid=NOBODY)
    shop.spool("session_start", SECOND, source="startup", pid=ME)
    shop.work()
    assert shop.late(SECOND) is not None
    shop.spool("session_end", SECOND, reason="other")
    shop.work()
    assert shop.late(SECOND) is None
    envelope = shop.resume()
    assert envelope is not None
    assert envelope["from"] == FIRST


def test_notes_handed_to_one_that_runs_are_taken_back_when_their_own_session_goes_on(shop: Shop) -> None:
    shop.put()
    shop.spool("turn_end", pid=NOBODY)
    shop.spool("session_start", SECOND, source="startup", pid=ME)
    shop.work()
    assert shop.late(SECOND) is not None
    shop.spool("session_start", FIRST, source="resume", pid=ME, born=read_process(ME)[2])
    shop.work()
    assert shop.late(SECOND) is None
    envelope = shop.resume()
    assert envelope is not None
    assert (envelope["from"], envelope["pid"]) == (FIRST, ME)


def test_a_client_that_was_cleared_leaves_its_session_behind(shop: Shop) -> None:
    shop.put()
    shop.spool("session_start", source="startup", pid=ME)
    shop.spool("turn_end", pid=ME)
    shop.spool("session_start", SECOND, source="clear", pid=ME)
    shop.work()
    assert [row["session_id"] for row in shop.rows("sessions.jsonl") if row["event"] == "ended"] == [FIRST]


def test_a_session_that_goes_on_after_it_was_told_is_told_again_only_when_someone_spoke(shop: Shop) -> None:
    shop.run_session(pid=ME)
    told = shop.tell(shop.hooks.build_resume(HARNESS), SECOND)
    shop.spool("session_start", SECOND, source="startup", told=[told])
    shop.spool("session_start", FIRST, source="resume", pid=ME)
    shop.spool("turn_end", FIRST, pid=ME)
    shop.work()
    assert shop.resume() is None
    path = shop.put()
    record = {"type": "user", "uuid": "u-new", "parentUuid": None, "sessionId": FIRST, "promptSource": "sdk"}
    record |= {"timestamp": "2026-11-16T03:00:00.000Z", "message": {"role": "user", "content": "No, never use tabs."}}
    with path.open("ab") as file:
        file.write(json.dumps(record).encode() + b"\n")
    shop.spool("turn_end", FIRST, pid=ME)
    shop.work()
    envelope = shop.resume()
    assert envelope is not None
    assert "never use tabs" in envelope["text"]


def test_a_session_without_a_word_or_without_anything_to_tell_leaves_nothing(shop: Shop) -> None:
    shop.put(size=1).write_bytes(b"")
    shop.spool("turn_end", pid=ME)
    shop.spool("session_end", reason="other")
    shop.spool("turn_end", SECOND, pid=ME)  # it never wrote a transcript
    shop.work()
    assert shop.resume() is None
    assert shop.handoffs() == []
    assert shop.state.parked == []
    assert shop.start() is not None


@pytest.mark.parametrize(
    ("question", "is_told"), [("And now?", False), ("Never push to main without asking me first.", True)]
)
def test_one_answer_to_one_question_is_not_worth_the_next_sessions_time(
    shop: Shop, question: str, is_told: bool
) -> None:
    common = {"sessionId": FIRST, "cwd": str(shop.root), "timestamp": "2026-11-16T03:00:00.000Z"}
    asked = {"type": "user", "uuid": "u1", "parentUuid": None, "message": {"role": "user", "content": question}}
    said = {"role": "assistant", "content": [{"type": "text", "text": "Hello again, all is well."}]}
    answered = {"type": "assistant", "uuid": "u2", "parentUuid": "u1", "message": said}
    shop.put().write_text("".join(json.dumps({**common, **each}) + "\n" for each in (asked, answered)))
    shop.spool("turn_end", pid=ME)
    shop.spool("session_end", reason="other")
    shop.work()
    assert (shop.resume() is not None) == is_told
    assert len(shop.handoffs()) == is_told
    assert shop.start() is not None


def test_a_secret_that_a_person_typed_is_in_nothing_that_a_model_may_read(marked: Shop) -> None:
    path = marked.put()
    secret = "AKIAQ3EGRIJK7ZX2WYLM"
    data = path.read_bytes()
    first = next(line for line in data.splitlines() if b'"type":"user"' in line and b'"content":"' in line)
    asked = first.partition(b'"content":"')[2].partition(b'"')[0]
    path.write_bytes(data.replace(asked, f"Use {secret} for the export. ".encode() + asked))
    marked.spool("turn_end", pid=ME)
    marked.spool("session_end", reason="other")
    marked.work()
    (name,) = marked.handoffs()
    for file in (
        Path(marked.project.handoffs, name),
        Path(marked.project.logs, "last-session.json"),
        Path(marked.hooks.build_resume(HARNESS)),
        Path(marked.hooks.build_start(HARNESS)),
    ):
        text = file.read_text()
        assert secret not in text, file
    assert "[redacted:" in Path(marked.project.logs, "last-session.json").read_text()


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


def test_two_projects_do_not_mix(tmp_path: Path, home: Path) -> None:
    one, two = Shop(tmp_path / "a", home), Shop(tmp_path / "b", home)
    one.run_session(pid=ME)
    two.spool("session_start", SECOND, source="startup", pid=ME)
    two.work()
    assert one.resume() is not None
    assert two.resume() is None
    assert two.late(SECOND) is None


def test_another_live_session_keeps_what_ended_from_nobody(shop: Shop) -> None:
    shop.run_session(FIRST, pid=ME)
    shop.put(SECOND)
    shop.spool("turn_end", SECOND, pid=ME)  # a second window, still open, and newer
    shop.work()
    envelope = shop.resume()
    assert envelope is not None
    assert (envelope["from"], envelope["pid"]) == (FIRST, 0)


def test_the_line_about_a_session_that_runs_carries_its_client(shop: Shop) -> None:
    shop.put()
    shop.spool("session_start", source="startup", pid=ME, born=7)
    shop.spool("turn_end", pid=ME, born=read_process(ME)[2])
    shop.work()
    line = shop.start()
    assert line is not None
    assert (line["pid"], line["born"]) == (ME, read_process(ME)[2])
    shop.spool("session_end", reason="other")
    shop.work()
    line = shop.start()
    assert line is not None
    assert line["pid"] == 0


def reopen(shop: Shop) -> None:
    """What the hook of a resumed session does with what lies ready about it."""
    for harness in (HARNESS, OTHER):
        for path in (shop.hooks.build_resume(harness), shop.hooks.build_start(harness)):
            os.rename(path, path + ".reopened")


def test_what_a_resumed_session_took_back_is_left_anew_with_its_client(shop: Shop) -> None:
    shop.run_session(pid=ME)
    reopen(shop)
    shop.spool("session_start", source="resume", pid=ME)
    shop.work()
    for envelope in (shop.resume(), shop.resume(OTHER), shop.start(), shop.start(OTHER)):
        assert envelope is not None
        assert envelope["pid"] == ME
    assert not list(Path(shop.hooks.ready).rglob("*.reopened"))
    shop.spool("session_end", reason="other")  # without another word
    shop.work()
    envelope = shop.resume()
    assert envelope is not None
    assert (envelope["from"], envelope["pid"]) == (FIRST, 0)
    assert CORRECTION in envelope["text"]


@pytest.mark.parametrize("fork", [False, True])
def test_a_start_that_may_be_a_forks_is_waited_for_before_its_parent_is_told(shop: Shop, fork: bool) -> None:
    shop.run_session(pid=ME)
    reopen(shop)
    client = {"pid": ME, "born": read_process(ME)[2]}
    shop.spool("session_start", source="resume", fork_id=SECOND, **client)
    shop.spool("session_start", THIRD, source="startup", pid=os.getppid())
    shop.work()
    for envelope in (shop.resume(), shop.start()):
        assert envelope is not None
        assert envelope["pid"] == ME
    assert shop.late(THIRD) is None
    shop.spool("prompt", SECOND if fork else FIRST, **client)
    shop.spool("turn_end", THIRD, pid=os.getppid())
    shop.work()
    envelope = shop.resume()
    assert envelope is not None
    assert (envelope["from"], envelope["pid"]) == (FIRST, 0 if fork else ME)


def test_a_start_that_may_be_a_forks_and_was_killed_leaves_its_parent_over(shop: Shop) -> None:
    shop.run_session(pid=ME)
    before = shop.resume()
    reopen(shop)
    shop.spool("session_start", source="resume", fork_id=SECOND, pid=NOBODY)
    shop.work()
    assert shop.resume() == before


def test_what_a_hook_took_back_before_it_was_killed_comes_back(shop: Shop) -> None:
    shop.run_session(pid=ME)
    before = (shop.resume(), shop.start())
    reopen(shop)
    shop.spool("prompt", SECOND, pid=ME)
    shop.work()
    assert (shop.resume(), shop.start()) == before
    assert not list(Path(shop.hooks.ready).rglob("*.reopened"))


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


def test_a_link_out_of_the_project_is_not_followed(marked: Shop, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (marked.root / ".agent" / "context" / "indexes").symlink_to(outside)
    (marked.root / ".agent" / "context" / "handoffs").symlink_to(outside)
    marked.run_session(pid=ME)
    assert list(outside.iterdir()) == []


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


def test_the_settings_in_force_lie_ready_for_hooks(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THRULINE_GIT_TIMEOUT_SECONDS", "3")
    shop.spool("prompt")
    shop.work()
    config = json.loads(Path(shop.hooks.config).read_text())
    secret = {each.key for each in find_settings() if each.rule.secret}
    assert secret
    assert not secret & set(config["settings"])
    assert config["settings"]["git.timeout_seconds"] == 3.0


def test_the_ark_gets_its_copy_at_the_end_where_the_user_wants_one(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THRULINE_ARK_ENABLED", "true")
    shop.run_session(pid=ME)
    assert list(Path(os.environ["HOME"]).rglob(f"ark/entries/{HARNESS}/*"))
