"""Which claim of a brief stands below which heading of a packet.

Convergence tells the context, Dead-ends what was rejected, Open-threads the plan and the questions. People's words are
told apart here: a rule stays in force (Constraints), a choice is settled (Decisions), a request says what the session
was about (Context).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from thruline.brief.claims.names import render_path
from thruline.brief.pointer import place
from thruline.brief.quotation.quote import Quote, join_lines
from thruline.brief.section import Claim
from thruline.engines.rules import SURE, Facts
from thruline.engines.rules.candidates import ASKED, OVERRULED, QUESTIONED
from thruline.engines.rules.candidates import RULES as CONSTRAINTS
from thruline.engines.rules.cues import TOLD, find_cues
from thruline.engines.rules.open_threads import CONFLICTS
from thruline.engines.rules.quoting import mark_secrets
from thruline.signals.signal import Signal

_MOST_RULES = 12
# How sure the miner must be that something was settled; below it, most are requests.
_CHOSEN = 0.6
CONTINUED = "The session continued the packet"
# How the rules begin a claim about changes that the user refused: an answer, and nothing that is left to do.
REFUSED = "Refused by the user"
_Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Sorted:
    """The claims by heading: the first task, what else was asked, where it landed, what is known; then as they say.

    `last` is what a person said last, where no other claim says it.
    """

    task: tuple[Claim, ...]
    asked: tuple[Claim, ...]
    landed: tuple[Claim, ...]
    context: tuple[Claim, ...]
    constraints: tuple[Claim, ...]
    decided: tuple[Claim, ...]
    rejected: tuple[Claim, ...]
    questioned: tuple[Claim, ...]
    plan: tuple[Claim, ...]
    questions: tuple[Claim, ...]
    last: tuple[Claim, ...] = ()

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All of them."""
        return tuple(claim for name in self.__slots__ for claim in getattr(self, name))


def sort_claims(sections: Mapping[str, Sequence[Claim]], facts: Facts) -> Sorted:
    """Every claim of the sections that a packet has a heading for, and each rule that the miner found."""
    ends, threads = _real(sections["dead_ends"]), _real(sections["open_threads"])
    told = [claim for claim in sections["basics"] if claim.topic in (CONSTRAINTS, ASKED)]
    # Of a prompt of ours, the miner reads what an earlier session said.
    said = {(message.source, message.line) for message in facts.material.humans()}
    # What was picked in a dialog and what plan was approved there nobody typed.
    said |= {(one.source, one.line) for one in (*facts.material.asked, *facts.material.plans)}
    standing = [one for one in facts.signals if not one.withdrawn and _place_of(one) in said]
    rules = {_place_of(one): one for one in standing if one.kind == "constraint"}
    choices = {_place_of(one): one.strength for one in standing if one.kind == "decision" and one.strength >= _CHOSEN}
    first = next((("", one.line) for one in facts.material.humans() if one.turn == 1), ("", 0))
    constraints = [claim for claim in told if claim.topic == CONSTRAINTS]
    rest = [claim for claim in told if claim not in constraints]
    decided = [claim for claim in rest if first not in _where(claim) and _is_choice(claim, choices)]
    questioned = [claim for claim in ends if claim.topic == QUESTIONED]
    refused = [claim for claim in threads if claim.text.startswith(REFUSED)]
    open_ = [claim for claim in threads if claim not in refused]
    questions = [claim for claim in open_ if claim.topic == CONFLICTS or claim.flag or _asks(claim)]
    constraints += _add_rules(rules, [*constraints, *ends], facts)
    rejected = [claim for claim in ends if claim not in questioned]
    asked = [claim for claim in rest if claim not in decided]
    shown = [claim for claim in (*rest, *constraints, *ends, *threads) if claim not in asked or first in _where(claim)]
    return Sorted(
        task=tuple(claim for claim in asked if first in _where(claim)),
        asked=tuple(claim for claim in asked if first not in _where(claim)),
        landed=_real(sections["convergence"]),
        context=(*_continued(facts), *(claim for claim in _real(sections["basics"]) if claim not in told)),
        constraints=tuple(constraints),
        decided=tuple(sorted(decided, key=lambda claim: -max(choices.get(at, 0.0) for at in _where(claim)))),
        rejected=(*sorted(rejected, key=lambda claim: claim.topic != OVERRULED), *refused),
        questioned=tuple(questioned),
        plan=tuple(claim for claim in open_ if claim not in questions),
        questions=tuple(questions),
        last=_find_last(facts, shown),
    )


def _find_last(facts: Facts, shown: Sequence[Claim]) -> tuple[Claim, ...]:
    """What a person said last: an "it works" is no rule, no choice and no question, and ends what was still open."""
    humans = facts.material.humans()
    if not humans or any((humans[-1].source, humans[-1].line) in _where(claim) for claim in shown):
        return ()
    one = humans[-1]
    quote = Quote(join_lines(one.text), place(one.line, source=one.source, uuid=one.uuid))
    return (mark_secrets(Claim("", (quote,)), {(one.source, one.line): one.text}),)


def _continued(facts: Facts) -> tuple[Claim, ...]:
    packet_id, line = facts.material.continued
    if not packet_id:
        return ()
    words = f"{CONTINUED} {render_path(packet_id)}; its rules and rejections are not repeated here."
    return (Claim(words, pointers=(place(line),)),)


def _real(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    # A statement says that nothing was found; the packet has words of its own for that.
    return tuple(claim for claim in claims if not claim.statement)


def _is_choice(claim: Claim, choices: Mapping[_Place, float]) -> bool:
    """Whether a person's words settle something: the miner says so, or they steer and ask nothing."""
    if _where(claim) & choices.keys():
        return True
    words = [quote.text.rstrip() for quote in claim.quotes if quote.by == "human"]
    return any("steering" in find_cues(text, TOLD) and not text.endswith(("?", "？")) for text in words)


def _add_rules(rules: Mapping[_Place, Signal], told: Sequence[Claim], facts: Facts) -> list[Claim]:
    """The miner's rules that no claim quotes yet, the surest first."""
    quoted = [quote.text for claim in told for quote in claim.quotes]
    texts = {(message.source, message.line): message.text for message in facts.material.messages}
    missing = [one for one in rules.values() if one.strength >= SURE and not any(one.quote in each for each in quoted)]
    missing.sort(key=lambda one: (-one.strength, -one.line))
    return [
        mark_secrets(Claim("", (Quote(one.quote, place(one.line, source=one.source, uuid=one.uuid), one.by),)), texts)
        for one in missing[:_MOST_RULES]
    ]


def _place_of(signal: Signal) -> _Place:
    return signal.source, signal.line


def _where(claim: Claim) -> set[_Place]:
    return {(quote.pointer.source, quote.pointer.line) for quote in claim.quotes}


def _asks(claim: Claim) -> bool:
    return any(quote.text.rstrip().endswith("?") for quote in claim.quotes)
