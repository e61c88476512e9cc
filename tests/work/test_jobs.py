"""Jobs that fail are done once more, then parked; doctor tells, and does them again."""

import os
from typing import Any

import pytest

from tests.work.shop import FIRST, HARNESS, SECOND, Shop
from thruline.operations.doctor import examine
from thruline.operations.doctor.surroundings import Surroundings
from thruline.operations.work import jobs
from thruline.operations.work.fold import END, TURN
from thruline.operations.work.state import write_state

ME = os.getpid()


def fail(monkeypatch: pytest.MonkeyPatch, times: int) -> list[str]:
    """Makes the next jobs after a turn fail; the sessions they were tried for."""
    tried: list[str] = []
    real = jobs.JOBS[TURN]

    def broken(place: Any, state: Any, session: Any) -> None:
        tried.append(session.session)
        if len(tried) <= times:
            raise ValueError("a text of the session")
        real(place, state, session)

    monkeypatch.setitem(jobs.JOBS, TURN, broken)
    return tried


def diagnose(shop: Shop, *, fix: bool = False) -> list[str]:
    found = examine(Surroundings(str(shop.root), os.environ), fix=fix)
    return [f"{each.state}: {each.what}" for each in found.findings if each.name == "worker"]


def test_a_job_that_failed_once_is_done_again(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = fail(monkeypatch, 1)
    shop.put()
    shop.spool("turn_end", pid=ME)
    shop.work()
    assert tried == [FIRST, FIRST]
    assert shop.resume() is not None
    assert diagnose(shop) == ["ok: Everything that hooks left was taken in."]


def test_a_job_that_failed_twice_is_parked_told_without_its_text_and_done_by_fix(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = fail(monkeypatch, 2)
    shop.put()
    shop.spool("turn_end", pid=ME)
    shop.spool("turn_end", SECOND, pid=ME)
    shop.work()
    shop.work()
    assert tried == [FIRST, FIRST, SECOND]
    (told,) = diagnose(shop)
    assert told.startswith("broken: Noting a turn failed twice")
    assert "ValueError at test_jobs.py:" in told
    assert "a text of the session" not in told
    assert FIRST in told
    assert shop.resume() is None
    assert diagnose(shop, fix=True) == ["ok: Everything that hooks left was taken in."]
    assert shop.resume() is not None


def test_a_job_that_killed_the_worker_twice_is_not_tried_a_third_time(shop: Shop) -> None:
    shop.put()
    shop.spool("turn_end", pid=ME)
    shop.work()
    state = shop.state
    state.find(HARNESS, FIRST).due[END] = jobs.MOST_TRIES
    write_state(os.path.join(shop.hooks.work, "state.json"), state)
    shop.work()
    assert [(each.job, each.session) for each in shop.state.parked] == [(END, FIRST)]
    assert "killed" in shop.state.parked[0].error


def test_events_that_nobody_takes_in_are_told_and_taken_in_by_fix(shop: Shop) -> None:
    shop.put()
    shop.clock -= 7200
    shop.spool("turn_end", pid=ME)
    (told,) = diagnose(shop)
    assert told.startswith("broken: 1 event of hooks wait in")
    diagnose(shop, fix=True)
    assert os.listdir(shop.hooks.spool) == []


def test_events_that_cannot_be_read_are_told(shop: Shop) -> None:
    name = shop.spool("prompt")
    path = os.path.join(shop.hooks.spool, name)
    with open(path, "w") as file:
        file.write("{")
    shop.work()
    (told,) = diagnose(shop)
    assert told.startswith("note: 1 event could not be read")
    assert diagnose(shop, fix=True) == ["ok: Everything that hooks left was taken in."]


def test_a_machine_where_no_hook_ever_ran_is_well(shop: Shop) -> None:
    assert diagnose(shop) == ["ok: No hook has left anything yet."]
