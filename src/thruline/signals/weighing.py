"""What each sentence of a message weighs where its quotation is chosen.

Of a correction the one that corrects: the words that the judge knows tell it, and the agent's answer, which takes up
the one that counts. What its writer says in passing, or explains away at once ("by design I think"), is not it.
"""

from collections.abc import Callable

from thruline.pattern import compile_later
from thruline.signals.features.around import READ_OF_AGENT, find_names
from thruline.signals.features.text import Text
from thruline.signals.model import Judge
from thruline.signals.situation import Situation

# What the judge's words count beside its cues.
WORDS = 0.3
# What each word adds that the answer takes up, and the most of it: the cues still decide where they speak clearly.
TAKEN_UP, MOST_TAKEN_UP = 0.05, 0.15
# So many of the answer's first texts take up what was said; what follows reports the work.
FIRST_TEXTS = 2

_ASIDE = compile_later(r"\s*\([^()\n]{1,160}\)")


def weigh_words(judge: Judge) -> Callable[[str], float]:
    """What the words of a sentence alone weigh for a judge."""

    def weigh(sentence: str) -> float:
        text = Text(sentence)
        known = judge.words
        total = sum(judge.weights.get(f"cue.{name}", 0.0) for name in text.find("cues"))
        return total + WORDS * sum(known.get(word, 0.0) for word in text.plain)

    return weigh


def weigh_correction(judge: Judge, situation: Situation) -> Callable[[str], float]:
    """The same for a correction: less for an aside, or what one explains away; more for what the answer takes up."""
    alone = weigh_words(judge)
    answered = _read_answer(situation)

    def weigh(sentence: str) -> float:
        bare = _ASIDE.sub("", sentence).strip(" .!?")
        aside = not bare or any(_explains_away(one) for one in _ASIDE.findall(sentence))
        said = bare if aside and bare else sentence
        text = Text(said)
        taken_up = text.salient(text.language.words("stop")) | find_names(said)
        weight = alone(said) + min(MOST_TAKEN_UP, TAKEN_UP * len(taken_up & answered))
        return weight / 2 if aside and weight > 0 else weight

    return weigh


def _explains_away(aside: str) -> bool:
    return "opinion" in Text(aside).find("cues")


def _read_answer(situation: Situation) -> frozenset[str]:
    """The words with which the agent takes the message up, and the names of what it changes then."""
    if not situation.answered:
        return frozenset()
    found: set[str] = set()
    texts = [step.text for step in situation.head if step.action == "text"]
    for told in texts[:FIRST_TEXTS]:
        head = told[:READ_OF_AGENT]
        text = Text(head)
        found |= text.salient(text.language.words("stop")) | find_names(head)
    for step in situation.after:
        if step.action in ("edit", "write", "delete"):
            found |= {path.rsplit("/", 1)[-1].lower() for path in step.paths}
    return frozenset(found)
