"""Which sentences are taken for rules that stay in force."""

import pytest

from thruline.signals.constraints import LASTING, LIMITING, find_constraints
from thruline.signals.features.text import Text


def strength(text: str) -> float:
    return max([each for _, each, _ in find_constraints(text, [(0, len(text))], Text(text))], default=0.0)


@pytest.mark.parametrize(
    "text",
    [
        "from now on run the linter before you commit",
        "always squash before merging",
        "we should never log the token",
        "please prefer small functions everywhere",
        "can you add that to AGENTS.md?",
        "stick to the old names please",
        "we have to make sure that a token never ends up in the log",
        (
            "Two rules for whatever comes next: never change the column order, old consumers read by position. And "
            "don't touch legacy.py, two customers still depend on it."
        ),
    ],
)
def test_what_directs_and_lasts_is_a_lasting_rule(text: str) -> None:
    assert strength(text) == LASTING


@pytest.mark.parametrize(
    "text",
    [
        "it somehow always lists the old branch",
        "the session was never committed",
        "never mind",
        "no, this is fine",
        "you can always look at the log",
        "just to be sure, the port never changes while it runs",
        "I'm not sure the queue is always empty by then",
        "I'd prefer that",
        "can you read AGENTS.md?",
        "please update the README.md",
        "should we always do that?",
        "use the reviewer on this branch and then open a new pull request",
    ],
)
def test_what_only_tells_or_is_meant_for_one_step_is_no_rule(text: str) -> None:
    assert strength(text) == 0.0


@pytest.mark.parametrize("text", ["use pnpm", "don't run the slow tests", "I don't want a new dependency"])
def test_a_short_limit_is_taken_with_less_strength(text: str) -> None:
    assert strength(text) == LIMITING


def test_a_pasted_review_comment_states_no_rule() -> None:
    text = (
        "This call is never made without a lock because the cache is shared between all of the workers and the "
        "second of them would otherwise always read a stale value from it."
    )
    assert strength(text) == 0.0
