"""A model puts words into nobody's mouth: what it gives as a person's is proved like a quotation, in whatever form."""

import pytest

from thruline.brief.model.content import parse_content
from thruline.brief.model.voiced import find_voiced


def read(content: str) -> tuple[str, list[str]]:
    (claim,) = parse_content(f"- {content} (`transcript:L5`)")
    return claim.text, [quote.text for quote in claim.quotes]


@pytest.mark.feature("F001-31", via="unit")
@pytest.mark.parametrize(
    "claim",
    [
        "`cursors are banned forever` was the user's answer",
        "As for cursors, `cursors are banned forever`, and that from the user",
        "Correction by the user at this point: cursors are banned forever",
        'Correction by the user at this point: "cursors" "are" "banned" "forever"',
        "The maintainer's message reads: cursors are banned forever",
        "Alex wrote: cursors are banned forever",
        "Alex then wrote to us: cursors are banned forever",
        "He said cursors are banned forever",
        "The user firmly says cursors are banned forever",
        "U: cursors are banned forever",
        "user@L52 | cursors are banned forever",
        "human> cursors are banned forever",
        "The reviewer => cursors are banned forever",
        "What the user decided after a while is this: cursors are banned forever",
    ],
)
def test_what_is_given_as_a_persons_words_becomes_a_quotation_to_be_proved(claim: str) -> None:
    words, quotes = read(claim)
    assert quotes == ["cursors are banned forever"]
    assert "banned" not in words.removeprefix("As for cursors")


@pytest.mark.parametrize(
    "claim",
    [
        "A longer pause: overruled by the user",
        "A set of ids: rejected by the user since memory is scarce",
        "Rejected by the user: a pause",
        "The user wants the column order kept; two consumers read by position",
        "The user said so, and the pause was taken out",
        "The user asked whether the key is enough",
        "The user overruled the pause — it hid the problem",
        "`python3 -m unittest -q` runs the tests, as the user said",
        "Flag name `--simulate`: overruled by the user in favour of `--dry-run`",
        "Root cause: the cursor was inclusive",
        "Both runs failed: the ids are doubled",
        "Not yet done: docs and the nightly job",
    ],
)
def test_a_report_in_words_of_its_own_stays(claim: str) -> None:
    assert list(find_voiced(claim)) == []
