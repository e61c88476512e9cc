"""A refused call and a refused plan: the typed reason, or the client's words, and whether it still stands."""

import pytest

from tests.session.talk import agent, human, run
from tests.signals.miner.kinds import kinds
from thruline.session import parts
from thruline.session.parts import Call, Part, Planned, Result, Said
from thruline.signals.miner import mine


def test_a_refusal_with_a_reason_is_a_refusal_and_a_correction() -> None:
    session = [
        human(1, "set up the project"),
        Call(2, "c2", "Bash", "run", "npm install"),
        human(3, "use pnpm", "rejection", call_id="c2", about="Bash npm install"),
        Result(3, "c2", parts.REFUSED, 10, text="The user doesn't want to proceed with this tool use."),
        *run(4, "pnpm install"),
    ]
    found = mine(session)
    (correction,) = kinds(found, "correction")
    (refusal,) = kinds(found, "refusal")
    assert correction.quote == refusal.quote == "use pnpm"
    assert correction.strength > 0.9
    assert refusal.about == "Bash npm install"


def test_a_refusal_without_a_reason_quotes_the_client() -> None:
    session = [
        Call(2, "c2", "Bash", "run", "rm -rf build"),
        Result(3, "c2", parts.REFUSED, 10, text="The user doesn't want to proceed.\nmore"),
    ]
    (found,) = mine(session)
    assert (found.kind, found.quote, found.about) == (
        "refusal",
        "The user doesn't want to proceed.",
        "Bash rm -rf build",
    )


def test_an_interrupt_says_what_was_stopped() -> None:
    session = [
        Call(1, "c1", "Bash", "run", "make all"),
        Said(2, "client", "interrupt", "[Request interrupted by user]"),
    ]
    (found,) = mine(session)
    assert (found.kind, found.quote, found.about) == ("interrupt", "[Request interrupted by user]", "Bash make all")


def test_a_refused_plan_is_a_dead_end() -> None:
    found = mine([Planned(1, "Rewrite it in C", "proposed", call_id="p"), Planned(2, "", "refused", call_id="p")])
    (dead,) = kinds(found, "dead_end")
    assert (dead.quote, dead.variety) == ("Rewrite it in C", "plan")


def refused_plan(line: int, plan: str, *reason: Part) -> list[Part]:
    """A plan, its refusal by the client, and what was typed with it."""
    return [
        Call(line, f"p{line}", "Plan", "plan", plan),
        Planned(line, plan, "proposed", call_id=f"p{line}"),
        Planned(line + 1, plan, "refused", call_id=f"p{line}"),
        *reason,
        Result(line + 1, f"p{line}", parts.REFUSED, 10, text="The user doesn't want to proceed."),
    ]


@pytest.mark.parametrize(
    ("told", "where"),
    [
        ("ok, first commit the rest, then proceed with this new plan", 5),
        ("let's look at the tests first", 0),
        ("something else: which version are we on", 0),
    ],
)
def test_a_plan_refused_and_then_let_go_on_is_marked_as_taken_back(told: str, where: int) -> None:
    found = mine([*refused_plan(1, "# Report broken archives"), human(5, told), agent(6, "Okay.")])
    assert [signal.withdrawn for signal in found if signal.kind == "refusal"] == [where]
    assert [signal.withdrawn for signal in found if signal.variety == "plan"] == [where]


def test_a_plan_refused_and_approved_later_is_marked_as_taken_back() -> None:
    again = [Planned(8, "# Drain it", "proposed", call_id="q"), Planned(9, "# Drain it", "approved", call_id="q")]
    found = mine([*refused_plan(1, "# Drain it"), human(5, "hm, what about locks"), agent(6, "None."), *again])
    assert [signal.withdrawn for signal in kinds(found, "dead_end")] == [9]
    assert [(signal.line, signal.withdrawn) for signal in kinds(found, "decision") if signal.variety == "plan"] == [
        (8, 0)
    ]


def test_a_reason_typed_with_the_refusal_of_a_plan_stands() -> None:
    reason = human(2, "go ahead, but without the second step", "rejection", call_id="p1")
    found = mine([*refused_plan(1, "# Drain it", reason), agent(5, "Okay.")])
    (refusal,) = kinds(found, "refusal")
    assert (refusal.quote, refusal.withdrawn) == ("go ahead, but without the second step", 0)


def test_each_refusal_keeps_its_typed_reason_where_the_same_was_typed_twice() -> None:
    session: list[Part] = []
    for line, reason in (
        (1, "no no, please use the other queue instead"),
        (5, "no, please use the other queue instead"),
    ):
        session += [
            Call(line, f"c{line}", "Bash", "run", "make"),
            human(line + 1, reason, "rejection", call_id=f"c{line}"),
            Result(line + 1, f"c{line}", parts.REFUSED, 10, text="The user doesn't want to proceed."),
            agent(line + 2, "Sorry."),
        ]
    found = mine(session)
    assert [signal.quote for signal in kinds(found, "refusal")] == [session[1].text, session[5].text]  # type: ignore[attr-defined]
    assert len(kinds(found, "correction")) == 1
