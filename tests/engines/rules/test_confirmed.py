"""What the user says works is where a session landed, in the user's words."""

import pytest

from tests.engines.rules.talk import build
from tests.session.talk import agent, edit, human
from thruline.signals.confirming import is_confirmed

REPORT = "The bell of the ferry rings at both shores now: `bell.py` asks the other shore first."


def land(answer: str) -> list[tuple[str, str]]:
    session = [
        human(2, "The bell rings once."),
        *edit(3, "/home/dev/ferry/bell.py"),
        agent(5, REPORT),
        human(6, answer),
    ]
    session += [agent(7, "Glad to hear it.")]
    quotes = [quote for claim in build(session)["convergence"].claims for quote in claim.quotes]
    return [(quote.by, quote.text) for quote in quotes]


@pytest.mark.feature("F001-20", via="unit")
def test_a_report_that_the_user_confirmed_stands_with_the_users_words() -> None:
    assert land("ok, works. great") == [("agent", REPORT), ("human", "ok, works. great")]


@pytest.mark.parametrize(
    "answer",
    [
        "works?",
        "it still doesn't work",
        "works, but only at the north shore",
        "how it works is not clear",
        "thanks",
    ],
)
def test_who_asks_doubts_or_only_thanks_confirms_nothing(answer: str) -> None:
    assert not is_confirmed(answer)
    assert ("human", answer) not in land(answer)


@pytest.mark.parametrize("answer", ["yep, looks good", "that was it", "ça marche", "работает", "das war's"])
def test_a_few_words_are_enough_in_any_language_we_have(answer: str) -> None:
    assert is_confirmed(answer)
