"""Dead ends are mined from four sources, and where room is short the first of them stays longest."""

import pytest

from tests.engines.rules.talk import build, fold, words
from tests.session.talk import agent, edit, human
from thruline.engines.rules import Rules
from thruline.engines.rules.candidates import DISPROVED, OVERRULED
from thruline.engines.rules.material import MOST_THOUGHT, Material
from thruline.session.parts import Call, Part, Result, Thought

TOLD = "No, that is wrong, don't put the quota into `limits_user.py`."
SAID = "The limiter in `limits_said.py` was not the cause, it drops nothing."
MUSED = "The counter in `limits_mused.py` was not the cause, it wraps nothing."
FOUND = "The proxy in `limits_found.py` was not the cause, it buffers nothing."
# In the order of their rank.
NAMES = ("limits_user.py", "limits_said.py", "limits_mused.py", "limits_found.py")


def delegate(line: int, task: str, outcome: str, words: str) -> list[Part]:
    return [
        Call(line, f"c{line}", "Task", "delegate", task),
        Result(line + 1, f"c{line}", outcome, 10, text=words, uuid=f"r{line}"),
    ]


SESSION: list[Part] = [
    human(2, "Requests are dropped under load. Find out why."),
    *delegate(3, "Look at the proxy", "ok", FOUND),
    Thought(5, MUSED, uuid="t5"),
    agent(6, SAID),
    *edit(7, "/home/dev/gate/limits.py"),
    agent(9, "The quota is now kept per key, in memory, and nothing is dropped."),
    human(10, TOLD),
    agent(11, "You are right, I put it back. The quota stays per key."),
]


@pytest.mark.feature("F001-22", via="unit")
@pytest.mark.parametrize("name", NAMES)
def test_every_source_yields_a_dead_end(name: str) -> None:
    (claim,) = [one for one in build(SESSION)["dead_ends"].claims if any(name in quote.text for quote in one.quotes)]
    assert claim.topic == (OVERRULED if name == NAMES[0] else DISPROVED)


def test_each_is_quoted_where_it_stands() -> None:
    places = {quote.pointer.line: quote.by for one in build(SESSION)["dead_ends"].claims for quote in one.quotes}
    assert places.items() >= {10: "human", 6: "agent", 5: "agent", 4: "agent"}.items()


@pytest.mark.feature("F001-22", via="unit")
def test_under_a_tight_budget_the_sources_are_left_out_in_the_order_of_their_rank() -> None:
    # The same number of words and of new names each, so that nothing but the rank can tell them apart.
    rules, sizes = Rules(fold(SESSION)), range(200, 4_000, 20)
    told = {size: words(next(one for one in rules.build(size) if one.name == "dead_ends")) for size in sizes}
    needed = {name: min(size for size in sizes if name in told[size]) for name in NAMES}
    assert list(needed.values()) == sorted(set(needed.values())), needed


@pytest.mark.parametrize("outcome", ["error", "interrupted"])
def test_a_subagent_that_came_to_nothing_is_a_dead_end_by_its_task(outcome: str) -> None:
    session = [human(2, "Find out why."), *delegate(3, "Look at the proxy", outcome, "no answer"), agent(5, "Well.")]
    text = words(build(session)["dead_ends"])
    assert "A subagent was given up" in text
    assert "Look at the proxy" in text


@pytest.mark.parametrize(
    "text",
    [
        "",  # only a signature was stored
        "If the proxy was not the cause, the limiter in `limits_mused.py` is.",
        "Perhaps the counter in `limits_mused.py` was not the cause after all.",
        "The counter in `limits_mused.py` doesn't exist before the first request.",
        "Was the counter in `limits_mused.py` not the cause?",
    ],
)
def test_what_a_thought_only_weighs_is_no_dead_end(text: str) -> None:
    session = [human(2, "Requests are dropped."), Thought(3, text, uuid="t3"), agent(4, "I look at the counter.")]
    assert "limits_mused" not in words(build(session)["dead_ends"])


def test_of_long_thoughts_the_newest_are_held() -> None:
    material = Material()
    material.see_all(Thought(line, f"{line} " + "x" * 9_000) for line in range(1, 40))
    assert sum(len(each.text) for each in material.thoughts) <= MOST_THOUGHT
    assert material.thoughts[-1].line == 39


def test_what_a_subagent_thinks_is_not_the_session_s_own() -> None:
    material = Material()
    material.see_all([Thought(3, MUSED, source="a1")])
    assert material.thoughts == []
