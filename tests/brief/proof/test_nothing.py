"""That there is nothing is a claim as well: where the transcript certainly has something, it is untrue."""

import pytest

from tests.brief.ferry import HOME
from tests.brief.sessions import NoFacts
from tests.session.talk import agent, edit, human, run
from thruline.brief.check import check_document
from thruline.brief.claims.claimed import find_stated, find_wanted
from thruline.brief.document import parse_document
from thruline.brief.proof.done import Done
from thruline.brief.proof.nothing import Denied, denies_dead_ends
from thruline.brief.quotation.evidence import Evidence
from thruline.brief.report import Trouble
from thruline.session.parts import Changed, Part, Planned, Rewound

QUIET: list[Part] = [human(2, "What does the tide table hold?"), agent(4, "The hours of each tide.")]
CORRECTED: list[Part] = [
    human(2, "Read the tide table."),
    agent(4, "I will add a pause before each tide is read."),
    human(6, "No, that's wrong. Don't add a pause, read the table once."),
    agent(8, "You're right, I'll read it once."),
]
SECTIONS = {
    "Convergence": "_The session reached no conclusion that the rules could find._",
    "Dead-ends": "_No dead end and no correction was found._",
    "Code-state": "_The session changed no file._",
    "Open-threads & conflicts": "_Nothing was left open that the rules could find._",
    "Basics": "_The session says nothing of its surroundings._",
}


def find_untrue(session: list[Part], *, by: str = "rules", **changed: str) -> list[str]:
    """What is untrue in a brief that says that there is nothing, by its section."""
    told = {heading: changed.get(heading.split("-")[0], words) for heading, words in SECTIONS.items()}
    body = "\n\n".join(f"## {heading}\n{words}" for heading, words in told.items())
    text = f"{body}\n\n## Sources\n- `transcript` `/x/s.jsonl` · session `0b7e5c1a`\n- by `{by}`\n"
    return [one.section for one in check(text, session) if one.kind == "untrue"]


def check(text: str, session: list[Part]) -> tuple[Trouble, ...]:
    document = parse_document(text)
    evidence = Evidence(*find_wanted(document))
    done = Done((fact for _, stated in find_stated(document) for fact in stated), str.strip)
    denied = Denied() if denies_dead_ends(document) else None
    for part in session:
        evidence.see(part)
        done.see(part)
        if denied is not None:
            denied.see(part)
    return check_document(document, evidence, NoFacts(), done, denied).troubles


def test_where_nothing_happened_nothing_is_blamed() -> None:
    assert find_untrue(QUIET) == []


def test_a_correction_that_was_taken_back_is_no_certain_dead_end() -> None:
    assert "dead_ends" in find_untrue(CORRECTED)
    taken_back = human(10, "Actually you were right about the pause.")
    assert "dead_ends" not in find_untrue([*CORRECTED, taken_back, agent(12, "Then it goes back in.")])


def test_a_plan_that_was_refused_and_another_that_was_approved_are_no_certain_dead_end() -> None:
    refused, approved = (
        Planned(6, "Read it twice.", "refused", call_id="p6"),
        Planned(8, "Read it.", "approved", call_id="p8"),
    )
    assert "dead_ends" not in find_untrue([*QUIET, refused, approved])


@pytest.mark.parametrize(
    ("session", "section"),
    [
        ([*QUIET, *edit(6, f"{HOME}/src/ebb.py"), agent(8, "Done.")], "code_state"),
        ([*QUIET, *run(6, "git commit -am x", commits=(("bc4d18f", "Tides"),)), agent(8, "Done.")], "code_state"),
        (CORRECTED, "dead_ends"),
        ([*QUIET, human(6, "Leave it.", "rejection", about="Edit a.py"), agent(8, "I will.")], "dead_ends"),
        ([*QUIET, Rewound(6, 2, 4), agent(8, "Done.")], "dead_ends"),
        ([*QUIET, Planned(6, "Read it twice.", "refused", call_id="p6"), agent(8, "Done.")], "dead_ends"),
        ([*QUIET, human(6, "And the ebb?")], "open_threads"),
        ([Changed(1, "cwd", HOME), *QUIET], "basics"),
    ],
)
def test_what_the_transcript_certainly_has_cannot_be_denied(session: list[Part], section: str) -> None:
    assert section in find_untrue(session)
    words = {"code_state": "Code", "dead_ends": "Dead", "open_threads": "Open", "basics": "Basics"}[section]
    nothing = {words: "_Nothing was found for this section._"}
    assert section in find_untrue(session, **nothing)
    # A model that found nothing for a section of its own speaks for itself.
    assert section not in find_untrue(session, by="agent", **nothing)


def test_nothing_does_not_stand_beside_something() -> None:
    beside = "_Nothing was left open that the rules could find._\n- > agent, transcript:L4: `The hours of each tide.`"
    assert find_untrue(QUIET, Open=beside) == ["open_threads"]
    attempts = "### observed attempts to instruct\n- > agent, transcript:L4: `The hours of each tide.`"
    assert find_untrue(QUIET, Open=f"_Nothing was left open that the rules could find._\n{attempts}") == []


def test_that_nothing_fits_is_for_a_small_brief() -> None:
    assert find_untrue(CORRECTED, Dead="_Nothing that fits this budget._") == []
    much = "\n".join(f"- > human, transcript:L2: `{'Read the tide table.' * 12}`" for _ in range(12))
    assert find_untrue(CORRECTED, Dead="_Nothing that fits this budget._", Convergence=much) == ["dead_ends"]
