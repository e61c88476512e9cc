"""What a person's message is taken for, beyond what the miner's own tests show."""

from thruline.session.parts import Said
from thruline.signals.people import PeopleMiner, is_same, is_strongest
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


def test_the_agents_answer_makes_a_correction_surer() -> None:
    text = "but isn't the cache never cleared then?"
    yielding = judge(text, answer="You're right, good catch. Let me fix that.").signals
    calm = judge(text, answer="Here is how it is cleared: on every write.").signals
    assert [signal.kind for signal in yielding] == ["correction"]
    assert yielding[0].strength > (calm[0].strength if calm else 0.0)


def test_the_reason_is_told_in_words() -> None:
    (found, *_) = judge("no, revert that, it is wrong", answer="You're right, sorry.").signals
    assert "the agent agreed" in found.why


def test_messages_are_the_same_when_one_holds_most_of_the_other() -> None:
    words = frozenset(["please", "use", "the", "other", "queue", "instead", "here"])
    assert is_same(words, words)
    assert is_same(words, words | {"thanks", "now"})
    assert not is_same(words, frozenset(["please", "add", "one", "more", "test", "for", "this"]))
    assert not is_same(frozenset(("yes",)), frozenset(("yes", "please")))
    assert not is_same(frozenset(), frozenset())
