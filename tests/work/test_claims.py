"""Notes that a hook claimed and did not tell."""

import json
import os
from pathlib import Path

import pytest

from tests.work.shop import HARNESS, NOBODY, OTHER, SECOND, Shop
from thruline.process import read_process

ME = os.getpid()


def claim(shop: Shop, session: str = SECOND, pid: int = NOBODY, harness: str = HARNESS) -> str:
    """What a hook does before it tells; it is killed then."""
    path = shop.hooks.build_resume(harness)
    claimed = f"{path}.{session}.{pid}.1"
    os.rename(path, claimed)
    return claimed


def test_notes_that_a_killed_start_took_are_for_the_next_session_again(shop: Shop) -> None:
    shop.run_session(pid=ME)
    before = shop.resume()
    claimed = claim(shop)
    shop.spool("session_start", SECOND, source="startup", pid=NOBODY)
    shop.spool("session_end", SECOND, reason="other")
    shop.work()
    assert shop.resume() == before
    assert not os.path.exists(claimed)


@pytest.mark.parametrize("event", ["prompt", "tool_done", "turn_end"])
def test_a_session_that_went_on_has_heard_them_whether_or_not_the_log_says_so(shop: Shop, event: str) -> None:
    shop.run_session(pid=ME)
    claimed = claim(shop)
    shop.spool("session_start", SECOND, source="startup", pid=NOBODY)
    shop.spool(event, SECOND, pid=NOBODY)
    shop.work()
    assert shop.resume() is None
    assert not os.path.exists(claimed)


@pytest.mark.parametrize("spoke", [False, True])
def test_what_a_hook_took_from_every_client_comes_back_to_every_client_or_to_none(shop: Shop, spoke: bool) -> None:
    shop.run_session(pid=ME)
    before = (shop.resume(), shop.resume(OTHER))
    claimed = [claim(shop, harness=harness) for harness in (HARNESS, OTHER)]
    shop.spool("session_start", SECOND, source="startup", pid=NOBODY)
    shop.spool("prompt" if spoke else "session_end", SECOND, pid=NOBODY, reason="other")
    shop.work()
    assert (shop.resume(), shop.resume(OTHER)) == ((None, None) if spoke else before)
    assert not any(map(os.path.exists, claimed))


def test_what_the_log_says_was_told_is_not_put_back(shop: Shop) -> None:
    shop.run_session(pid=ME)
    envelope = shop.resume()
    told = shop.tell(shop.hooks.build_resume(HARNESS), SECOND)
    claimed = f"{shop.hooks.build_resume(HARNESS)}.{SECOND}.{NOBODY}.1"
    Path(claimed).write_text(json.dumps(envelope))
    shop.spool("session_start", SECOND, source="startup", pid=NOBODY, told=[told])
    shop.work()
    assert shop.resume() is None
    assert not os.path.exists(claimed)


def test_a_claim_whose_client_runs_is_left_alone(shop: Shop) -> None:
    shop.run_session(pid=ME)
    path = shop.hooks.build_resume(HARNESS)
    claimed = f"{path}.{SECOND}.{ME}.{read_process(ME)[2]}"
    os.rename(path, claimed)
    shop.spool("session_start", SECOND, source="startup", pid=ME)
    shop.work()
    assert shop.resume() is None
    assert os.path.exists(claimed)
