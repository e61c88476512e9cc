"""The gate before the agent's texts: it may let through too much, never too little."""

import pytest

from thruline.session.parts import Said
from thruline.signals import agent
from thruline.signals.agent import AgentMiner
from thruline.signals.cues import LANGUAGES, load_agent

KINDS = ("reversal", "hypothesis", "intent", "conclusion")
AROUND = ("{}", "({}), then", "**{}**.", "_{}_ — so", "…{}: yes", "Well — {}!", "ZEILE\n{}\n")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_with_any_phrase_of_any_language_passes_the_gate(language: str) -> None:
    phrases = [(kind, phrase) for kind in KINDS for phrase in load_agent(language).get(kind, ())]
    assert phrases
    for kind, phrase in phrases:
        for around in AROUND:
            for text in (around.format(phrase), around.format(phrase.upper()), around.format(phrase.replace("'", "’"))):
                words = agent._find_words(text)
                assert words is None or not agent._gate((kind,)).isdisjoint(words), text


def test_a_text_without_any_such_word_is_not_asked_for_its_language(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str) -> None:
        raise AssertionError(text)

    monkeypatch.setattr(agent, "_language", refuse)
    miner = AgentMiner()
    miner.see(Said(1, "agent", "text", "parser cache retry token branch index socket"))
    miner.end_turn(True)
    with pytest.raises(AssertionError):
        miner.see(Said(2, "agent", "text", "i suspect the cache"))
