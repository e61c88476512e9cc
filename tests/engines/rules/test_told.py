"""Few words of a person that settle something are told; a yes that says no more is not."""

import pytest

from tests.engines.rules.talk import fold, render
from tests.session.talk import agent, human
from thruline.brief.document import parse_document
from thruline.brief.pointer import place
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import HEADINGS
from thruline.engines.rules.candidates import find_candidates
from thruline.engines.rules.settled import Since
from thruline.signals.signal import Signal

WAYS = "Ways to keep the tide tables:\n1. A queue\n2. A file\n3. Nothing\nWhich one?"


def tell(first: str, answer: str, budget: int = 3_000) -> str:
    said = [human(2, first), agent(3, WAYS), human(4, answer), agent(5, "Using a file in the folder of the harbour.")]
    text = render([*said, human(6, "Now the page of the lighthouse."), agent(7, "The page is there.")], budget)
    assert list(HEADINGS) == [line for line in text.split("\n") if line in HEADINGS]
    return text


@pytest.mark.parametrize("answer", ["2, but not in /tmp", "yes, but never in git", "a file, but no log"])
@pytest.mark.parametrize("budget", [1_000, 3_000])
def test_a_decision_in_few_words_is_told(answer: str, budget: int) -> None:
    text = tell("How do we keep the tide tables of the harbour?", answer, budget)
    assert Quote(answer, place(4)) in [placed.quote for placed in parse_document(text).quotes]


def test_the_first_request_is_told_however_short_it_is() -> None:
    assert "transcript:L2: `How to cache?`" in tell("How to cache?", "2")


@pytest.mark.parametrize("answer", ["Go ahead.", "ok, lets", "yes, please do"])
def test_a_yes_that_says_no_more_is_not_told_alone(answer: str) -> None:
    said = [human(2, "How do we keep the tide tables of the harbour?"), agent(3, "They could be kept in a file.")]
    session = [*said, human(4, answer), agent(5, "The tide tables are in a file now."), human(6, "Thanks.")]
    text = render([*session, agent(7, "Gladly.")])
    assert "L4" not in text
    assert 4 not in [placed.quote.pointer.line for placed in parse_document(text).quotes]


MEANT = "The tide tables are read twice when a harbour has two gauges, so its page tells every tide two times."


@pytest.mark.parametrize(
    "shown",
    [f"{MEANT} That began with the second gauge.", f"{MEANT}\n\nHarbour two, gauge one, from the log of today."],
)
def test_a_request_that_points_to_what_is_pasted_tells_its_first_sentence(shown: str) -> None:
    asked = human(2, f"Can you say how much work it is to fix this:\n\n{shown}")
    text = render([asked, agent(3, "An hour: the gauges need a name each.")], 1_000)
    assert f"to fix this: … {MEANT}" in text.replace("⏎⏎", " … ")


def test_what_was_printed_is_not_what_a_request_meant() -> None:
    shown = "2026-11-02 08:15:01 DEBUG gauge=1 harbour=2 the tide of today was read for the page."
    asked = human(2, f"Can you look at what the harbour page logs here:\n\n{shown}")
    text = render([asked, agent(3, "The gauges need a name each.")], 1_000)
    assert "logs here:" in text
    assert shown not in text


def test_of_a_correction_the_sentence_is_told_that_corrects_and_not_the_one_that_decides() -> None:
    said = "Do not drop the table of May, keep it.\nThe page hides the tide of today though."
    session = [
        human(2, "Show the tides."),
        agent(3, "The page shows the tides now."),
        human(4, said),
        agent(5, "Right."),
    ]
    facts = fold(session)
    found = (
        Signal("correction", "human", said.split("\n")[1], 4, "u4", strength=0.6),
        Signal("decision", "human", said.split("\n")[0], 4, "u4", strength=0.9),
    )
    told = [
        one
        for one in find_candidates(facts.material, found, Since(facts.material, facts.ledger))
        if one.message.line == 4 and one.message.by == "human"
    ]
    assert [one.text for one in told if one.keep] == [said.split("\n")[1]]
