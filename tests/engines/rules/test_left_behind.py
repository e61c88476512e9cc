"""A way that the user went back on: told as that, once, and nothing that was said on it stands."""

from tests.engines.rules.talk import build, render
from tests.session.talk import agent, edit, human
from thruline.session.parts import Part, Rewound

FERRY: list[Part] = [
    human(2, "Plan the timetable of the ferry."),
    agent(3, "The timetable follows the tide, since the harbour of `north` falls dry twice a day."),
    human(4, "Let it leave every hour from the north pier."),
    agent(5, "The timetable leaves every hour from the `north` pier now, whatever the tide says."),
    human(6, "And never let it sail after eight in the evening, the crew goes home."),
    agent(7, "The last ferry leaves the `north` pier at eight, and the crew goes home."),
    Rewound(8, 4, 7),
    human(9, "Let it leave two hours before each high water instead."),
    *edit(10, "/home/dev/ferry/times.py"),
    agent(12, "`times.py` leaves two hours before each high water, as the pilot asked."),
]


def test_one_rewind_is_told_once_with_the_words_that_it_began_with() -> None:
    (claim,) = [each for each in build(FERRY)["dead_ends"].claims if each.text.startswith("Gone back on")]
    assert [quote.text for quote in claim.quotes] == ["Let it leave every hour from the north pier."]


def test_what_was_said_on_a_way_that_was_left_is_told_nowhere_else() -> None:
    for budget in (1_000, 3_000):
        told = render(FERRY, budget)
        assert "whatever the tide says" not in told
        assert told.count("every hour from the north pier") == 1
        assert "two hours before each high water" in told


def test_a_rule_that_the_user_gave_on_the_way_holds_all_the_same() -> None:
    assert "never let it sail after eight" in render(FERRY, 1_000)
