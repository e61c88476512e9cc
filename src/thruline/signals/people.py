"""What a person's message settles: corrections, refusals, decisions, constraints; and what a later one takes back.

The same correction said twice is kept once, the fuller one: people stop the agent and type it again.
"""

from collections.abc import Callable

from thruline.session import parts
from thruline.signals.constraints import find_constraints
from thruline.signals.cues import ENDS, is_listing
from thruline.signals.features import Features, build_features
from thruline.signals.features.text import Text
from thruline.signals.model import Judge, load_judges
from thruline.signals.own import find_said
from thruline.signals.quote import choose, cut, find_sentences
from thruline.signals.reasons import tell_why
from thruline.signals.signal import CORRECTION_KINDS, Signal
from thruline.signals.situation import Situation, describe
from thruline.value import replace

# How far back a message is compared with what was said before: a person repeats at once or not at all.
RECENT = 12
REFUSED, WORDLESS = 0.97, 0.02
# The strongest tier begins here: what a brief shows first, and what `python -m bench signals` measures as that. It is
# where of the messages whose answer is known, as in a transcript, 0.85 are right beyond chance (tools/train/nested.py).
STRONGEST = 0.8
# Nothing that is judged by words is as sure as what was typed to refuse a call.
SUREST = 0.96
_RULED = frozenset(("kind.rejection", "words.0", "listing"))
# What was typed with a refusal or to answer a question is somebody's words, whatever they are.
_ALWAYS = ("rejection", "answer")
# What a plain refusal counts for at least: all five labelled ones are corrections.
REFUSING = 0.8
# Who lays down a rule says no as well: below this strength none of the labelled ones corrects anything (3 of 3).
LEAST_BESIDE_RULES = 0.3
END_READ = 800
# A correction is taken back within so many messages, by words about the same thing or by a message of nothing else.
SOON, BARE_WORDS, BARE_LETTERS = 3, 6, 12
# By its first words, and so many before them.
EARLY, MOST_FILLERS = 8, 4


class PeopleMiner:
    """Takes situations; the signals are in `signals`, in order.

    With `weak` what hardly corrects anything is in `weak` beside them, as corrections of little strength.
    """

    __slots__ = ("_keeps_weak", "_recent", "_since", "signals", "weak")

    def __init__(self, weak: bool = False) -> None:
        self.signals: list[Signal] = []
        self.weak: list[Signal] = []
        self._keeps_weak = weak
        # (index of the signal, words of its message)
        self._recent: list[tuple[int, frozenset[str]]] = []
        # How many messages came after the last correction.
        self._since = 0

    def see(self, situation: Situation) -> list[Signal]:
        """What this message tells, already added to `signals`."""
        said = situation.said
        if said.kind not in _ALWAYS and is_listing(said.text):
            self._since += 1
            return []
        judges = load_judges()
        features = build_features(situation)
        self._withdraw(said, features.own)
        made: list[Signal] = []
        strength = judge_correction(features, judges["correction"], 0.0 if self._keeps_weak else -1.0)
        rules = find_constraints(said.text, find_said(said.text, features.spans), features.own)
        if strength >= (LEAST_BESIDE_RULES if rules else judges["correction"].low):
            made.append(self._correction(situation, features, strength, judges))
        elif self._keeps_weak:
            self.weak.append(self._correction(situation, features, strength, judges))
        for quote, sure, why in rules:
            made.append(_told(situation, "constraint", quote, sure, why))
        # What answers a question settles it, and the question's own part tells so.
        decision = 0.0 if said.kind == "answer" and said.about != parts.ALLOWED else judges["decision"].judge(features)
        if decision >= judges["decision"].low:
            made.append(_signal(situation, "decision", judges["decision"], features, max(decision, 0.5)))
        if made:
            self._add(made, frozenset([word for word in features.own.plain if len(word) > 2]))
        return made

    def _correction(
        self,
        situation: Situation,
        features: Features,
        strength: float,
        judges: dict[str, Judge],
    ) -> Signal:
        variety = max(CORRECTION_KINDS, key=lambda name: judges[name].score(features))
        return _signal(situation, "correction", judges["correction"], features, strength, variety)

    def _add(self, made: list[Signal], words: frozenset[str]) -> None:
        for signal in made:
            if signal.kind == "correction":
                self._since = 0
                twin = self._find_twin(signal, words)
                if twin is not None:
                    at, known = twin
                    if len(words) >= len(known):
                        self.signals[at] = signal
                        self._recent = [(index, words if index == at else kept) for index, kept in self._recent]
                    continue
                self._recent.append((len(self.signals), words))
                del self._recent[:-RECENT]
            self.signals.append(signal)

    def _find_twin(self, signal: Signal, words: frozenset[str]) -> tuple[int, frozenset[str]] | None:
        for at, known in reversed(self._recent):
            other = self.signals[at]
            if other.uuid and other.uuid == signal.uuid and other.line == signal.line:
                return at, known
            if is_same(words, known):
                return at, known
        return None

    def _withdraw(self, said: parts.Said, own: Text) -> None:
        # Errs on the side of keeping: a true correction called withdrawn misleads, one taken back is only told as said.
        self._since += 1
        if not self._recent or self._since > SOON or len(own.plain) > 60:
            return
        if not _takes_back(own):
            return
        at, words = self._recent[-1]
        bare = self._since == 1 and _is_bare(said, own)
        if not bare and not _salient(own) & words:
            return
        taken = self.signals[at]
        if taken.withdrawn or said.line <= taken.line:
            return
        # A rule that was laid down with a correction goes with it.
        for index, signal in enumerate(self.signals):
            same = (signal.source, signal.line) == (taken.source, taken.line)
            if same and signal.kind in ("correction", "constraint"):
                self.signals[index] = _replace(signal, withdrawn=said.line)


def _takes_back(own: Text) -> bool:
    """Whether a message begins with taking something back, or with a word or two of no meaning before that.

    A "no" has one: "no, forget that" takes back what the agent said. So has "I": "I forget that" takes back nothing.
    """
    if own.find("withdraw").get("back", 99) <= EARLY:
        return True
    words = own.words
    fillers = own.language.words("fillers") - own.language.words("refusals") - own.language.words("persons")
    at = next((at for at, word in enumerate(words) if word not in fillers and word not in ENDS), 0)
    return 0 < at <= MOST_FILLERS and own.language.find("withdraw", words[at:], own.text).get("back", 99) <= EARLY


def _is_bare(said: parts.Said, own: Text) -> bool:
    return len(own.plain) <= BARE_WORDS if own.language.spaced else len(said.text.strip()) <= BARE_LETTERS


def _salient(own: Text) -> frozenset[str]:
    taking = {word for phrase in own.language.phrases["withdraw"]["back"] for word in phrase.strip("^").split()}
    stop = own.language.words("stop")
    return frozenset([word for word in own.plain if len(word) > 3 and word not in stop and word not in taking])


def is_ruled(situations: frozenset[str]) -> bool:
    """Whether a rule decides if this is a correction: a typed refusal is one, pasted matter and bare names are none."""
    return not situations.isdisjoint(_RULED)


def is_strongest(signal: Signal) -> bool:
    """Whether a correction belongs to the strongest tier, of which at most one in seven is wrong."""
    return signal.kind == "correction" and signal.strength >= STRONGEST


def judge_correction(features: Features, judge: Judge, least: float = -1.0) -> float:
    """How sure it is that a message is a correction, between 0 and 1: by rule first, then by the judge (see there)."""
    if is_ruled(features.situations):
        return REFUSED if "kind.rejection" in features.situations else WORDLESS
    strength = min(judge.judge(features, least), SUREST)
    return REFUSING if strength < REFUSING and is_refusing(features) else strength


def is_refusing(features: Features) -> bool:
    """Whether a message begins with a refusal and goes on with what to do or not to do.

    The judge leans on the agent's answer; in a session that runs there is none yet, and who is told in so many words
    need not grant it. What is asked for must follow at once ("no, don't …", "no, revert …", "don't add …"): "no, this
    is fine" is none. Where the agent had asked, a "no" is the answer to that, and only a "don't" behind it refuses.
    Errs on the side of silence, and knows English alone: other languages' files tell no verbs.
    """
    there, own = features.situations, features.own
    if "unheard" in there or own.find("cues").get("no", 99) > 1:
        return False
    language = own.language
    negations, fillers, refusals = language.words("negations"), language.words("fillers"), language.words("refusals")
    words = own.plain[:8]
    while words and words[0] in fillers and words[0] not in refusals:
        del words[0]
    first, *rest = [word for word in words if word not in language.words("helping")] or [""]
    if first not in refusals:
        return first in negations and bool(rest) and rest[0] in language.verbs
    rest = [word for word in rest if word not in fillers] + ["", ""]
    if "asked" in there:
        return rest[0] in negations and rest[1] in language.verbs
    return rest[0] in negations or rest[0] in language.verbs


def is_same(words: frozenset[str], known: frozenset[str]) -> bool:
    """Whether two messages say the same: equal, or one holds most of the other and is not much longer."""
    small, large = sorted((len(words), len(known)))
    shared = len(words & known)
    return (small > 0 and words == known) or (small >= 5 and shared >= 0.75 * small and shared * 2 >= large)


def _replace(signal: Signal, **changes: object) -> Signal:
    return replace(signal, **changes)  # type: ignore[arg-type]


def _signal(
    situation: Situation,
    kind: str,
    judge: Judge,
    features: Features,
    strength: float,
    variety: str = "",
) -> Signal:
    said = situation.said
    return Signal(
        kind,
        "human",
        choose(said.text, find_said(said.text, features.spans), _weigher(judge)),
        said.line,
        uuid=said.uuid,
        source=said.source,
        time=said.time,
        strength=round(strength, 3),
        why=tell_why(features.situations, judge),
        variety=variety,
        about=_about(situation),
    )


def _told(situation: Situation, kind: str, quote: str, strength: float, why: str) -> Signal:
    said = situation.said
    return Signal(
        kind, "human", quote, said.line, uuid=said.uuid, source=said.source, time=said.time, strength=strength, why=why,
        about=_about(situation),
    )  # fmt: skip


def _weigher(judge: Judge) -> Callable[[str], float]:
    def weigh(sentence: str) -> float:
        text = Text(sentence)
        known = judge.words
        total = sum(judge.weights.get(f"cue.{name}", 0.0) for name in text.find("cues"))
        return total + 0.3 * sum(known.get(word, 0.0) for word in text.plain)

    return weigh


def _about(situation: Situation) -> str:
    """What the message speaks of: the call refused, the question answered, or the last thing the agent said."""
    if situation.said.about:
        return situation.said.about[:200]
    if situation.refused is not None:
        return describe(situation.refused)[:200]
    for step in reversed(situation.before):
        if step.action == "text":
            # The end is what a person answers to; a sentence that began before it is not whole.
            sentences = list(find_sentences(step.text, max(0, len(step.text) - END_READ)))
            sentences = sentences[1:] if len(sentences) > 1 and len(step.text) > END_READ else sentences
            asked = [span for span in sentences if step.text[span[0] : span[1]].endswith("?")]
            start, end = (asked or sentences)[-1] if sentences else (0, 0)
            return cut(step.text, start, end)
        return describe(step)[:200]
    return ""
