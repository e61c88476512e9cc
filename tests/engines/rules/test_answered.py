"""What a short answer settled stands with what it answers: alone, "yes" and "2" tell nobody anything."""

import pytest

from tests.engines.rules.talk import build, render, words
from tests.session.talk import agent, edit, human
from thruline.brief.section import Claim
from thruline.engines.rules.candidates import ASKED
from thruline.engines.rules.candidates.answered import find_picked, is_granted
from thruline.session.parts import Part

WAYS = (
    "The bakery's order form has no place for a note.\n\n"
    "1. **Put the note into the address field.** No change of the database.\n"
    "2. **Add a column `note` to `orders`.** Needs a migration.\n"
    "3. **Ask by mail.** Nothing to build.\n\n"
    "Which do you want?"
)


def decide(answer: str, asked: str = WAYS) -> list[Claim]:
    session: list[Part] = [
        human(2, "Customers of the bakery want to leave a note with their order."),
        agent(3, asked),
        human(4, answer),
        *edit(5, "/home/dev/bakery/form.py"),
        agent(7, "The form has what you picked, and the tests of the bakery's form pass."),
    ]
    return [claim for claim in build(session)["basics"].claims if claim.topic == ASKED and len(claim.quotes) > 1]


@pytest.mark.parametrize("answer", ["2", "2.", "let's do 2", "(2) please", "option 2", "add the column"])
def test_a_pick_is_told_with_what_was_picked(answer: str) -> None:
    (claim,) = decide(answer)
    asked, told = claim.quotes
    assert (asked.by, told.by) == ("agent", "human")
    assert "Add a column `note` to `orders`." in asked.text
    assert "by mail" not in asked.text
    assert told.text == answer


def test_two_picks_are_both_told() -> None:
    (claim,) = decide("1 and 3")
    assert "address field" in claim.quotes[0].text
    assert "Ask by mail" in claim.quotes[0].text


def test_why_there_was_something_to_ask_is_told_with_the_pick() -> None:
    (claim,) = decide("2")
    assert claim.quotes[0].text.startswith("The bakery's order form has no place for a note.")


def test_a_letter_is_a_pick_and_an_article_is_none() -> None:
    ways = "Two ways:\n- **A) A form** of its own\n- **B) A field** in the form\n\nWhich one?"
    assert [ways[span.start : span.end] for span in find_picked(ways, "a")] == ["**A) A form** of its own"]
    assert find_picked(ways, "write a test for it") == []


@pytest.mark.parametrize("answer", ["not 2", "don't do 2", "3 tests fail", "fix it in 2 minutes", "9"])
def test_a_number_in_an_answer_is_not_always_a_pick(answer: str) -> None:
    assert find_picked(WAYS, answer) == []


def test_a_pick_is_of_the_last_list() -> None:
    found = (
        "1. **No note**: the form has no field\n2. **No column**: `orders` has no place\n"
        "3. **No screen**: the kitchen sees nothing\n\n"
        "Should I:\n1. Add a field\n2. Add a column\n3. Add a line to the kitchen's screen\n\nWhich?"
    )
    (span,) = find_picked(found, "3")
    assert found[span.start : span.end] == "Add a line to the kitchen's screen"


def test_what_was_not_picked_is_not_said_to_be_so() -> None:
    session: list[Part] = [
        human(2, "Customers of the bakery want to leave a note with their order."),
        agent(3, WAYS),
        human(4, "2"),
        *edit(5, "/home/dev/bakery/form.py"),
        agent(7, "The orders have a note now."),
    ]
    text = render(session)
    assert "Add a column `note`" in text
    assert "by mail" not in text
    assert "address field" not in text


def test_an_answer_stands_once() -> None:
    asked = "Shall the migration of `orders` keep the notes of old customers?"
    session = [human(2, "Move the notes."), agent(3, asked), human(4, "yes, keep every single one"), agent(5, "Kept.")]
    assert render(session).count("yes, keep every single one") == 1


def test_words_about_something_else_are_no_answer() -> None:
    assert decide("the oven is broken", "Shall the migration of `orders` keep the notes of old customers?") == []


def test_a_question_that_says_nothing_is_not_quoted() -> None:
    assert decide("yes", "I wrote the form of the bakery. Looks good?") == []
    assert decide("go ahead", "I could write the form. Shall I go ahead with this, or do you prefer another way?") == []


def test_what_the_user_agreed_to_is_where_it_landed() -> None:
    design = "Every order gets a `note` of at most 200 letters, which the kitchen's screen shows in red. Is that right?"
    for answer, stands in (
        ("yes", True),
        ("hm, tell me more about the kitchen first, how many screens are there", False),
    ):
        session = [human(2, "Design a note for the bakery's orders."), agent(3, design), human(4, answer)]
        session += [agent(5, "The oven of the bakery has three screens, and `oven.py` tells which of them is on.")]
        assert ("200 letters" in words(build(session)["convergence"])) is stands


@pytest.mark.parametrize("answer", ["yes", "ok, go ahead", "sounds good!", "ja, genau", "да", "はい"])
def test_a_yes_is_a_yes_in_any_language_with_cues(answer: str) -> None:
    assert is_granted(answer)


@pytest.mark.parametrize(
    "answer",
    ["no", "yes but not in this file", "", "why?", "yes " * 9, "looks wrong, right?", "is it ok?", "good question"],
)
def test_anything_else_is_none(answer: str) -> None:
    assert not is_granted(answer)


def test_a_correction_is_no_answer() -> None:
    assert decide("no, that's wrong") == []


def refuse_offer(answer: str, asked: str) -> list[tuple[str, ...]]:
    return [tuple(quote.text for quote in claim.quotes) for claim in decide(answer, asked)]


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("no", "Shall I drop the oven's table as well?"),
        ("Nope.", "Should I send the receipts by mail?"),
        ("no thanks", "Want me to print the invoices twice?"),
        ("not now", "Shall I rename the ovens?"),
        ("Nein.", "Soll ich die Öfen umbenennen?"),
        ("non", "Dois-je renommer les fours ?"),
        ("нет", "Мне переименовать печи?"),
    ],
)
def test_a_plain_no_is_told_with_what_it_keeps_from_being_done(answer: str, question: str) -> None:
    ((asked, told),) = refuse_offer(answer, f"The form is done. {question}")
    assert asked.endswith(question)
    assert told == answer


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("no", "Shall I go ahead, or do you prefer another way?"),
        ("no", "Is there anything else?"),
        ("no, why would the ovens need it?", "Shall I drop the oven's table as well?"),
        ("sure", "Shall I rename the ovens?"),
    ],
)
def test_a_no_that_keeps_nothing_nameable_from_being_done_is_not_paired(answer: str, question: str) -> None:
    assert refuse_offer(answer, f"The form is done. {question}") == []
