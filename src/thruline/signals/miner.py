"""The fold that mines a session: parts in, signals out, in one pass.

Held are a few texts around the last message, and facts: never what a tool printed. Parts of subagents count for
files, commands and commits; what is said there was not said to a person.
"""

from collections.abc import Callable, Iterable

from thruline.session import parts
from thruline.session.pickup_prompt import split_prompt
from thruline.signals.agent import AgentMiner
from thruline.signals.evidence import EvidenceMiner
from thruline.signals.features.text import Text
from thruline.signals.people import PeopleMiner
from thruline.signals.quote import cut, find_sentences
from thruline.signals.signal import KINDS, Signal
from thruline.signals.situation import Situation, SituationBuilder
from thruline.value import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_PLACES = 2000
BEGINNING = 2000
# A plan refused without a word is taken up again within so many messages, in their first words.
SOON, READ = 2, 600


class SignalMiner:
    """Takes one part after another with `see`; `finish` returns the signals, by kind and then by line.

    With `weak` every message of a person is among the corrections, however little speaks for it.
    """

    __slots__ = (
        "_agent", "_evidence", "_heard", "_last", "_people", "_places", "_plans", "_refused", "_situations", "_told",
        "_typed", "_withdrawn",
    )  # fmt: skip

    def __init__(self, weak: bool = False) -> None:
        self._situations = SituationBuilder()
        self._people = PeopleMiner(weak)
        self._agent = AgentMiner()
        self._evidence = EvidenceMiner()
        self._plans: dict[str, parts.Planned] = {}
        self._told: list[Signal] = []
        self._heard: parts.Said | None = None  # the last message, while no text of the agent answered it
        self._places: list[parts.Said] = []  # how each message begins, for what a rewind left behind
        self._last: parts.Call | None = None
        self._typed: dict[tuple[str, int], str] = {}  # where a refusal was typed: its words
        self._refused: list[list[Any]] = []  # plans refused: the signal, the line of the refusal, messages since
        self._withdrawn: dict[tuple[str, int], int] = {}  # refusals taken back, by their place: where

    def see(self, part: parts.Part) -> None:
        """Takes one part in."""
        take = _TAKERS.get(type(part))
        if take is not None:
            take(self, part)

    def see_all(self, found: Iterable[parts.Part]) -> None:
        """Takes parts in, one after another."""
        find = _TAKERS.get
        for part in found:
            take = find(type(part))
            if take is not None:
                take(self, part)

    def _said(self, part: parts.Said) -> None:
        if part.by == "agent":
            if not part.source and part.text:
                self._heard = None
                self._agent.see(part)
                self._situations.see(part)
        elif part.by == "human":
            self._agent.end_turn(True)
            packet, words = split_prompt(part.text)
            if packet:
                if not words:
                    return  # all of it is ours, and an earlier session's
                part = _with_words(part, words)
            self._heard = part
            self._places.append(_shorten(part))
            del self._places[:-MOST_PLACES]
            if self._refused:
                self._take_up(part)
            self._judge(self._situations.see(part))
        elif part.kind == "interrupt":
            about = f"{self._last.name} {self._last.target}"[:200] if self._last is not None else ""
            self._told.append(_told("interrupt", part, part.text.strip()[:200], "the person stopped the agent", about))
            self._situations.see(part)

    def _judge(self, situation: Situation | None) -> None:
        if situation is not None:
            for signal in self._people.see(situation):
                if signal.kind == "correction":
                    self._typed[signal.source, signal.line] = signal.quote

    def _call(self, part: parts.Call) -> None:
        self._evidence.call(part)
        if not part.source:
            self._last = part
            self._agent.worked()
            self._situations.see(part)

    def _result(self, part: parts.Result) -> None:
        self._evidence.result(part)
        if part.outcome == parts.INTERRUPTED:
            self._situations.see(part)

    def _asked(self, part: parts.Asked) -> None:
        self._heard = None
        if part.answer:
            signal = _told("decision", part, part.answer.strip()[:200], "an answer to the agent's question")
            self._told.append(_with(signal, strength=0.95, about=part.question[:200], variety="answer"))
        else:
            self._told.append(
                _with(_told("question", part, part.question.strip()[:200], "asked, not answered"), by="agent")
            )

    def _planned(self, part: parts.Planned) -> None:
        self._situations.see(part)
        if part.verdict == "proposed":
            self._plans[part.call_id] = part
            return
        # The plan's words stand in the proposal; what the verdict's record repeats differs by version.
        plan = self._plans.pop(part.call_id, part)
        quote = _first_sentence(plan.text)
        if part.verdict == "approved":
            signal = _told("decision", plan, quote, "the plan was approved", f"plan approved at L{part.line}")
            self._told.append(_with(signal, strength=0.95, variety="plan"))
            for refused, line, _ in self._refused:
                if refused.quote == quote:
                    self._take_back(refused, line, part.line)
        else:
            signal = _told("dead_end", plan, quote, "the plan was refused", f"plan refused at L{part.line}")
            signal = _with(signal, by="agent", strength=0.7, variety="plan")
            self._told.append(signal)
            self._refused.append([signal, part.line, 0])

    def _take_up(self, part: parts.Said) -> None:
        """A plan was refused: whether this message lets it go on. Words typed with the refusal stand against that."""
        last = self._refused[-1]
        if part.kind == "rejection" and part.line == last[1]:
            last[2] = SOON
        last[2] += 1
        if last[2] <= SOON and "proceed" in Text(part.text[:READ]).find("withdraw"):
            self._take_back(last[0], last[1], part.line)

    def _take_back(self, refused: Signal, line: int, where: int) -> None:
        for place in ((refused.source, refused.line), (refused.source, line)):
            self._withdrawn.setdefault(place, where)

    def _rewound(self, part: parts.Rewound) -> None:
        left = [place for place in self._places if part.first <= place.line <= part.last]
        for place in [place for place in left if place.source == part.source][:3]:
            span = f"L{part.first}-L{part.last}"
            signal = _told("dead_end", place, _first_sentence(place.text), "left behind by a rewind", span)
            self._told.append(_with(signal, strength=0.8, variety="rewind"))

    def finish(self) -> list[Signal]:
        """Every signal of the session."""
        self._agent.end_turn(False)
        self._judge(self._situations.finish())
        if self._heard is not None and "?" in self._heard.text:
            spans = [span for span in find_sentences(self._heard.text) if "?" in self._heard.text[span[0] : span[1]]]
            if spans:
                quote = cut(self._heard.text, *spans[-1])
                self._told.append(_told("question", self._heard, quote, "asked at the end, not answered"))
        found = [*self._people.signals, *self._people.weak, *self._told, *self._evidence.finish()]
        for kept in self._agent.signals.values():
            found += kept
        order = {kind: at for at, kind in enumerate(KINDS)}
        found = [signal for signal in map(self._complete, found) if signal.quote]
        found.sort(key=lambda signal: (order[signal.kind], signal.line))
        return found

    def _complete(self, signal: Signal) -> Signal:
        """A refusal is quoted with its typed reason; a refusal and its plan carry where they were taken back."""
        place = (signal.source, signal.line)
        if signal.kind == "refusal" and place in self._typed:
            return _with(signal, quote=self._typed[place], why="refused with a reason")
        if place in self._withdrawn and (signal.kind == "refusal" or signal.variety == "plan"):
            return _with(signal, withdrawn=self._withdrawn[place]) if signal.kind != "decision" else signal
        return signal


def mine(session: Iterable[parts.Part]) -> list[Signal]:
    """The signals of a whole session."""
    miner = SignalMiner()
    miner.see_all(session)
    return miner.finish()


def _first_sentence(text: str) -> str:
    return cut(text, *next(find_sentences(text, 0, min(len(text), BEGINNING)), (0, 0)))


def _shorten(part: parts.Said) -> parts.Said:
    """The message as long as its first sentence may be; most are no longer than that."""
    return part if len(part.text) <= BEGINNING else _with_words(part, part.text[:BEGINNING])


def _with_words(part: parts.Said, words: str) -> parts.Said:
    return parts.Said(part.line, part.by, part.kind, words, part.uuid, part.time, part.source, part.about, part.call_id)


def _with(signal: Signal, **changes: "Any") -> Signal:
    return replace(signal, **changes)


def _told(kind: str, part: parts.Part, quote: str, why: str, about: str = "") -> Signal:
    return Signal(
        kind,
        "human",
        quote.rstrip(),
        part.line,
        uuid=part.uuid,
        source=part.source,
        time=part.time,
        why=why,
        about=about,
    )


_TAKERS: "dict[type[parts.Part], Callable[[SignalMiner, Any], None]]" = {
    parts.Said: SignalMiner._said,
    parts.Call: SignalMiner._call,
    parts.Result: SignalMiner._result,
    parts.Asked: SignalMiner._asked,
    parts.Planned: SignalMiner._planned,
    parts.Rewound: SignalMiner._rewound,
}
