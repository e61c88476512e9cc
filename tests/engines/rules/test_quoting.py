"""Pieces of a message as one quotation: exact, and readable when there are many of them."""

from tests.brief.sessions import check_text
from tests.session.talk import agent, human
from thruline.brief.quotation.quote import render_quote
from thruline.engines.rules.material import Message
from thruline.engines.rules.quoting import build_quote
from thruline.engines.rules.units import split_units

LIST = """Here is where it stands.

- The cursor is exclusive now, so no page repeats a row.
- The column order is pinned by a test of its own.
- Nothing was run against staging yet.

Some words in between that nobody needs, about a queue that was looked at, found to be in order and left as it was.

- The flag is called dry-run from now on.
- Both documents still name the old one."""


def quote(numbers: list[int], inline: int = 3, *, by: str = "agent", roomy: bool = False) -> str:
    spans = split_units(LIST)
    message = Message(by, "text", LIST, 3, "a3", "", 1)
    return build_quote(message, [(spans[at].start, spans[at].end) for at in numbers], inline, roomy=roomy).text


def test_few_pieces_stand_on_one_line() -> None:
    assert quote([1, 3]) == (
        "The cursor is exclusive now, so no page repeats a row. … Nothing was run against staging yet."
    )


def test_where_there_is_room_few_words_of_the_agent_between_two_pieces_are_quoted_too() -> None:
    assert quote([1, 3], roomy=True).split("\n") == [
        "- The cursor is exclusive now, so no page repeats a row.",
        "- The column order is pinned by a test of its own.",
        "- Nothing was run against staging yet.",
    ]
    assert quote([3, 5], roomy=True) == "Nothing was run against staging yet. … The flag is called dry-run from now on."
    # Between a person's words something may have been pasted.
    assert " … " in quote([1, 3], by="human", roomy=True)


def test_many_pieces_have_a_line_each_and_neighbours_of_a_list_stay_one() -> None:
    text = quote([1, 2, 3, 5, 6])
    assert text.split("\n") == [
        "- The cursor is exclusive now, so no page repeats a row.",
        "- The column order is pinned by a test of its own.",
        "- Nothing was run against staging yet.",
        "…",
        "- The flag is called dry-run from now on.",
        "- Both documents still name the old one.",
    ]


def test_few_words_between_two_pieces_of_many_are_quoted_with_them() -> None:
    assert quote([0, 1, 3, 4, 6]) == LIST


def test_such_a_quotation_is_proved_like_any_other() -> None:
    session = [human(2, "Where are we?"), agent(3, LIST)]
    spans = split_units(LIST)
    message = Message("agent", "text", LIST, 3, "a3", "", 1)
    made = build_quote(message, [(spans[at].start, spans[at].end) for at in (0, 1, 3, 6)])
    text = "\n".join(["## Convergence", *render_quote(made, "- ")])
    assert check_text(text, session).quotes == {"ok": 1}
    assert check_text(text.replace("staging", "production"), session).quotes == {"missing": 1}


def test_secrets_of_a_very_long_message_are_marked_too() -> None:
    told = "Never print password=hunter22x in a log again."
    text = "Some pasted line of a log. " * 4_000 + told
    message = Message("human", "turn", text, 2, "u2", "", 1)
    assert build_quote(message, [(len(text) - len(told), len(text))]).text == (
        "Never print password=[redacted:password] in a log again."
    )
