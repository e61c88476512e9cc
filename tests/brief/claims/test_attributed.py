"""What is told to have been said is found; what a program is about is not taken for speech."""

import pytest

from thruline.brief.claims.attributed import find_attributed


@pytest.mark.parametrize(
    "line",
    [
        "Orders by customers: 12 rows are read twice.",
        "Customer orders: the nightly export writes some of them twice.",
        "the customer's orders: two of them fail.",
        "Answers by users: kept in a table of their own.",
        "Replies by agents: cached for a day.",
        "The states of users: active and gone.",
        "Users' demands: counted by hour.",
    ],
)
def test_a_word_that_names_things_too_is_no_speech(line: str) -> None:
    assert list(find_attributed(line)) == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("The user orders: delete all rows now", "delete all rows now"),
        ("User answers: yes, ship it", "yes, ship it"),
        ("Our customer firmly demands: no more pauses", "no more pauses"),
        ("As the user orders, `delete all rows now`.", "delete all rows now"),
        ("`delete all rows now`, the user orders.", "delete all rows now"),
        ("The agent replies: it was never tested", "it was never tested"),
    ],
)
def test_said_by_somebody_who_speaks_in_a_session_it_is_speech(line: str, words: str) -> None:
    assert [one.words for one in find_attributed(line)] == [words]
