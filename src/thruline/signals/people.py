"""What a person's message settles: corrections, refusals, decisions, constraints; and what a later one takes back.

The same correction said twice is kept once, the fuller one: people stop the agent and type it again.
"""

from thruline.session import parts
from thruline.signals.constraints import find_constraints
from thruline.signals.cues import ENDS, is_listing
from thruline.signals.features import Features, build_features
from thruline.signals.features.text import Text
from thruline.signals.model import Judge, load_judges
from thruline.signals.own import find_said
from thruline.signals.own.quotations import drop_quotations
from thruline.signals.quote import choose, cut, find_sentences
from thruline.signals.reasons import tell_why
from thruline.signals.refusing import ANSWERING, REFUSING, find_floor, is_plain_answer, is_thanks
from thruline.signals.repeated import Wording, fold, is_same, says_more
from thruline.signals.signal import CORRECTION_KINDS, Signal
from thruline.signals.situation import Situation, describe
from thruline.signals.taken_back import find_topics, is_bare, owns_up, takes_back
from thruline.signals.weighing import weigh_correction, weigh_words
from thruline.value import dataclass, replace

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
# Who lays down a rule says no as well: below this strength none of the labelled ones corrects anything (3 of 3).
LEAST_BESIDE_RULES = 0.3
# A decision where nothing was asked or offered.
LEAST_UNASKED = 0.5
END_READ = 800
# A correction is taken back within so many messages, by words about the same thing or by a message of nothing else.
SOON = 3


class PeopleMiner:
    """Takes situations; the signals are in `signals`, in order.

    With `weak` what hardly corrects anything is in `weak` beside them, as corrections of little strength.
    """

    __slots__ = ("_keeps_weak", "_recent", "_since", "signals", "weak")

    def __init__(self, weak: bool = False) -> None:
        self.signals: list[Signal] = []
        self.weak: list[Signal] = []
        self._keeps_weak = weak
        self._recent: list[_Told] = []
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
        taken_back = self._withdraw(said, features.own)
        made: list[Signal] = []
        strength = judge_correction(features, judges["correction"], 0.0 if self._keeps_weak else -1.0)
        rules = _find_rules(said.text, features)
        # Who takes a correction back corrects nothing by that, unless there is a "but"; nor who only owns up to a
        # mistake, unless something is to go for it.
        own_fault = taken_back or (owns_up(features.own) and "cue.undo" not in features.situations)
        counts = not own_fault or "cue.contrast" in features.situations
        if counts and strength >= (LEAST_BESIDE_RULES if rules else judges["correction"].low):
            made.append(self._correction(situation, features, strength, judges))
        elif self._keeps_weak:
            self.weak.append(self._correction(situation, features, strength, judges))
        for quote, sure, why in rules:
            made.append(_told(situation, "constraint", quote, sure, why))
        # What answers a question settles it, and the question's own part tells so.
        decision = 0.0 if said.kind == "answer" and said.about != parts.ALLOWED else judges["decision"].judge(features)
        if decision >= judges["decision"].low and _settles(features, decision):
            made.append(_signal(situation, "decision", judges["decision"], features, max(decision, 0.5)))
        if made:
            self._add(made, fold(features.own))
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

    def _add(self, made: list[Signal], wording: Wording) -> None:
        for signal in made:
            if signal.kind == "correction":
                self._since = 0
                twin = self._find_twin(signal, wording)
                if twin is not None:
                    # What was taken back and is said again stands again, where it is said again.
                    if self.signals[twin.at].withdrawn or says_more(wording, twin.wording):
                        self.signals[twin.at] = signal
                        self._recent = [one if one is not twin else _Told(twin.at, wording) for one in self._recent]
                    continue
                self._recent.append(_Told(len(self.signals), wording))
                del self._recent[:-RECENT]
            self.signals.append(signal)

    def _find_twin(self, signal: Signal, wording: Wording) -> "_Told | None":
        for told in reversed(self._recent):
            other = self.signals[told.at]
            if other.uuid and other.uuid == signal.uuid and other.line == signal.line:
                return told
            if is_same(wording, told.wording, about=signal.about == other.about):
                return told
        return None

    def _withdraw(self, said: parts.Said, own: Text) -> bool:
        """Marks the last correction where this message takes it back; tells whether it does."""
        self._since += 1
        if not self._recent or self._since > SOON or not takes_back(own):
            return False
        told = self._recent[-1]
        taken = self.signals[told.at]
        if taken.withdrawn or said.line <= taken.line:
            return False
        # What was corrected is spoken of as well: who is wrong about spaces says that tabs were right.
        known = told.wording.words | find_topics(own, taken.about)
        if not (self._since == 1 and is_bare(said, own)) and not find_topics(own) & known:
            return False
        # A rule that was laid down with a correction goes with it.
        for index, signal in enumerate(self.signals):
            same = (signal.source, signal.line) == (taken.source, taken.line)
            if same and signal.kind in ("correction", "constraint"):
                self.signals[index] = _replace(signal, withdrawn=said.line)
        return True


@dataclass(frozen=True, slots=True)
class _Told:
    """A correction by its place among the signals, and its wording."""

    at: int
    wording: Wording


def _find_rules(text: str, features: Features) -> list[tuple[str, float, str]]:
    """What a message lays down in its writer's own words; a rule that somebody else is quoted with is not theirs."""
    spans = find_said(text, features.spans)
    return find_constraints(text, drop_quotations(text, spans, features.own.language), features.own)


def _settles(features: Features, strength: float) -> bool:
    """Whether there is something that a message can settle: a question, or an offer.

    Where the agent neither asked nor offered anything a weak decision is none (of 41 labelled ones that were taken 9
    are right), and who refuses what was done settles nothing by that, unless an option is named.
    """
    there = features.situations
    if "kind.rejection" in there or "asked" in there or "asked.near" in there:
        return True
    offered = "before.proposed" in there or "offered" in there
    if find_floor(features):
        return offered and _names_option(features.own)
    return offered or (strength >= LEAST_UNASKED and not is_thanks(features))


def _names_option(own: Text) -> bool:
    at = own.find("cues").get("pick", -1)
    if at < 0 or not own.language.spaced:
        return at >= 0
    letter = len(own.words[at]) == 1 and own.words[at].isalpha()
    # "A pause only hides it" names no option A.
    return not (letter and at + 1 < len(own.words) and own.words[at + 1] not in ENDS)


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
    if is_plain_answer(features):
        return min(strength, ANSWERING)
    return strength if strength >= REFUSING else max(strength, find_floor(features))


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
    weigh = weigh_correction(judge, situation) if kind == "correction" else weigh_words(judge)
    return Signal(
        kind,
        "human",
        choose(said.text, find_said(said.text, features.spans), weigh),
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
