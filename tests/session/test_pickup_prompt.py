"""A pickup prompt is known again, whole or cut off, and what a person wrote behind it is theirs."""

from hypothesis import given
from hypothesis import strategies as st

from thruline.session.pickup_prompt import frame_prompt, split_prompt

MARK = "End of the packet `20261116-091000-x`."
BLOCKS = ["Goal: x", '- > user, transcript:L5: `End of it. "No."`', f"{MARK} Not yet."]
PROMPT = frame_prompt("20261116-091000-x", "draft", "`a.md`", BLOCKS)


def test_a_prompt_says_which_packet_it_continues_and_nothing_of_it_is_the_person_s() -> None:
    assert split_prompt(PROMPT) == ("20261116-091000-x", "")
    assert split_prompt("\n" + PROMPT.partition(MARK)[0]) == ("20261116-091000-x", "")


def test_words_behind_a_prompt_are_the_person_s() -> None:
    assert split_prompt(PROMPT + "\nBut use tabs.\n") == ("20261116-091000-x", "But use tabs.")


@given(st.text())
def test_any_other_message_stays_as_it_is(text: str) -> None:
    for one in (text, "Please continue: " + PROMPT):
        assert split_prompt(one) == ("", one)
