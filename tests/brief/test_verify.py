"""A quotation is proved, repaired or gone; a pointer opens or is gone."""

import pytest

from tests.brief.sessions import NoFacts, SomeFacts, said
from tests.redact.planting import fill
from thruline.brief.pointer import Pointer, place
from thruline.brief.quotation.evidence import Evidence
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import QUOTED, REMOVED, Claim, Section
from thruline.brief.verify import check_pointer, check_quote, find_wanted, verify_sections

SESSION = [
    said(3, "Please fix the export."),
    said(5, "I will add a pause between the batches.", "agent"),
    said(8, "No, don't add a pause. Look at the cursor."),
    said(9, "You said: don't add a pause. Understood.", "agent"),
    said(12, "Never change the column order."),
]


def prove(quote: Quote) -> tuple[str, Quote | None]:
    evidence = Evidence([quote])
    for part in SESSION:
        evidence.see(part)
    finding = check_quote(quote, evidence, SomeFacts())
    return finding.status, finding.quote


def test_a_right_quotation_is_left_alone_and_gets_its_uuid() -> None:
    status, quote = prove(Quote("don't add a pause", place(8)))
    assert (status, quote) == ("ok", Quote("don't add a pause", place(8, uuid="u8")))


def test_the_true_line_replaces_a_wrong_one() -> None:
    assert prove(Quote("Never change the column order", place(8))) == (
        "moved",
        Quote("Never change the column order", place(12, uuid="u12")),
    )


def test_a_line_behind_the_end_is_replaced_too() -> None:
    assert prove(Quote("Please fix", place(4_000)))[0] == "moved"


def test_the_speaker_counts_more_than_the_line() -> None:
    status, quote = prove(Quote("don't add a pause", place(9)))
    assert status == "moved"
    assert quote is not None
    assert (quote.by, quote.pointer.line) == ("human", 8)


def test_words_of_the_agent_are_not_the_user_s() -> None:
    status, quote = prove(Quote("I will add a pause", place(5)))
    assert status == "reattributed"
    assert quote is not None
    assert quote.by == "agent"


def test_a_range_is_searched_record_by_record() -> None:
    assert prove(Quote("Look at the cursor", place(5, 9)))[0] == "ok"
    assert prove(Quote("batches.\nNo, don't", place(5, 9)))[0] == "missing"


def test_a_range_that_ends_behind_the_transcript_is_replaced_by_the_true_line() -> None:
    status, quote = prove(Quote("Look at the cursor", place(5, 99_999)))
    assert status == "moved"
    assert quote is not None
    assert quote.pointer == place(8, uuid="u8")


@pytest.mark.parametrize("words", ["Don't add a pause", "don't add the pause", "Delete the table"])
def test_words_that_stand_nowhere_are_gone(words: str) -> None:
    assert prove(Quote(words, place(8))) == ("missing", None)


@pytest.mark.parametrize("words", ["… change the column order", "change the column order"])
def test_words_whose_denial_was_cut_away_are_told_as_cut_and_get_it_back(words: str) -> None:
    whole = Quote("Never change the column order.", place(12))
    assert prove(Quote(words, place(12))) == ("cut", whole)
    assert prove(whole)[0] == "ok"
    assert prove(Quote("change … column order", place(12))) == ("cut", None)


def test_a_commit_s_subject_and_a_line_of_a_file_can_be_quoted() -> None:
    assert prove(Quote("Close the cursor once", Pointer("commit", commit="1a2b"), "git"))[0] == "ok"
    assert prove(Quote("Close the cursor twice", Pointer("commit", commit="1a2b"), "git"))[0] == "missing"
    assert prove(Quote("Close the cursor once", Pointer("commit", commit="ffff"), "git"))[0] == "missing"
    assert prove(Quote("def export", Pointer("file", path="src/export.py", line=1), "file"))[0] == "ok"
    assert prove(Quote("def export", Pointer("file", path="src/gone.py", line=1), "file"))[0] == "missing"


def test_an_unmarked_secret_is_marked() -> None:
    token = fill("ghp_{alnum:36}", 3)
    quote = Quote(f"take {token}", place(1))
    evidence = Evidence([quote])
    evidence.see(said(1, f"take {token} please"))
    finding = check_quote(quote, evidence, NoFacts())
    assert finding.status == "secret"
    assert finding.quote is not None
    assert token not in finding.quote.text
    assert finding.quote.text.startswith("take [redacted:")


@pytest.mark.feature("F001-17", via="unit")
@pytest.mark.parametrize(
    ("pointer", "state"),
    [
        (place(12), "ok"),
        (place(4), "ok"),  # a record without words is a place too
        (place(13), "dangling"),
        (place(3, source="a1"), "dangling"),
        (place(5, 13), "dangling"),
        (Pointer("commit", commit="1a2b3c4"), "ok"),
        (Pointer("commit", commit="deadbeef"), "dangling"),
        (Pointer("file", path="src/export.py"), "ok"),
        (Pointer("file", path="src/export.py", symbol="export"), "ok"),
        (Pointer("file", path="src/export.py", symbol="import_"), "dangling"),
        (Pointer("file", path="src/export.py", line=3), "dangling"),
    ],
)
def test_a_pointer_opens_or_dangles(pointer: Pointer, state: str) -> None:
    evidence = Evidence([], [pointer])
    for part in SESSION:
        evidence.see(part)
    assert check_pointer(pointer, evidence, SomeFacts()) == state


def test_without_a_repository_nothing_is_said_about_commits() -> None:
    assert check_pointer(Pointer("commit", commit="1a2b"), Evidence([]), NoFacts()) == "unchecked"


def verify(claim: Claim) -> tuple[Claim | None, dict[str, int]]:
    section = Section("dead_ends", (claim,))
    evidence = Evidence(*find_wanted([section]))
    for part in SESSION:
        evidence.see(part)
    (verified,), tally = verify_sections([section], evidence, SomeFacts())
    return (verified.claims[0] if verified.claims else None), dict(tally.quotes + tally.pointers)


@pytest.mark.feature("F001-18", via="unit")
def test_a_claim_that_loses_its_place_is_unsourced() -> None:
    claim, counts = verify(Claim("The pause was rejected.", pointers=(place(99), Pointer("commit", commit="dead"))))
    assert claim is not None
    assert claim.unsourced
    assert counts == {"dangling": 2}


def test_a_claim_that_was_only_an_invented_quotation_is_gone() -> None:
    assert verify(Claim(f"The user said {QUOTED}", quotes=(Quote("ship it now", place(8)),)))[0] is None
    assert verify(Claim(quotes=(Quote("ship it now", place(8)),)))[0] is None


def test_the_words_around_an_invented_quotation_say_that_it_is_gone() -> None:
    text = f"The pause was rejected {QUOTED} because it only hid the overlap of pages {QUOTED}"
    quotes = (Quote("ship it now", place(8)), Quote("Look at the cursor", place(8)))
    claim, _ = verify(Claim(text, quotes=quotes, pointers=(place(3),)))
    assert claim is not None
    assert claim.text == text.replace(QUOTED, REMOVED, 1)
    assert [quote.text for quote in claim.quotes] == ["Look at the cursor"]


def test_the_place_of_a_moved_quotation_does_not_stay_behind() -> None:
    quote = Quote("Look at the cursor", place(5))
    claim, _ = verify(Claim("It was the cursor.", quotes=(quote,), pointers=(place(5), place(3))))
    assert claim is not None
    assert claim.pointers == (place(3),)
