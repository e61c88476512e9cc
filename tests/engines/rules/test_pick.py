"""Picking: what adds most for its length, and nothing twice."""

import pytest

from tests.engines.rules.talk import ORDERS, build, fold
from tests.session.talk import agent, edit, human
from thruline.engines.rules import Facts
from thruline.engines.rules.candidates import Candidate, find_candidates
from thruline.engines.rules.pick import Picker, Reach
from thruline.engines.rules.settled import Since
from thruline.engines.rules.terms import Weights, find_terms

SESSION = [
    human(2, "Why does the exporter write orders twice?"),
    agent(3, "The exporter reads pages with an inclusive cursor. The exporter reads pages with an inclusive cursor."),
    human(4, "And what else?"),
    agent(5, "The scheduler starts two workers while the lock file is never written."),
]


def pick(room: int) -> list[str]:
    facts = fold(SESSION)
    candidates = [one for one in find_all(facts) if one.message.by == "agent"]
    picker = Picker(Reach(candidates, Weights([one.terms for one in candidates], [], [])))
    picker.take(candidates, room, least=0.5)
    return [one.text for one in picker.taken]


def find_all(facts: Facts) -> list[Candidate]:
    return find_candidates(facts.material, facts.signals, Since(facts.material, facts.ledger))


def test_a_sentence_said_twice_is_taken_once() -> None:
    taken = pick(1000)
    assert len(taken) == len(set(taken)) == 2


def test_the_room_is_never_exceeded() -> None:
    for room in range(0, 400, 20):
        assert sum(len(text) for text in pick(room)) <= room


def test_what_was_told_already_is_worth_nothing() -> None:
    # Of the agent's very last message the first sentence counts all the same, so another one comes after it.
    facts = fold([*SESSION, human(6, "Thanks."), agent(7, "One worker waits for the other one now.")])
    candidates = [one for one in find_all(facts) if one.message.line == 5]
    assert candidates
    picker = Picker(Reach(candidates, Weights([one.terms for one in candidates], [], [])), find_terms(SESSION[3].text))
    assert picker.take(candidates, 1000) == 1000


def test_a_correction_that_says_little_is_kept_with_the_sentence_that_says_what_it_is_about() -> None:
    facts = fold(
        [
            human(2, "Please describe the search for stamps."),
            agent(3, "I added a section for it to the manual."),
            human(4, "That's not what I asked you to do. What I said was to change the page about counting stamps."),
            agent(5, "You are right, sorry, I will move the section."),
            human(6, "No, never change the page about counting stamps in any way. The rest of the manual is yours."),
            agent(7, "You are right, sorry."),
        ]
    )
    people = [one for one in find_all(facts) if one.message.by == "human"]
    picker = Picker(Reach(people, Weights([one.terms for one in people], [], [])))
    picker.take_kept(people, 1000)
    taken = {one.text for one in picker.taken}
    assert {"That's not what I asked you to do.", "What I said was to change the page about counting stamps."} <= taken
    assert "The rest of the manual is yours." not in taken


@pytest.mark.parametrize("room", [300, 500, 700, 900, 1_200, 1_500, 3_000, 11_000])
def test_a_section_says_that_it_is_cut_where_more_room_tells_more(room: int) -> None:
    def count(room: int) -> int:
        return sum(not claim.statement for section in build(ORDERS, room).values() for claim in section.claims)

    assert any(section.cut for section in build(ORDERS, room).values()) is (count(room) < count(1_000_000))


def test_a_piece_of_a_report_stands_with_what_the_report_is_about_in_any_room() -> None:
    begins, details = (
        "`ledger.py` rounds in one place only, at the end of the day.",
        "`HALF_EVEN` of `money.py` is read by `Ledger.total` and `Invoice.tax`",
    )
    report = f"Done.\n\n{begins}\n\nIn detail:\n\n- {details}\n- the old names are gone"
    session = [human(2, "Round the ledger."), *edit(3, "/home/dev/shop/money.py"), agent(5, report)]
    session += [human(6, "Now the `Invoice.tax` of `money.py`."), *edit(7, "/home/dev/shop/tax.py")]
    session += [agent(9, "The tax of `Ledger.total` has its own column now.")]
    told = [build(session, room)["convergence"] for room in (900, 1_200, 1_600, 4_000)]
    quotes = [
        quote.text
        for section in told
        for claim in section.claims
        for quote in claim.quotes
        if "HALF_EVEN" in quote.text
    ]
    assert quotes
    assert all(text.startswith(begins) for text in quotes)


def test_a_first_sentence_that_stands_elsewhere_is_not_told_again() -> None:
    first, second = (
        "`Pager.cursor` was inclusive, which doubled every last row.",
        "The `lock` of the scheduler is never written by `start`.",
    )
    facts = fold([human(2, "Why?"), agent(3, f"{first} {second}"), human(4, "And?"), agent(5, "That is all of it.")])
    made = [one for one in find_all(facts) if one.message.line == 3]
    reach = Reach(made, Weights([one.terms for one in made], [], []))
    for elsewhere, expected in (((), [first, second]), (made[:1], [second])):
        picker = Picker(reach, elsewhere=elsewhere)
        picker.take(made[1:], 1_000, least=0.5)
        assert [one.text for one in picker.taken] == expected
