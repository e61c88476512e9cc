"""A denial is a dead end where something was supposed or tried; a design that does not work is something to know."""

import pytest

from tests.engines.rules.talk import build
from tests.session.talk import agent, human, run
from thruline.session.parts import Part

GUESS = "I suspect that the `parse_rows` step reads the header of every archive twice."


def find_topics(denial: str, *before: Part) -> set[str]:
    session = [
        human(2, "Explain how archives are stored and which design you would take."),
        *before,
        agent(8, f"Archives are stored by day. {denial} The layout stays by day, with one index for each month."),
        human(9, "Good, write that down."),
        agent(10, "The layout by day is written down in `docs/layout.md`, with its index for each month."),
    ]
    sections = build(session).values()
    found = [claim for section in sections for claim in section.claims if any(denial in q.text for q in claim.quotes)]
    return {claim.topic for claim in found}


@pytest.mark.parametrize(
    "denial",
    [
        "Stored diffs don't help, since a rebase shifts the line numbers of `archive.db`.",
        "The suffix of `archive.db` changes because the previous stream was abandoned.",
        "Files are only deleted where they don't exist in `archive.db` any more.",
        "False positive: the user dismissed `archive.db` and made different changes to it.",
    ],
)
def test_a_design_that_does_not_work_is_no_dead_end(denial: str) -> None:
    assert find_topics(denial) == {"Context"}


def test_what_names_a_supposed_cause_is_a_dead_end_by_its_words() -> None:
    assert find_topics("The compression of `archive.db` was not the cause.") == {"Disproved by evidence"}


def test_what_was_wrong_is_a_dead_end_after_something_was_tried_or_supposed() -> None:
    denial = "The limit in `parse_rows` was wrong for archives of a leap year."
    assert find_topics(denial) == {"Context"}
    assert find_topics(denial, *run(4, "make check", "error", exit_status=1)) == {"Disproved by evidence"}
    assert find_topics(denial, agent(4, GUESS)) == {"Disproved by evidence"}


def test_what_the_agent_grants_the_user_is_not_disproved_by_evidence() -> None:
    denial = "You're right, the earlier merge of `archive.db` didn't work for archives of a leap year."
    assert find_topics(denial, *run(4, "make check", "error", exit_status=1)) == {"Context"}


@pytest.mark.parametrize(
    "denial",
    [
        "The scanner's warning about `archive.db` is a false positive: its owner closes the handle.",
        "Ticket 41 on slow archives is superseded by the index for each month in `archive.db`.",
        "The growing pool of `archive.db` isn't a real problem, since the owner drains it at night.",
        "Die Meldung zu `archive.db` ist ein Fehlalarm, denn der Besitzer schließt die Datei.",
    ],
)
def test_a_finding_that_was_set_aside_is_a_dead_end(denial: str) -> None:
    assert find_topics(denial) == {"Disproved by evidence"}


def test_what_false_alarms_are_in_general_is_no_dead_end() -> None:
    assert "Disproved by evidence" not in find_topics(
        "A false positive costs more in `archive.db` than a missed day does."
    )
