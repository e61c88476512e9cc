"""A guess that the agent takes back is a dead end, told with what took it back, and nowhere else."""

import pytest

from tests.engines.rules.talk import build, words
from tests.session.talk import agent, human, run
from thruline.brief.section import Claim
from thruline.session.parts import Part

GUESS = "I suspect the JSON encoder is slow."


def session(refutation: str, guess: str = GUESS) -> list[Part]:
    return [
        human(2, "Make the export faster."),
        agent(3, f"{guess} Let me profile it."),
        *run(4, "python -m profile x.py"),
        agent(6, f"{refutation} I added the index and the export takes 2 s now."),
        human(7, "Great, thanks."),
        agent(8, "The index stays, and the export is fast."),
    ]


def find_pairs(parts: list[Part]) -> list[Claim]:
    return [one for one in build(parts)["dead_ends"].claims if len(one.quotes) == 2 and "guess" in one.text]


@pytest.mark.parametrize(
    "refutation",
    [
        "That was not it; the encoder is fine.",
        "That was not it.",
        "I was wrong about the encoder: it is not the bottleneck.",
        "Actually the encoder is not the problem.",
        "My theory that the encoder is slow was disproved by the profile.",
        "The encoder was not the cause.",
    ],
)
def test_a_guess_taken_back_is_a_dead_end_with_both_places(refutation: str) -> None:
    parts = session(refutation)
    (claim,) = find_pairs(parts)
    assert claim.topic == "Disproved by evidence"
    assert [quote.pointer.line for quote in claim.quotes] == [3, 6]
    assert (claim.quotes[0].text, refutation in claim.quotes[1].text) == (GUESS, True)
    sections = build(parts)
    for name in ("convergence", "basics", "open_threads"):
        assert GUESS not in words(sections[name])
        assert refutation not in words(sections[name])


def test_a_guess_that_only_its_small_words_tell_is_found_too() -> None:
    (claim,) = find_pairs(session("The encoder was not the cause.", "I think the slow part is the JSON encoder."))
    assert claim.quotes[0].text == "I think the slow part is the JSON encoder."


def test_a_question_is_no_guess() -> None:
    assert find_pairs(session("The encoder was not the cause.", "Is it perhaps the JSON encoder that is slow?")) == []


def test_what_is_taken_back_because_the_user_said_so_is_not_disproved() -> None:
    assert find_pairs(session("You're right, the encoder was not the cause.")) == []


def test_taking_back_something_else_leaves_the_guess_alone() -> None:
    assert find_pairs(session("The database driver was not the problem.")) == []


def test_that_both_speak_of_a_problem_makes_no_pair() -> None:
    assert find_pairs(session("The index is not the problem.", "I think the problem is the JSON encoder.")) == []


def test_what_is_taken_back_because_the_user_said_so_is_the_users_correction() -> None:
    parts: list[Part] = [
        human(2, "Make the export faster."),
        agent(3, GUESS),
        human(4, "No, that's wrong, the encoder is fast. Don't touch the encoder."),
        agent(5, "You're right, the encoder is not the problem."),
    ]
    section = build(parts)["dead_ends"]
    assert find_pairs(parts) == []
    assert any(one.topic == "Overruled by the user" for one in section.claims)


def test_a_guess_that_is_raised_again_is_not_told_twice() -> None:
    again = [agent(9, "As I said, the encoder was not the cause."), human(10, "Fine."), agent(11, "The index stays.")]
    assert len(find_pairs([*session("The encoder was not the cause."), human(9, "Why?"), *again])) == 1


def test_that_another_way_is_tried_next_takes_nothing_back() -> None:
    assert find_pairs(session("Let me try a different approach with the JSON encoder.")) == []
