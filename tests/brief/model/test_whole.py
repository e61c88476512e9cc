"""What a model cuts out of a sentence is shown as that sentence, and its own words go where the cut turned it."""

import pytest

from tests.brief.sessions import said
from thruline.brief.model.whole import find_whole, widen_quotes
from thruline.brief.pointer import place
from thruline.brief.quotation.evidence import Evidence
from thruline.brief.quotation.match import match_words
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import Claim, Section

SAID = "No, don't add a pause. It only hid it, then and now. Look at the cursor; never change the order, all read it."
SESSION = [said(1, SAID), said(2, f"{'so ' * 400}add a pause{' so' * 400}"), said(3, "Key sk-1: add a pause\nNow!")]


def widen(quote: Quote, text: str = "The user wants to (quoted below)") -> Claim:
    evidence = Evidence([quote])
    for part in SESSION:
        evidence.see(part)
    return widen_quotes([Section("basics", (Claim(text, (quote,), origin="agent"),))], evidence)[0].claims[0]


@pytest.mark.parametrize(
    ("words", "whole", "kept"),
    [
        ("add a pause", "No, don't add a pause.", False),
        ("add a pause.", "No, don't add a pause.", False),
        ("No, don't add a pause.", "No, don't add a pause.", True),
        ("only hid it", "It only hid it, then and now.", True),
        ("change the order", "Look at the cursor; never change the order, all read it.", False),
        ("all read it", "Look at the cursor; never change the order, all read it.", True),
        ("only hid it, … Look at", "It only hid it, … Look at the cursor; never change the order, all read it.", True),
        ("Look at the cursor …", "Look at the cursor …", True),
    ],
)
def test_a_quotation_is_its_whole_sentence_and_what_leads_to_half_of_it_goes(
    words: str, whole: str, kept: bool
) -> None:
    claim = widen(Quote(words, place(1)))
    assert [quote.text for quote in claim.quotes] == [whole]
    assert bool(claim.text) is kept
    assert match_words(whole, SAID) is not None


def test_a_sentence_without_an_end_stays_as_it_was_quoted() -> None:
    assert widen(Quote("add a pause", place(2))).quotes[0].text == "add a pause"


def test_a_line_ends_a_sentence() -> None:
    assert widen(Quote("add a pause", place(3))).quotes[0].text == "Key sk-1: add a pause"


@pytest.mark.parametrize(
    ("text", "words"),
    [("a. b c d. e", "b c d."), ("b c d", "b c d"), ("好。加一个暂停。看", "加一个暂停。"), ("x\nb c d\ny", "b c d")],
)
def test_a_sentence_goes_from_one_end_to_the_next(text: str, words: str) -> None:
    start = text.index(words) + 1
    found = find_whole(text, start, start + 1)
    assert found is not None
    assert text[slice(*found)] == words
