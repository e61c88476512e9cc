"""What a person's message is taken for, beyond what the miner's own tests show."""

from math import exp

import pytest

from thruline.session.parts import Said
from thruline.signals.features import build_features
from thruline.signals.model import load_judges
from thruline.signals.people import PeopleMiner, is_strongest
from thruline.signals.signal import Signal
from thruline.signals.situation import Situation, Step


def judge(text: str, kind: str = "turn", answer: str = "Okay.") -> PeopleMiner:
    miner = PeopleMiner()
    situation = Situation(Said(5, "human", kind, text), (Step("text", "Done. I added a cache."),))
    situation.answer(Step("text", answer))
    miner.see(situation)
    return miner


def test_a_typed_refusal_is_of_the_strongest_tier() -> None:
    (found, *_) = judge("what is the simplest way?", "rejection").signals
    assert found.kind == "correction"
    assert is_strongest(found)


def test_bare_names_correct_nothing_unless_they_refuse_a_call() -> None:
    names = "parser cache retry socket handler queue timeout"
    assert judge(names, answer="You're right, sorry. Reverting that.").signals == []
    assert [one.kind for one in judge(names, "rejection").signals] == ["correction"]


def test_nothing_judged_by_its_words_is_as_sure_as_a_typed_refusal() -> None:
    words = "no, that's wrong, I told you not to do that, revert it, why did you still add a cache instead?"
    (judged, *_) = judge(words, answer="You're right, I'm sorry, my mistake. Let me revert that.").signals
    (refused, *_) = judge("use the queue", "rejection").signals
    assert judged.strength < refused.strength


def test_the_agents_answer_makes_a_correction_surer() -> None:
    text = "but isn't the cache never cleared then?"
    yielding = judge(text, answer="You're right, good catch. Let me fix that.").signals
    calm = judge(text, answer="Here is how it is cleared: on every write.").signals
    assert [signal.kind for signal in yielding] == ["correction"]
    assert yielding[0].strength > (calm[0].strength if calm else 0.0)


def test_what_is_said_behind_a_long_log_corrects_and_rules() -> None:
    log = "2026-11-01 ERROR row 17 was dropped by the writer\n" * 120
    text = f"Here is what I get:\n{log}\nNo, that is wrong, it is the writer. Never touch legacy.py."
    found = {one.kind: one for one in judge(text, answer="You're right, the writer drops them.").signals}
    assert is_strongest(found["correction"])
    assert found["correction"].quote == "No, that is wrong, it is the writer. Never touch legacy.py."
    assert found["constraint"].quote == "Never touch legacy.py."


def test_with_weak_every_message_has_its_exact_strength_and_what_counts_stays_as_it_is() -> None:
    texts = ["no, revert that, it is wrong", "add a test for the reader as well please", "commit this"]
    plain, weak = PeopleMiner(), PeopleMiner(weak=True)
    situations = [Situation(Said(line, "human", "turn", text), (Step("text", "Done."),)) for line, text in
                  enumerate(texts, 1)]  # fmt: skip
    for situation in situations:
        situation.answer(Step("text", "Okay, let me do that."))
        plain.see(situation)
        weak.see(situation)
    assert plain.signals == weak.signals
    assert plain.weak == []
    judge = load_judges()["correction"]
    assert [one.line for one in weak.weak] == [2, 3]
    for one, situation in zip(weak.weak, situations[1:], strict=True):
        assert one.kind == "correction"
        assert one.strength < judge.low
        features = build_features(situation)
        assert one.strength == round(1 / (1 + exp(-judge.scale * judge.score(features) - judge.shift)), 3)


def test_the_reason_is_told_in_words() -> None:
    (found, *_) = judge("no, revert that, it is wrong", answer="You're right, sorry.").signals
    assert "the agent agreed" in found.why


PROPOSED = "The pages overlap. I suggest a short pause between them, so that the server can settle."
ASKED = PROPOSED + " Shall I add it?"


@pytest.mark.parametrize("said", [PROPOSED, ASKED])
@pytest.mark.parametrize(
    "text", ["No, don't add a pause, look at the cursor", "nope, do not change the page size", "don't add a pause here"]
)
def test_a_plain_refusal_is_strong_before_anybody_answered_it(text: str, said: str) -> None:
    (found, *_) = hear(text, said)
    assert found.kind == "correction"
    assert is_strongest(found)


def test_a_refusal_may_go_on_with_what_to_do_unless_it_answers_a_question() -> None:
    assert is_strongest(hear("No. Revert that.", PROPOSED)[0])
    assert not any(is_strongest(one) for one in hear("no, write the plan", ASKED))


@pytest.mark.parametrize("text", ["No, this is fine", "no thanks", "not sure, add it to the list?", "No problem"])
def test_a_no_that_asks_for_nothing_is_no_strong_correction(text: str) -> None:
    assert not any(is_strongest(one) for one in hear(text, PROPOSED))


def test_a_refusal_needs_something_to_refuse() -> None:
    assert not any(is_strongest(one) for one in hear("no, don't add a pause", ""))


def hear(text: str, said: str) -> list[Signal]:
    """What is mined of a message that nobody answered yet."""
    miner = PeopleMiner()
    miner.see(Situation(Said(5, "human", "turn", text), (Step("text", said),) if said else ()))
    return miner.signals
