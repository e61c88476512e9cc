"""What was to be verified first stays open until somebody says that it was."""

import pytest

from tests.engines.rules.talk import build, words
from tests.session.talk import agent, edit, human, run
from thruline.session.parts import Part

DOUBT = "The depth at `north_gate` needs to be verified against the chart of the harbour master."
BEGUN: list[Part] = [human(2, "Survey it."), agent(3, f"There are three shoals. {DOUBT} The rest is sure.")]
WORK: list[Part] = [human(4, "Dredge all of them."), *edit(5, "/home/dev/shop/dredge.py"), *run(7, "dredge north_gate")]
LAST: list[Part] = [*run(30, "ls"), human(40, "Thanks."), agent(41, "Gladly.")]


def told(*session: Part) -> str:
    return words(build(session)["open_threads"])


@pytest.mark.parametrize(
    "doubt",
    [
        DOUBT,
        "The depth at `north_gate` was not verified on the spot.",
        "I could not verify whether `north_gate` is deep enough.",
        "The depth of `north_gate` is unconfirmed.",
    ],
)
def test_what_was_to_be_verified_is_open_though_work_was_built_on_it(doubt: str) -> None:
    text = told(human(2, "Survey it."), agent(3, f"Three shoals. {doubt}"), *WORK, agent(9, "All is dredged."), *LAST)
    assert f"To be verified, as the agent told; nobody said that it was:\n{doubt}" in text


@pytest.mark.parametrize(
    "later",
    [
        agent(9, "All is dredged. I confirmed the depth at `north_gate` with the chart."),
        human(9, "north_gate is deep enough, I was there"),
    ],
)
def test_what_somebody_spoke_of_as_verified_is_not_open(later: Part) -> None:
    assert "To be verified" not in told(*BEGUN, *WORK, later, *LAST)


def test_that_something_else_was_verified_settles_nothing() -> None:
    assert "To be verified" in told(*BEGUN, *WORK, agent(9, "I confirmed that the crane lifts two tons."), *LAST)


def test_what_is_said_on_the_way_is_no_report_of_a_doubt() -> None:
    assert "To be verified" not in told(
        human(2, "Survey it."), agent(3, DOUBT), *edit(4, "/x/y.py"), agent(6, "Done."), *LAST
    )


def test_two_doubts_are_told_the_newest_first() -> None:
    more = [
        part for at in (10, 14, 18) for part in (human(at, "And?"), agent(at + 1, f"The `mole_{at}` is unverified."))
    ]
    text = told(*more, *LAST[2:])
    assert text.index("mole_18") < text.index("mole_14")
    assert "To be verified" in text
    assert text.count("To be verified") == 2
