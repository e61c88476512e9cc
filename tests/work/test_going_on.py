"""Sessions that die, are resumed, forked or run on: whom their notes are for."""

import json
import os
from pathlib import Path

import pytest

from tests.work.shop import CORRECTION, FIRST, HARNESS, NOBODY, OTHER, SECOND, THIRD, Shop
from thruline.process import read_process

ME = os.getpid()


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


def test_a_session_that_ends_within_the_second_in_which_another_started_is_not_handed_to_it(shop: Shop) -> None:
    shop.put()
    second = float(int(shop.clock))
    shop.spool("session_start", SECOND, source="startup", pid=ME, at=second + 0.1)
    shop.spool("session_start", source="startup", pid=NOBODY, at=second + 0.2)
    shop.spool("turn_end", pid=NOBODY, at=second + 0.8)
    shop.spool("session_end", reason="other", at=second + 0.9)
    shop.work()
    assert shop.late(SECOND) is None
    envelope = shop.resume()
    assert envelope is not None
    assert envelope["from"] == FIRST


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
