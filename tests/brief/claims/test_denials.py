"""That something was never done is held against what the session did; what nobody can tell is not judged."""

import pytest

from tests.brief.sessions import check_text
from tests.session.talk import agent, edit, human, run
from thruline.brief.claims.denials import NO_CHANGE, NO_COMMIT, NO_PUSH_MADE, NO_TEST, find_denials, read_denials
from thruline.brief.proof.untrue import WHY
from thruline.session.parts import Part

HOME = "/home/dev/ferry"
TALK: list[Part] = [human(1, "Please close the cursor."), agent(2, "Closed."), *edit(3, f"{HOME}/a.py")]
LOOKING = run(5, "ls -la")
COMMIT = run(5, "git commit -m x", commits=(("bc4d18f", "Tides"),))


@pytest.mark.parametrize(("kind", "text"), [(one.kind, text) for one in read_denials() for text in one.found])
def test_a_denial_is_found(kind: str, text: str) -> None:
    assert kind in [fact.kind for fact in find_denials(text)]
    assert kind in WHY


@pytest.mark.parametrize(("kind", "text"), [(one.kind, text) for one in read_denials() for text in one.survives])
def test_what_is_limited_or_reported_is_no_denial(kind: str, text: str) -> None:
    assert kind not in [fact.kind for fact in find_denials(text)]


def judge(words: str, session: list[Part]) -> str:
    body = "\n".join(
        [
            "## Convergence",
            "## Dead-ends",
            "## Code-state",
            "### Added by the engine (agent)",
            f"- {words} (`transcript:L4`)",
            "## Open-threads & conflicts",
            "- ⚑ verify: untested: nothing ran after the last edit. (`transcript:L3`)",
            "- ⚑ verify: uncommitted: the session made no commit. (`transcript:L3`)",
            "## Basics",
            "",
            "## Sources",
            "- `transcript` `/x/s.jsonl` · session `0b7e5c1a`",
            "- by `agent`, `rules`",
        ]
    )
    report = check_text(body + "\n", session)
    told = [one for one in report.troubles if one.line == 5]
    return "untrue" if told else "unchecked" if report.facts["unchecked"] else "true"


@pytest.mark.parametrize(
    ("kind", "words", "more", "state"),
    [
        (NO_COMMIT, "Nothing was committed.", LOOKING, "true"),
        (NO_COMMIT, "Nothing was committed.", COMMIT, "untrue"),
        (NO_COMMIT, "Nothing was committed.", run(5, "./release.sh && git commit -F notes"), "unchecked"),
        (NO_PUSH_MADE, "Nothing was pushed.", COMMIT, "true"),
        (NO_PUSH_MADE, "Nothing was pushed.", run(5, "git push"), "untrue"),
        (NO_PUSH_MADE, "Nothing was pushed.", run(5, "git push --dry-run"), "unchecked"),
        (NO_PUSH_MADE, "Nothing was pushed.", run(5, "gh pr create --fill"), "unchecked"),
        (NO_TEST, "No tests were run.", LOOKING, "true"),
        (NO_TEST, "No tests were run.", run(5, "go test ./..."), "untrue"),
        (NO_TEST, "No tests were run.", run(5, "pytest -q", "error"), "untrue"),
        (NO_TEST, "No tests were run.", run(5, "make check"), "unchecked"),
        (NO_CHANGE, "No file was changed.", [], "untrue"),
    ],
)
def test_a_denial_is_held_against_what_was_done(kind: str, words: str, more: list[Part], state: str) -> None:
    assert [fact.kind for fact in find_denials(words)] == [kind]
    assert judge(words, [*TALK, *more]) == state


def test_that_no_file_was_changed_is_proved_where_nothing_ran_at_all() -> None:
    talk: list[Part] = [human(1, "Why?"), agent(2, "So."), human(3, "Yes?"), agent(4, "Yes.")]
    assert judge("No file was changed.", talk) == "true"
    assert judge("No file was changed.", [*talk, *LOOKING]) == "unchecked"
