"""Where a session ends with ways to choose from, those are open, with the question; none of them is a position."""

from tests.engines.rules.talk import build, words
from tests.session.talk import agent, edit, human
from thruline.engines.rules.material import Message
from thruline.engines.rules.quoting import build_quote
from thruline.session.parts import Part

OFFER = """\
The `mill_wheel` turns again. Two ways to keep the pond full, from cheap to proper:

**Option 1: A wooden sluice (cheap)**

1. Cut the boards of `sluice_board` from larch
2. Hang them in the `wheel_pit`

Downside: larch rots in ten years.

**Option 2: A steel sluice (proper)**

1. Order the plate from the smithy
2. Drive it with `sluice_motor`

The steel sluice is better for a mill of this size. Which way do you want to go?
"""


def _end(*session: Part) -> dict[str, str]:
    begun = [human(2, "The mill stands still."), *edit(3, "/home/dev/mill/wheel.py")]
    return {name: words(section) for name, section in build([*begun, *session]).items()}


def test_ways_to_choose_from_are_open_with_the_question_and_not_where_it_landed() -> None:
    told = _end(agent(5, OFFER))
    for piece in (
        "Option 1: A wooden sluice (cheap)",
        "Option 2: A steel sluice (proper)",
        "Which way do you want to go?",
    ):
        assert piece in told["open_threads"]
    assert "mill_wheel" in told["convergence"]
    for piece in ("larch", "smithy", "steel", "sluice_motor"):
        assert piece not in told["convergence"]


def test_the_same_words_without_a_question_are_what_was_said() -> None:
    told = _end(agent(5, OFFER.replace(" Which way do you want to go?", "")))
    assert "sluice" in told["convergence"]


def test_bold_words_that_go_on_are_quoted_with_both_their_marks() -> None:
    text = "**Option 1: Wood**\n\n1. Cut the boards\n2. Hang them"
    message = Message("agent", "text", text, 5, "", "", 1)
    spans = [(2, 16), (text.index("Cut"), text.index("Cut") + 14), (text.index("Hang"), len(text))]
    assert build_quote(message, spans, 2, roomy=True).text == text


ANSWER = """\
## The sluice and its boards

**Yes, the sluice takes boards of larch**, by the optional `sluice_board` part:
- Thickness: `thin`, `thick` or `double`
- Without one the `wheel_pit` stays open
- The maker recommends `thin` boards for small ponds

This is what I can tell of the motor:
- `sluice_motor` lifts the boards by itself
- It needs no oil

The usual way is one board for each foot of water.
"""


def test_an_answer_that_asks_nothing_offers_nothing() -> None:
    told = _end(human(4, "Find out whether the sluice takes boards."), agent(5, ANSWER))
    for piece in ("takes boards of larch", "stays open", "lifts the boards", "`thin`"):
        assert piece not in told["open_threads"]
    assert "stays open" in told["convergence"]


def test_what_the_agent_would_do_is_offered_also_where_it_asks_nothing() -> None:
    plan = (
        "The pond is empty. I'd suggest this:\n\n1. Cut the `sluice_board` from larch\n2. Hang it in the `wheel_pit`\n"
    )
    told = _end(human(4, "What shall we do about the pond?"), agent(5, plan))
    assert "Cut the `sluice_board` from larch" in told["open_threads"]


def test_what_the_last_message_asked_leave_for_is_open_with_what_it_would_be() -> None:
    asked = "Shall I mend them? These are the options:\n\n1. Cut the `sluice_board` anew\n2. Oil the `sluice_motor`\n"
    told = _end(human(4, "What is wrong with the sluice?"), agent(5, asked))
    assert "Cut the `sluice_board` anew" in told["open_threads"]


def test_what_a_way_that_was_only_offered_would_bring_is_not_where_it_landed() -> None:
    told = _end(
        agent(
            5,
            "The `mill_wheel` turns again, and the pond is full. A turbine could take its place. This would:\n\n"
            "1. Grind at night with the water of `upper_pond`\n2. Save the boards of the `wheel_pit`\n\n"
            "Shall I draw the turbine, or leave it as it is?",
        )
    )
    assert "mill_wheel" in told["convergence"]
    assert "upper_pond" not in told["convergence"]
    assert "wheel_pit" not in told["convergence"]
