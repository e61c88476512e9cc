"""Of a message that holds a paste, only what its writer typed is quoted."""

from dataclasses import replace

import pytest

from tests.engines.rules.talk import fold, render
from tests.session.talk import agent, human
from thruline.engines.rules import Rules
from thruline.engines.rules.candidates.typed import find_typed
from thruline.signals.signal import Signal


def read(text: str, before: str = "", *, first: bool = False) -> list[str]:
    return [text[start:end] for start, end in find_typed(text, before, first=first)]


PAGE = """\
We need a way to import stamps without counting them twice. Does this page help?

Stamps are small pieces of paper that show that postage was paid.

Overview
A collection holds stamps in albums. Albums are read when a collection is opened, and stamps are counted then.

Because albums are often shared, a collection counts each stamp once for every album it stands in. This is faster.

Counting stamps
When a collection is opened with the count option, every album is locked. The lock is not removed before the count ends.

When an album is moved, its stamps are counted again. If the count is interrupted, the collection must be repaired.

Repairing a collection
Unless told otherwise, a repair reads every album from the start. After that, a repair uses the numbers of the last one.

A subsequent repair will use the saved numbers, not the counted ones, unless the collection was changed in between.
"""


def test_of_a_pasted_page_only_the_words_above_it_are_the_writers() -> None:
    own = ["We need a way to import stamps without counting them twice.", "Does this page help?"]
    assert read(PAGE) == own
    assert read(PAGE + "\nI would rather not lock the albums.") == [*own, "I would rather not lock the albums."]


def test_a_session_may_begin_with_a_long_request_that_has_titles() -> None:
    assert "Because albums are often shared, a collection counts each stamp once for every album it stands in." in read(
        PAGE, first=True
    )


def test_a_long_message_in_the_first_person_is_the_writers_own() -> None:
    text = PAGE.replace("When a", "I want that when a").replace("Because", "We know that because")
    text = text.replace("Unless", "Please note, unless")
    assert "I want that when an album is moved, its stamps are counted again." in read(text)


def test_what_a_terminal_filled_up_with_blanks_is_no_ones_words() -> None:
    shown = [
        "The queue is stuck because two workers wait for each other.",
        "",
        "Restart the first of them.",
        "Then wait.",
    ]
    text = "look at what it told me\n\n" + "\n".join(f"{line:<80}" for line in shown)
    text += "\n\n" + "\n".join(f"{'A line of the same screen, number ' + str(n):<80}" for n in range(6))
    assert read(text + "\n\nWhich worker do we restart?") == ["look at what it told me", "Which worker do we restart?"]


OUTPUT = """\
it works now, but I think the counts are off:

=== Step 1: make the album ===
Album made, nothing to repair
=== Step 2: count ===
{
  "stamps": 12,
  "albums": 3
}

Did you mean this?
        recount

=== Step 3: list ===
albums/one.txt
albums/two.txt
All albums are listed
"""


def test_between_lines_of_output_nothing_is_typed() -> None:
    assert read(OUTPUT) == ["it works now, but I think the counts are off:"]
    more = OUTPUT + "\nWe should count each stamp once."
    assert read(more) == ["it works now, but I think the counts are off:", "We should count each stamp once."]


def test_a_remark_behind_the_output_is_the_writers_whoever_it_speaks_of() -> None:
    assert read(OUTPUT + "\nbut the album is a public one")[-1] == "but the album is a public one"


def test_what_is_said_behind_a_very_long_paste_is_read() -> None:
    text = "see this:\n\n" + "\n".join(f"{number} > moved 12:00:{number % 60:02} row" for number in range(300))
    assert len(text) > 5000
    assert read(text + "\n\nNow I wonder why row 7 moved twice.")[-1] == "Now I wonder why row 7 moved twice."


def test_a_correction_with_a_page_below_it_is_quoted_without_the_page() -> None:
    session = [
        human(2, "Import the stamps of the old collection."),
        agent(3, "The import counts the stamps of each album, and I delete the cache by hand before it."),
        human(4, "No, that's wrong, don't delete the cache by hand. " + PAGE),
        agent(5, "You're right, I was wrong. The import asks the collection for its counts now."),
    ]
    brief = render(session)
    assert "don't delete the cache by hand" in brief
    assert "often shared" not in brief
    assert "Counting stamps" not in brief


def test_a_fence_that_is_closed_between_the_ends_of_a_message_does_not_hide_what_follows_it() -> None:
    text = "Here:\n```\n" + "Started the pool of workers\n" * 400 + "```\nNo, that is wrong. Never touch legacy.py."
    assert read(text) == ["Here:", "No, that is wrong.", "Never touch legacy.py."]


@pytest.mark.parametrize(("strength", "section"), [(0.45, "basics"), (0.7, "dead_ends")])
def test_what_may_be_a_correction_only_by_words_of_the_paste_is_a_request(strength: float, section: str) -> None:
    session = [human(2, "Import the stamps of the old collection."), agent(3, "The import is there, it counts them.")]
    facts = fold([*session, human(4, PAGE), agent(5, "It does: the count option is what the import needs.")])
    mined = Signal("correction", "human", "The lock is not removed before the count ends.", 4, "u4", strength=strength)
    others = tuple(one for one in facts.signals if one.line != 4)
    sections = Rules(replace(facts, signals=(*others, mined))).build(11_000)
    at = [one.name for one in sections for claim in one.claims for quote in claim.quotes if quote.pointer.line == 4]
    assert at == [section]


@pytest.mark.parametrize(
    ("words", "told"),
    [("the raw log:", False), ("I think the mover is started twice on every second night:", True)],
)
def test_words_that_only_lead_to_a_paste_say_nothing(words: str, told: bool) -> None:
    log = "\n".join(f"12:00:{second:02} row {second} was moved" for second in range(20))
    session = [human(2, "Find out why the rows of the table move."), agent(3, "Please send me the log of the mover.")]
    facts = fold([*session, human(4, f"{words}\n\n{log}"), agent(5, "Row 7 moves twice.")])
    mined = Signal("correction", "human", words, 4, "u4", strength=0.4)
    sections = Rules(replace(facts, signals=(*(one for one in facts.signals if one.line != 4), mined))).build(11_000)
    quotes = [quote.text for one in sections for claim in one.claims for quote in claim.quotes]
    assert (words in quotes) is told


def test_of_a_line_that_goes_on_with_a_command_its_beginning_is_the_writers() -> None:
    assert read("nope I don't see it in the album. ~/albums  $ ln -s ~/stamps x") == [
        "nope I don't see it in the album."
    ]


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        (
            "12:00:01 mover started\n12:00:02 Error: table `rows` is locked by another mover\n12:00:03 mover stopped",
            "12:00:02 Error: table `rows` is locked by another mover",
        ),
        ("```\n$ make\nmover.py:12:4: undefined name 'rows'\n```", "mover.py:12:4: undefined name 'rows'"),
        ("12:00:01 mover started\n12:00:03 mover stopped", ""),
    ],
)
def test_an_error_that_was_pasted_is_told_by_the_line_that_names_it(shown: str, told: str) -> None:
    said = "No, that's wrong, I still get this on the second night:"
    session = [
        human(2, "Find out why the rows of the table move."),
        agent(3, "The rows of the table are locked now, so they cannot move twice on any night."),
        human(4, f"{said}\n\n{shown}"),
        agent(5, "You're right, the lock was wrong. It is taken once for both movers now."),
    ]
    (quote,) = [line for line in render(session).split("\n") if said in line]
    assert told in quote
    assert "started" not in quote
    assert quote.count("…") == bool(told)


def test_a_secret_in_the_line_of_an_error_is_marked() -> None:
    text = "No, that's wrong, I still get this:\n\nError: login failed with password=hunter22x at the door"
    session = [human(2, "Open the door."), agent(3, "The door opens with the login of the shop now.")]
    brief = render([*session, human(4, text), agent(5, "You're right, I was wrong about the login.")])
    assert "login failed with password=[redacted:password]" in brief
    assert "hunter22x" not in brief
