"""What belongs to two sections is quoted in one: a dead end has the words that made it one, an open thread points."""

import pytest

from tests.engines.rules.talk import build, fold, render, words
from tests.session.talk import agent, edit, human
from thruline.brief.section import Claim, Section
from thruline.brief.wording import NO_ROOM, TOLD_ELSEWHERE
from thruline.engines.rules.candidates import OVERRULED, QUESTIONED, RULES, Candidate, find_candidates
from thruline.engines.rules.elsewhere import drop_unanswered
from thruline.engines.rules.settled import Since
from thruline.session.parts import Part

FERRY = human(2, "The ferry's timetable shows some crossings twice. Find out why.")
PAUSE = agent(3, "The timetable is read while it is written. I added a pause of two seconds before each read of it.")
UNANSWERED = "The last thing the user said was not answered."
CORRECTIONS = (
    "I told you not to add a pause before each read!",
    "Not what I asked for: no pause before a read.",
    "No, that's wrong. A pause before each read only hides it; lock the timetable instead.",
    "Why a pause before each read? That only hides it, lock the timetable instead.",
)


def find_open(section: Section) -> Claim:
    (claim,) = [one for one in section.claims if one.text == UNANSWERED]
    return claim


def find_topic(section: Section, *topics: str) -> list[Claim]:
    return [one for one in section.claims if one.topic in topics]


@pytest.mark.parametrize("room", [1_000, 2_500, 11_000])
@pytest.mark.parametrize("correction", CORRECTIONS)
def test_a_correction_that_was_not_answered_stands_among_dead_ends_and_the_thread_points_there(
    correction: str, room: int
) -> None:
    made = build([FERRY, PAUSE, human(4, correction)], room)
    (claim,) = find_topic(made["dead_ends"], OVERRULED, QUESTIONED)
    assert claim.quotes[-1].text == correction
    assert claim.keep
    waiting = find_open(made["open_threads"])
    assert waiting.quotes == ()
    assert [pointer.line for pointer in waiting.pointers] == [4]


def test_words_of_which_none_is_a_correction_stay_with_the_thread() -> None:
    made = build([FERRY, PAUSE, human(4, "Now print the timetable of the harbour on the first page as well.")])
    waiting = find_open(made["open_threads"])
    assert [quote.pointer.line for quote in waiting.quotes] == [4]


def test_a_rule_that_was_not_answered_stands_among_the_rules() -> None:
    rule = "Never change the order of the columns, the captains read the timetable by position."
    made = build([FERRY, agent(3, "The timetable now has one row for each crossing."), human(4, rule)])
    assert [one.quotes[0].text for one in find_topic(made["basics"], RULES)] == [rule]
    assert find_open(made["open_threads"]).quotes == ()


def test_a_pick_that_was_not_answered_stands_with_what_was_picked() -> None:
    asked = (
        "The ferry's ticket has no place for a bicycle.\n\n1. **Print it on the back.** No change of the form.\n"
        "2. **Add a column `bicycle` to `tickets`.** Needs a migration.\n\nWhich do you want?"
    )
    text = render([human(2, "Passengers want to take a bicycle along."), agent(3, asked), human(4, "2")])
    pair = text[text.index("### Asked and decided") :]
    assert "  > user, transcript:L4: `2`" in pair
    assert f"- {UNANSWERED} (`transcript:L4`)" in text


def test_a_correction_said_twice_is_told_once_and_nothing_that_it_overruled_is_where_it_landed() -> None:
    session = [
        human(2, "Build the ferry's timetable."),
        agent(3, "I added a loop that reads again after a pause of one second."),
        human(4, "No, don't add a pause."),
        agent(5, "You are right, I removed it."),
        agent(6, "I added a pause between two crossings again."),
        human(7, "No, don't add a pause. It only hides the problem of crossings that overlap."),
        agent(8, "Sorry, removed."),
        human(9, "Thanks"),
    ]
    sections = build(session)
    (claim,) = find_topic(sections["dead_ends"], OVERRULED, QUESTIONED)
    assert [(quote.by, quote.pointer.line) for quote in claim.quotes][-2:] == [("agent", 6), ("human", 7)]
    assert "I added" not in words(sections["convergence"])


def find_overruled(*session: Part) -> Candidate:
    facts = fold(session)
    found = find_candidates(facts.material, facts.signals, Since(facts.material, facts.ledger))
    (overruled,) = [each for each in found if each.overruled_by is not None]
    return overruled


def test_what_was_overruled_does_not_stand_without_the_words_that_did() -> None:
    overruled = find_overruled(FERRY, PAUSE, human(4, CORRECTIONS[0]))
    assert drop_unanswered([overruled], [], {}) == []
    assert drop_unanswered([overruled], [], {("", 4)}) == [overruled]


def test_no_room_is_told_only_where_something_was_refused_for_room() -> None:
    for room in (1_000, 2_500, 11_000, 40_000):
        made = build([FERRY, PAUSE, human(4, CORRECTIONS[0])], room)
        assert all(NO_ROOM not in words(section) for section in made.values()), room


def test_what_was_refused_for_room_is_told_as_that() -> None:
    """Where only a long conclusion was reached, and there is hardly any room."""
    cause = "Root cause: the winter plan `winter.csv` was never removed, so `crossings.csv` gets each crossing of "
    session = [FERRY, agent(3, cause + "the harbour, the island, the lighthouse and the pier twice, in each season.")]
    assert words(build(session, 150)["convergence"]).strip() == NO_ROOM
    assert cause in words(build(session, 3_000)["convergence"])


def test_a_section_whose_words_stand_in_another_says_so() -> None:
    """What the agent was about to do is an open thread, and all that it said."""
    session: list[Part] = [
        human(2, "Why does the ferry's timetable show some crossings twice?"),
        agent(3, "The timetable `crossings.csv` is written twice because the winter plan was never removed from it."),
        *edit(4, "/home/dev/ferry/table.py"),
    ]
    said = words(build(session)["convergence"])
    assert said.strip() == TOLD_ELSEWHERE
