"""What was put back is a dead end with its true reason: the user's words, or the agent's own finding."""

import pytest

from tests.engines.rules.talk import build, fold
from tests.session.talk import agent, edit, human, run
from thruline.brief.claims.attributed import find_attributed
from thruline.brief.section import Claim
from thruline.engines.rules.reverted import puts_back_own
from thruline.session.parts import Part

A, B = "/home/dev/shop/a.py", "/home/dev/shop/src/b.py"
MADE = [human(2, "Round the totals in the invoice."), agent(3, "I round them in the parser.")]
MADE += [*edit(4, A, before=1, after=2), agent(6, "Totals are rounded in the parser now.")]


def find_undone(session: list[Part]) -> list[Claim]:
    return [one for one in build(session)["dead_ends"].claims if one.text.startswith(("Undone", "Made"))]


def test_an_edit_undone_after_the_user_spoke_is_not_called_disproved() -> None:
    session = [*MADE, human(7, "Please keep the parser as it was."), *edit(8, A, before=2, after=1)]
    (claim,) = find_undone([*session, agent(10, "The parser is as it was.")])
    assert claim.topic == "Overruled by the user"
    assert claim.text == "Undone in answer to the user, an edit of `a.py`."
    assert [one.line for one in claim.pointers] == [7, 8]


def test_what_one_message_had_undone_stands_on_one_line() -> None:
    made = [*MADE[:4], *edit(12, B, before=3, after=4), agent(14, "Both are rounded.")]
    back = [*edit(16, A, before=2, after=1), *edit(18, B, before=4, after=3)]
    (claim,) = find_undone([*made, human(15, "Leave both files as they were."), *back, agent(20, "They are.")])
    assert claim.text.endswith(", an edit of `a.py`, an edit of `src/b.py`.")


def test_an_edit_undone_in_its_own_turn_is_told_with_the_reason_the_agent_gave() -> None:
    why = "Rounding here does not work, because the tax is added later."
    session = [*MADE[:4], agent(6, f"{why} Let me put it back."), *edit(7, A, before=2, after=1)]
    (claim,) = find_undone([*session, agent(9, "The totals are rounded by the printer.")])
    assert (claim.topic, claim.text) == (
        "Disproved by evidence",
        "Made and put back in one turn: an edit of `a.py`, because:",
    )
    assert [quote.text for quote in claim.quotes] == [why]


def test_without_a_reason_only_the_fact_is_told() -> None:
    session = [*MADE[:4], agent(6, "Let me look at the printer."), *edit(7, A, before=2, after=1)]
    (claim,) = find_undone([*session, agent(9, "The printer rounds.")])
    assert (claim.text, claim.quotes) == ("Made and put back in one turn: an edit of `a.py`.", ())


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("git checkout -- a.py", ["Undone in answer to the user, work, with `git checkout -- a.py`."]),
        ("git checkout -- vendor/list.py", []),  # nothing that the session made
    ],
)
def test_only_work_of_the_session_is_told_to_be_put_back(command: str, told: list[str]) -> None:
    session = [*MADE, human(7, "Commit it, please."), *run(8, command), agent(10, "Committed.")]
    assert [claim.text for claim in find_undone(session)] == told


def test_a_command_that_names_everything_puts_back_the_sessions_files_too() -> None:
    ledger = fold(MADE).ledger
    assert puts_back_own("git checkout .", 9, ledger, "/home/dev/shop")
    assert not puts_back_own("git checkout .", 3, ledger, "/home/dev/shop")
    assert not puts_back_own("git status", 9, ledger, "/home/dev/shop")


@pytest.mark.parametrize("back", [edit(8, A, before=2, after=1), run(8, "git checkout -- a.py")])
def test_our_words_about_it_put_none_into_the_users_mouth(back: list[Part]) -> None:
    (claim,) = find_undone([*MADE, human(7, "Please keep the parser as it was."), *back, agent(10, "It is as it was.")])
    assert list(find_attributed(claim.text)) == []
