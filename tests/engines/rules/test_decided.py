"""What was decided in the client's dialog is told with what was asked, and an approved plan with what it is called."""

from tests.engines.rules.talk import build, fold, render
from tests.session.talk import agent, edit, human
from thruline.brief.section import Claim
from thruline.engines.rules.candidates import ASKED, RULES
from thruline.engines.rules.decided import build_decided
from thruline.session.parts import ALLOWED, Asked, Part, Planned

BEGUN = human(2, "The ferry needs a timetable on its website. Ask me what you need.")
DONE = [*edit(60, "/home/dev/ferry/table.py"), agent(62, "The timetable is on the page, and its tests pass.")]
PLAN = (
    "# Show the timetable of both shores\n\n## Context\nPassengers of the north shore see the wrong hours.\n\n"
    "## Steps\n1. Read the shore from the `harbour` table\n2. Show one column for each\n"
)


def ask(line: int, question: str, answer: str, *options: str) -> Asked:
    return Asked(line, question, options, answer, call_id=f"q{line}", uuid=f"u{line}")


def plan(line: int, verdict: str, text: str = PLAN, call: str = "p") -> list[Part]:
    """A plan at this line and its verdict at the next, whose record repeats it in other words."""
    return [
        Planned(line, text, "proposed", call_id=call, uuid=f"p{line}"),
        Planned(line + 1, "(see the file)", verdict, call_id=call, uuid=f"v{line}"),
    ]


def decide(*session: Part, room: int = 11_000) -> list[Claim]:
    return [claim for claim in build([BEGUN, *session, *DONE], room)["basics"].claims if claim.topic == ASKED]


def pair(claims: list[Claim]) -> list[tuple[str, ...]]:
    return [tuple(quote.text for quote in claim.quotes) for claim in claims if len(claim.quotes) > 1]


def test_what_was_picked_stands_with_the_question() -> None:
    tide = ask(4, "The tides differ. Which clock shall the page follow?", "Harbour time", "Harbour time", "UTC")
    (claim,) = [one for one in decide(tide) if len(one.quotes) > 1]
    asked, told = claim.quotes
    assert (asked.by, asked.text) == ("agent", "Which clock shall the page follow?")
    assert (told.by, told.text) == ("human", "Harbour time")
    assert (asked.pointer.line, told.pointer.line) == (4, 4)


def test_each_question_of_a_dialog_is_told_and_of_one_asked_twice_the_last_answer() -> None:
    session = [ask(4, "Which colour?", "Red"), ask(4, "Which font?", "Serif"), ask(9, "Which colour?", "Blue")]
    assert pair(decide(*session)) == [("Which font?", "Serif"), ("Which colour?", "Blue")]


def test_a_question_nobody_answered_decides_nothing() -> None:
    assert pair(decide(ask(4, "Which colour?", ""), human(5, "Just begin with the table."))) == []


def test_a_typed_answer_is_told_once_with_its_question() -> None:
    words = "Whatever the harbour office prints on its leaflet"
    typed = human(4, words, "answer", about="Where do the hours come from?")
    text = render([BEGUN, ask(4, "Where do the hours come from?", words, "A file", "A service"), typed, *DONE])
    assert text.count(words) == 1
    assert text.count("Where do the hours come from?") == 1


def test_a_rule_that_was_typed_as_an_answer_stands_among_the_rules_with_its_question() -> None:
    words = "Never in the cloud, only on the ferry's own computer"
    typed = human(4, words, "answer", about="Where shall it run?")
    sections = build([BEGUN, ask(4, "Where shall it run?", words, "Cloud", "Office"), typed, *DONE])
    told = [one for section in sections.values() for one in section.claims if words in [q.text for q in one.quotes]]
    assert [(one.topic, one.quotes[0].text) for one in told] == [(RULES, "Where shall it run?")]


def test_an_approved_plan_is_told_by_its_name_from_where_it_was_proposed() -> None:
    (claim,) = [one for one in decide(*plan(4, "approved")) if one.text == "Approved plan:"]
    (quote,) = claim.quotes
    assert quote.text.startswith("Show the timetable of both shores")
    assert (quote.by, quote.pointer.line, [where.line for where in claim.pointers]) == ("agent", 4, [5])


def test_a_plan_without_a_title_is_told_by_its_first_sentence() -> None:
    untitled = "Read the shore from the harbour table. Then show one column for each."
    (claim,) = [one for one in decide(*plan(4, "approved", untitled)) if one.text == "Approved plan:"]
    assert claim.quotes[0].text.startswith("Read the shore from the harbour table.")


def test_a_plan_that_was_refused_is_no_approved_one() -> None:
    assert not [one for one in decide(*plan(4, "refused")) if one.text == "Approved plan:"]
    again = [
        *plan(4, "approved"),
        Planned(20, PLAN, "proposed", call_id="q"),
        Planned(21, "(see the file)", "refused", call_id="q"),
    ]
    assert not [one for one in decide(*again) if one.text == "Approved plan:"]
    taken_up = [*plan(4, "refused"), *plan(20, "approved", call="q")]
    assert len([one for one in decide(*taken_up) if one.text == "Approved plan:"]) == 1


def test_where_there_is_little_room_the_newest_are_told_and_all_where_there_is_enough() -> None:
    session = [BEGUN, *(ask(4 + at, f"Which hue has pier {at}?", f"Shade {at}") for at in range(30)), *DONE]
    facts = fold(session)
    few = pair(build_decided(facts, 3_000))
    assert 0 < len(few) < 10
    assert few[-1] == ("Which hue has pier 29?", "Shade 29")
    assert len(build_decided(facts, 30_000)) == 30


def test_a_secret_in_an_answer_is_marked() -> None:
    text = render([BEGUN, ask(4, "Which key?", "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"), *DONE])
    assert "ghp_a1" not in text


def test_what_was_typed_while_a_call_was_allowed_answers_no_question() -> None:
    typed = human(4, "Never touch the harbour table while you do this.", "answer", about=ALLOWED)
    assert ALLOWED not in render([BEGUN, typed, *DONE])


def test_what_leads_to_code_in_a_plan_is_not_quoted_and_what_leads_to_a_list_is() -> None:
    text = "# Paint the pier\n\nAdd a colour:\n\n```\nRED = 1\n```\n\nThen these get it:\n- the bollards\n- the ropes\n"
    (claim,) = [one for one in decide(*plan(4, "approved", text)) if one.text == "Approved plan:"]
    assert "Add a colour" not in claim.quotes[0].text
    assert "Then these get it:" in claim.quotes[0].text
    assert "the ropes" in claim.quotes[0].text


def test_one_that_is_too_long_keeps_no_older_one_out() -> None:
    long = ask(9, "Which " + "very " * 60 + "old rope?", "All of them that hang at the pier, " * 8)
    assert pair(build_decided(fold([BEGUN, ask(4, "Which hue?", "Red"), long, *DONE]), 3_000)) == [
        ("Which hue?", "Red")
    ]


def _find_left(*session: Part) -> list[tuple[str, ...]]:
    claims = build([BEGUN, *session, *DONE])["dead_ends"].claims
    return [tuple(one.text for one in claim.quotes) for claim in claims if claim.text == "Offered, and not chosen:"]


def test_what_was_offered_first_and_passed_over_is_a_dead_end() -> None:
    tide = ask(4, "Which clock shall the page follow?", "UTC", "Harbour time", "UTC")
    assert _find_left(tide) == [("Harbour time", "Which clock shall the page follow?", "UTC")]


def test_what_was_taken_as_it_was_offered_first_leaves_no_dead_end() -> None:
    tide = ask(4, "Which clock shall the page follow?", "Harbour time", "Harbour time", "UTC")
    assert _find_left(tide) == []


def test_an_answer_in_words_of_their_own_or_a_later_one_counts() -> None:
    first = ask(4, "Which clock shall the page follow?", "UTC", "Harbour time", "UTC")
    later = ask(8, "Which clock shall the page follow?", "Harbour time", "Harbour time", "UTC")
    own = ask(12, "Which colour?", "whatever the ferry has", "Blue", "Red")
    assert _find_left(first, later, own) == []
