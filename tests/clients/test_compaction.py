"""Ten compactions in the real client: what the summary dropped is back by the second request, what it kept is not."""

import pytest

from tests.clients.compacting import AUTO, MANUAL, drive
from tests.clients.ours import register_hooks
from tests.clients.world import MakeWorld
from tests.work.shop import wait_for_worker

pytestmark = pytest.mark.client

COMPACTIONS = 5  # by each trigger


@pytest.mark.parametrize("trigger", [MANUAL, AUTO])
def test_what_summaries_dropped_is_heard_again_and_what_they_kept_is_not(claude_world: MakeWorld, trigger: str) -> None:
    outcomes = []
    for seed in range(COMPACTIONS):
        world = claude_world("unused")
        hooks = register_hooks(world)
        outcomes.append(drive(world, seed + COMPACTIONS * (trigger == AUTO), hooks, trigger))
        wait_for_worker(hooks)
        print(trigger, seed, outcomes[-1])
    facts = 60 * COMPACTIONS
    kept = sum(each.kept for each in outcomes)
    assert sum(each.present for each in outcomes) >= 0.95 * facts, outcomes
    assert sum(each.repeated for each in outcomes) <= 0.05 * kept, outcomes
    assert all(0 < each.told_bytes <= 2048 for each in outcomes), outcomes
    # Asked to keep things is who writes a summary of a full window; the other list would stay on a person's screen.
    assert {each.asked_to_keep > 0 for each in outcomes} == {trigger == AUTO}, outcomes


@pytest.mark.parametrize("trigger", [MANUAL, AUTO])
def test_the_client_alone_hears_half(claude_world: MakeWorld, trigger: str) -> None:
    outcome = drive(claude_world("unused"), 0, trigger=trigger)
    assert (outcome.alone, outcome.present, outcome.repeated, outcome.told_bytes) == (30, 30, 0, 0)
