"""From a situation to features: what the message looks like, what it follows, what it was answered with.

A feature is a name that is there or not. `situations` are structure and classes of cues (`cue.no`, `first.doubt`,
`answer.agree`, `overlap.0.5`); `words` are single words and pairs of the message itself. The same features serve every
judgement, each with weights of its own.
"""

from thruline.signals.features.around import READ_OF_AGENT, add_answer, add_before, add_overlap, find_names
from thruline.signals.features.denied import read_denied
from thruline.signals.features.message import add_cross, add_cues, add_shape
from thruline.signals.features.sentences import add_sentences
from thruline.signals.features.style import add_style
from thruline.signals.features.text import Text, read_text
from thruline.signals.own import find_own, join_own
from thruline.signals.situation import Situation
from thruline.value import dataclass

READ_OF_OWN = 1500
WORDS_OF_OWN = 300
TEXTS_OF_AGENT = 2  # the last ones: what came before them was work, not an answer


@dataclass(frozen=True, slots=True)
class Features:
    """The features of one message, and what was found on the way: its own words and where they stand."""

    situations: frozenset[str]
    words: list[str]
    spans: list[tuple[int, int]]
    own: Text


def build_features(situation: Situation) -> Features:
    """The features of one message."""
    said = situation.said
    steps = [step.text[:READ_OF_AGENT] for step in situation.before if step.action in ("text", "plan")]
    heard = "\n".join(steps)
    out: set[str] = set()
    spans = find_own(said.text, heard)
    own = read_denied(join_own(said.text, spans, READ_OF_OWN))
    theirs = frozenset[str]().union(*[read_text(step).plain for step in steps[-TEXTS_OF_AGENT:]])
    add_shape(out, situation, own, spans)
    found = add_cues(out, own)
    add_before(out, situation)
    names = find_names(own.text)
    add_overlap(out, situation, own, heard, theirs, names)
    add_style(out, own, len(names))
    add_answer(out, situation)
    add_cross(out, found)
    if own.language.spaced:
        add_sentences(out, own, theirs)
    words = own.pairs(WORDS_OF_OWN) + [f"{at} {word}" for at, word in enumerate(own.plain[:3])]
    return Features(frozenset(out), words, spans, own)
