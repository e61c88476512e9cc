"""What a text says no to is told from what it wants."""

import pytest

from thruline.brief.quotation.against import denies, find_wanted


@pytest.mark.parametrize(
    "text",
    [
        "Never commit to main.",
        "Refunds aren't retried.",
        "User vetoed retries",
        "Nimm keine lokale Zeit.",
        "N'utilise jamais float.",
        "No, don't add a pause.",
    ],
)
def test_it_says_no(text: str) -> None:
    assert denies(text)


@pytest.mark.parametrize(
    "text", ["Commits go to main.", "No, the port is 8437.", "Why don't we parse it on entry?", "Die lokale Zeit.", ""]
)
def test_it_does_not(text: str) -> None:
    assert not denies(text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Use tabs, not spaces.", "Use tabs"),
        ("No, the timeout is 45 seconds, not 30.", "No, the timeout is 45 seconds"),
        ("Wait for the event instead of sleeping.", "Wait for the event"),
        ("Nimm UTC, nicht die lokale Zeit.", "Nimm UTC"),
        ("No, never use float.", "No, never use float."),
        ("Prices are in cents.", "Prices are in cents."),
    ],
)
def test_what_is_refused_beside_it_is_left_out(text: str, wanted: str) -> None:
    assert find_wanted(text) == wanted
