"""Of a message that continues a packet only what the person wrote behind our prompt is theirs."""

from tests.session.talk import agent, human
from thruline.session.pickup_prompt import frame_prompt
from thruline.signals.miner import SignalMiner
from thruline.signals.signal import Signal

SAID = "- > user, transcript:L9: `No, never paint the quay green, that is wrong.`"


def mine(more: str, length: int) -> list[Signal]:
    prompt = frame_prompt("20261119-paint-the-quay", "draft", "/home/dev/quay.md", [SAID, "word " * length])
    miner = SignalMiner()
    for part in (human(2, prompt + more), agent(3, "I will paint it blue."), human(4, "ok")):
        miner.see(part)
    return list(miner.finish())


def test_a_rule_behind_a_prompt_of_any_length_is_mined() -> None:
    for length in (1, 400, 4_000):
        (rule,) = [one for one in mine("Use tabs from now on, always.", length) if one.kind == "constraint"]
        assert (rule.quote, rule.line) == ("Use tabs from now on, always.", 2)


def test_what_an_earlier_session_said_is_nothing_this_person_said() -> None:
    for more in ("", "Go on."):
        assert not any(one.by == "human" and "green" in one.quote for one in mine(more, 1))
