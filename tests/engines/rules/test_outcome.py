"""What a person says is a dead end by what came of it: a question that was granted is one, a request is none."""

import pytest

from tests.engines.rules.talk import build
from tests.session.talk import agent, edit, human, run
from thruline.session.parts import Part

FIRST: list[Part] = [
    human(2, "Find out why the tide tables of the harbour are not saved."),
    agent(3, "Tables that the shell writes are not saved, because the watcher only reads what the editor writes."),
]
LAST: list[Part] = [human(40, "Now add the harbour's name to the page."), agent(41, "The page shows its name now.")]


def place(*session: Part) -> str:
    """The section and the topic in which the words at L4 are quoted."""
    sections = build([*FIRST, *session, *LAST])
    return next(
        (
            f"{section.name}: {claim.topic}"
            for section in sections.values()
            for claim in section.claims
            for quote in claim.quotes
            if quote.pointer.line == 4
        ),
        "",
    )


ASKED = "question: the table that the shell wrote was saved and committed in 72a7142, as I see it?"


def test_a_question_whose_point_is_granted_after_a_look_is_a_dead_end() -> None:
    look = [agent(5, "Let me check that commit:"), *run(6, "git show 72a7142")]
    granted = agent(8, "You're right. That commit has the table of the shell. Let me look at what was left out.")
    assert place(human(4, ASKED), *look, granted).startswith("dead_ends: Questioned")
    assert place(human(4, ASKED), *look, agent(8, "That commit has the table of May.")).startswith("basics: Asked")


def test_a_long_paste_whose_point_is_granted_is_not_its_senders() -> None:
    review = f"{ASKED} {'The table of the harbour is read once a day. ' * 9}"
    look = [agent(5, "Let me check that commit:"), *run(6, "git show 72a7142")]
    assert not place(human(4, review), *look, agent(8, "You're right. That commit has it.")).startswith("dead_ends")


@pytest.mark.parametrize("granted", [True, False])
def test_a_question_of_fact_without_an_edit_is_none(granted: bool) -> None:
    asked = human(4, "What is the reason that I can't see the tables on your page of the harbour?")
    answer = "Good catch, the page hides them." if granted else "The page is drawn from the cache of the night."
    found = place(asked, agent(5, answer))
    assert found.startswith("dead_ends") == granted


def test_what_adds_to_the_work_is_asked_for() -> None:
    asked = human(4, "and check that the second half of the table is sorted?")
    done = [*edit(5, "/home/dev/shop/table.py"), agent(7, "The second half of the table is checked now.")]
    before = edit(3, "/home/dev/shop/table.py")
    assert place(*before, asked, *done).startswith("basics: Asked")


def test_the_refuted_cause_the_question_and_the_reply_stand_together() -> None:
    why = "The watcher's daemon, tide-hook, had picked it up through the spool of May."
    granted = agent(8, f"You're right. {why} Let me look at what was left out.")
    sections = build([*FIRST, human(4, ASKED), granted, *LAST])
    (claim,) = sections["dead_ends"].claims
    assert [(quote.by, quote.pointer.line) for quote in claim.quotes] == [("agent", 3), ("human", 4), ("agent", 8)]
    assert claim.quotes[2].text == f"You're right. {why}"


def test_a_bare_grant_is_no_reply() -> None:
    sections = build([*FIRST, human(4, ASKED), agent(8, "You're right."), *LAST])
    (claim,) = sections["dead_ends"].claims
    assert [quote.pointer.line for quote in claim.quotes] == [3, 4]
