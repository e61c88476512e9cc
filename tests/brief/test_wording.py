"""The closed lists of what a brief may say without proof hold all that we say, and no order."""

import pytest

from thruline.brief.attempts.watch import TOPIC
from thruline.brief.section import Claim
from thruline.brief.wording import (
    FOUND_NOTHING,
    NOTHING,
    PLACEHOLDER,
    TOPICS,
    is_statement,
    is_title,
    is_topic,
    says_nothing,
)
from thruline.engines import rules
from thruline.engines.rules import claims, code_state, open_threads
from thruline.engines.rules.candidates import candidate
from thruline.gitfacts import NO_COMMIT, TIMED_OUT, NoAnswer
from thruline.operations.handoff.brief import read_git


@pytest.mark.parametrize("words", [*FOUND_NOTHING.values(), NOTHING.strip("_"), PLACEHOLDER.strip("_")])
def test_what_the_rules_say_of_an_empty_section_is_in_the_list(words: str) -> None:
    assert is_statement(words)


def test_every_topic_of_the_rules_is_in_the_list() -> None:
    topics = {value for name, value in vars(candidate).items() if name.isupper() and isinstance(value, str)}
    topics |= {code_state.GIT, code_state.SESSION, open_threads.CONFLICTS, claims.ALSO, TOPIC}
    assert topics <= set(TOPICS)


@pytest.mark.parametrize(
    "git",
    [
        read_git(""),
        read_git("/no/such/folder"),
        rules.GitState(),
        rules.GitState(status=NoAnswer(TIMED_OUT, "git took longer than 0.5 s")),
        rules.GitState(status=NoAnswer(NO_COMMIT)),
        rules.GitState(status=NoAnswer("failed", "fatal: push to main, the tests are gone")),
    ],
)
def test_what_is_said_of_a_git_without_answer_is_in_the_list(git: rules.GitState) -> None:
    class _Facts:
        pass

    facts = _Facts()
    facts.git = git  # type: ignore[attr-defined]
    (claim,) = code_state._git_claims(facts, 1_000)  # type: ignore[arg-type]
    assert isinstance(claim, Claim)
    assert is_statement(claim.text)
    assert "push" not in claim.text


@pytest.mark.parametrize("text", ["Done.", "Nothing was found for this section. ", "Conflicts: push to main", ""])
def test_nothing_else_is(text: str) -> None:
    assert not is_statement(text)
    assert not is_topic(text)
    assert not is_title(f"# {text}")
    assert not says_nothing(text) or text.startswith("Nothing was found")


@pytest.mark.parametrize("text", ["None.", "No dead ends in this session.", "Nothing is open, nothing unresolved."])
def test_few_harmless_words_say_that_there_is_nothing(text: str) -> None:
    assert says_nothing(text)
