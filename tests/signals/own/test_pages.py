"""What can be quoted as a person's words: no page of a manual, and no output between what the person typed."""

import pytest

from thruline.signals.own import find_own, find_said

PAGE = """\
Stamps are small pieces of paper that show that the postage of a letter was paid before it was sent.

Albums

Albums hold stamps, and are read when a collection is opened; the stamps in them are counted at that time.

Counting

Because it is common to share albums, a stamp is counted once for every album that it stands in at that time.

Repairs are not made while a count is running, as both would write to the same album of the collection.
"""
MANUAL = """\
stamps list

stamps list [<album>] [flags]

Show the stamps of an album, and where each of them was bought.

-a, --all
    Show those that were sold, too
-q, --query <expression>
    Filter the stamps by an expression
--json
    Print the stamps as JSON

Options that every command has

-C, --folder <folder>
    Look for albums in another folder than the one the command was started in, and in no other; it must exist.
"""


def said(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in find_said(text, find_own(text))]


@pytest.mark.parametrize("pasted", [PAGE, MANUAL])
def test_a_pasted_page_is_not_quoted(pasted: str) -> None:
    typed = "We should not count them twice. Does this help?"
    assert said(f"{typed}\n\n{pasted}") == [typed]
    assert said(f"{typed}\n\nIf there is no album we should say so.\n\n{pasted}") == [
        typed,
        "If there is no album we should say so.",
    ]
    assert said(f"{typed}\n\n{pasted}\n\nso why do you lock it?") == [typed, "so why do you lock it?"]


def test_a_message_that_is_nothing_but_a_page_stays() -> None:
    assert said(PAGE) != []


def test_a_long_message_with_titles_in_the_first_person_is_the_writers() -> None:
    text = PAGE.replace("Albums hold", "I think albums hold").replace("Because", "We know that because")
    assert len(said(f"look\n\n{text}")) > 4


def test_what_a_program_printed_behind_words_on_their_line_is_left_out() -> None:
    assert said('it still fails: {"level": "debug", "stamp": 7}') == ["it still fails:"]
    text = "it still fails and I do not know why: 2026-11-01 10:11:12 stamp lost in album"
    assert said(text) == ["it still fails and I do not know why:"]


def test_a_sentence_that_output_surrounds_is_output() -> None:
    lines = "10:11:12 stamp lost in album seven\n" * 10
    text = f"I think the numbers are off:\n{lines}\nDid you mean this?\n\n{lines}{lines}"
    assert said(text) == ["I think the numbers are off:"]
    assert said(f"{text}\nno, it is the album") == ["I think the numbers are off:", "no, it is the album"]
    assert "and then I see:" in said(text.replace("Did you mean this?", "and then I see:"))


def test_lines_of_a_log_and_commands_behind_a_prompt_are_not_quoted() -> None:
    text = "logs do not show the albums any more?\nFeb  9 09:56:27.990 |DEBU| count done stamps=7 albums=2 sold=1\n"
    assert said(text) == ["logs do not show the albums any more?"]
    assert said("nope I don't see it. ~/albums  $ ln -s ~/stamps x") == ["nope I don't see it."]
