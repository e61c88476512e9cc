"""The worker from end to end, on what hooks leave."""

import json
import os
from pathlib import Path

import pytest

from tests.work.shop import CORRECTION, FIRST, HARNESS, OTHER, SECOND, THIRD, Shop
from thruline.cli.door import run
from thruline.config.schema import find_settings

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


def test_two_projects_do_not_mix(tmp_path: Path, home: Path) -> None:
    one, two = Shop(tmp_path / "a", home), Shop(tmp_path / "b", home)
    one.run_session(pid=ME)
    two.spool("session_start", SECOND, source="startup", pid=ME)
    two.work()
    assert one.resume() is not None
    assert two.resume() is None
    assert two.late(SECOND) is None


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
