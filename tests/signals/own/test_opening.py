"""What stands before the first words of a message is not how it begins."""

import pytest

from thruline.signals.own import find_own, join_own
from thruline.signals.own.opening import find_opening

WORDS = "No, that's wrong, don't add a pause."


def own(text: str, quoted: str = "") -> str:
    return join_own(text, find_own(text, quoted))


@pytest.mark.parametrize(
    "text",
    [
        f"[Image #1] {WORDS}",
        f"[Image #1][Image #2] {WORDS}",
        f"[Image 3: shot.png], {WORDS}",
        f"![the page](shots/a.png) {WORDS}",
        f"# {WORDS}",
        f"> {WORDS}",
        f"[Image #1]\n[Image #2]\n[Image #3]\n\n{WORDS}",
        f"{WORDS}\n[Image #1]\n[Image #2]",
        f"[Image #1] # {WORDS}",
    ],
)
def test_words_behind_a_mark_are_the_writers(text: str) -> None:
    assert own(text) == WORDS


@pytest.mark.parametrize(
    ("text", "mine"),
    [
        ("# Plan of the export\n\nPages are written in order.", "Pages are written in order."),
        ("> I added a pause\n\nwhy?", "why?"),
        ("[Image #1] ERROR: the page is gone", ""),
        ("[Image #1]", ""),
        ("[2026-02-12] ERROR no page", ""),
        ("```\nx = 1\n```\n# no, not this", ""),
    ],
)
def test_a_title_a_quotation_and_a_log_stay_what_they_are(text: str, mine: str) -> None:
    assert own(text) == mine


def test_the_agents_words_behind_a_mark_stay_the_agents() -> None:
    assert own("> No, that is by design.", "I looked. No, that is by design.") == ""


@pytest.mark.parametrize(
    "before",
    [
        "", "- ", "* ", "1. ", "2) ", "@bot ", "@src/export.py ", "/tmp/shot.png ", "'/home/me/My Pictures/a.png' ",
        "https://host/x ", "[Image #1] ", "<image> ", "[Pasted text #1 +20 lines] ", "❌ ", "... ", "> ",
        "C:\\a\\b.png ",
    ],
)  # fmt: skip
def test_a_message_opens_behind_marks_names_and_paths(before: str) -> None:
    assert (before + WORDS)[find_opening(before + WORDS) :] == WORDS


@pytest.mark.parametrize("text", ['"No", says the page', "it's wrong", "and/or both", "10 rows are wrong", ""])
def test_words_and_quotations_are_no_marks(text: str) -> None:
    assert find_opening(text) == 0
