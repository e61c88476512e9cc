"""Ten compactions in the real client: what the summary dropped is back by the second request, what it kept is not."""

import pytest

from tests.clients.compacting import drive
from tests.clients.test_next_session import register_hooks
from tests.clients.world import MakeWorld
from tests.work.shop import wait_for_worker

pytestmark = pytest.mark.client

COMPACTIONS = 10


def test_what_ten_summaries_dropped_is_heard_again_and_what_they_kept_is_not(claude_world: MakeWorld) -> None:
    outcomes = []
    for seed in range(COMPACTIONS):
        world = claude_world("unused")
        hooks = register_hooks(world)
        outcomes.append(drive(world, seed, hooks))
        wait_for_worker(hooks)
        print(seed, outcomes[-1])
    facts = 60 * COMPACTIONS
    kept = sum(each.kept for each in outcomes)
    assert sum(each.present for each in outcomes) >= 0.95 * facts, outcomes
    assert sum(each.repeated for each in outcomes) <= 0.05 * kept, outcomes
    assert all(0 < each.told_bytes <= 2048 for each in outcomes), outcomes


def test_the_client_alone_hears_half(claude_world: MakeWorld) -> None:
    outcome = drive(claude_world("unused"), 0)
    assert (outcome.alone, outcome.present, outcome.told_bytes) == (30, 30, 0)
