"""Guesses that the agent raised and took back later: both sentences, so that nobody takes the first for a finding.

A taking back counts only where a guess stands before it that speaks of the same thing, or, where it names nothing
("That was not it."), where one was raised just before. What the agent takes back because the user said so is the
user's correction, and stands under its own name. Errs on the side of silence: a wrong pair would bury a finding.
"""

from collections.abc import Iterator, Sequence

from thruline.brief.pointer import place
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import Claim
from thruline.brief.wording import WRONG_GUESS
from thruline.engines.rules.blamed import blames, read_subject
from thruline.engines.rules.candidates import DISPROVED
from thruline.engines.rules.cues import CONCEDED, GIVEN_UP, GUESSED, find_cues
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.material import Message
from thruline.engines.rules.quoting import build_quote
from thruline.engines.rules.settled import share
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.units import split_units
from thruline.signals.people import is_strongest
from thruline.signals.signal import Signal

# The newest so many are told.
MOST = 3
# A guess is looked for in so many messages of the agent before it was taken back; one that is not named in so few.
REACH, NEAR = 40, 3
# Whether it was taken for the cause again is looked for in so many of the newest.
MOST_LATER = 80
# Of a sentence that names no more than so many things, one in common is enough.
FEW_NAMED = 3
# Sentences that may take a guess back by their words, whatever else they do.
_MAY_REFUTE = frozenset(("hypothesis", "conclusion", "dead_end"))


def build_disproved(facts: Facts) -> list[Claim]:
    """One claim for each guess that was taken back: the guess, then what took it back."""
    found: dict[tuple[int, str], Claim] = {}
    for guess, quote in reversed(list(_find_pairs(facts))):
        known = (guess.pointer.line, guess.text)
        if known not in found and not _is_taken_up(quote, facts.material.messages):
            words = WRONG_GUESS
            found[known] = Claim(words, (guess, quote), topic=DISPROVED, weight=0.6, keep=True)
        if len(found) == MOST:
            break
    return list(found.values())[::-1]


def _find_pairs(facts: Facts) -> Iterator[tuple[Quote, Quote]]:
    signals = [one for one in facts.signals if one.by == "agent" and not one.source]
    raised = [one for one in signals if one.kind == "hypothesis" and _supposes(one.quote)]
    messages = facts.material.messages
    at_line = {message.line: at for at, message in enumerate(messages) if message.by == "agent" and not message.source}
    corrected = {one.line for one in facts.signals if one.kind == "correction" and not one.source}
    for signal in signals:
        at = at_line.get(signal.line)
        if at is None or not _takes_back(signal):
            continue
        if at and messages[at - 1].by == "human" and messages[at - 1].line in corrected:
            continue
        if find_cues(signal.quote, CONCEDED):
            continue  # the user said so
        guess = _find_guess(signal, raised, messages[:at])
        if guess is not None:
            yield guess, Quote(signal.quote, place(signal.line, uuid=signal.uuid), "agent")
    yield from _find_cleared(raised, messages, at_line, facts.signals)


def _find_cleared(
    raised: list[Signal], messages: list[Message], at_line: dict[int, int], signals: Sequence[Signal]
) -> Iterator[tuple[Quote, Quote]]:
    """Causes that were stated, and found to be none soon after; what the user overruled stands under that name."""
    overruled = {one.line for one in signals if one.kind == "correction" and not one.source and is_strongest(one)}
    for one in raised:
        if one.line not in at_line or not find_cues(one.quote, ("root",)):
            continue
        at = at_line[one.line] + 1
        told = [message for message in messages[at : at + REACH] if message.by == "agent" and not message.source][:NEAR]
        if not told or any(one.line < line < told[-1].line for line in overruled):
            continue
        for message in told:
            for span in split_units(message.text):
                text = message.text[span.start : span.end]
                if find_cues(text, ("cleared",)) and _is_same(_find_named(text), one.quote):
                    quote = Quote(one.quote, place(one.line, uuid=one.uuid), "agent")
                    yield quote, build_quote(message, [(span.start, span.end)])


def _is_taken_up(denial: Quote, messages: list[Message]) -> bool:
    """Whether the agent named as the cause later what it had cleared."""
    subject = read_subject(denial.text)
    told = [one for one in messages if one.by == "agent" and one.line > denial.pointer.line and not one.source]
    return any(
        blames(message.text[span.start : span.end], subject)
        for message in told[-MOST_LATER:]
        for span in split_units(message.text)
    )


def _takes_back(signal: Signal) -> bool:
    if signal.kind == "reversal":
        # "Let me try a different approach" says what comes, not what was untrue.
        return _refutes(signal.quote) or "step" not in find_cues(signal.quote, ("step",))
    return signal.kind in _MAY_REFUTE and _refutes(signal.quote)


def _refutes(text: str) -> bool:
    return find_cues(text, GIVEN_UP) == {"given_up"}


def _supposes(text: str) -> bool:
    """Whether a sentence may be a guess: it takes nothing back, and asks nobody."""
    return not _refutes(text) and not text.rstrip("*_`) ").endswith(("?", "？"))


def _find_guess(refutation: Signal, raised: list[Signal], before: list[Message]) -> Quote | None:
    """The newest guess before it about the same thing: one that was mined, else a sentence worded as a guess."""
    told = [message for message in before if message.by == "agent" and not message.source][-REACH:]
    if not told:
        return None
    named = _find_named(refutation.quote)
    first = next((refutation.quote[span.start : span.end] for span in split_units(refutation.quote)), "")
    nameless = not _find_named(first)
    earliest = told[-NEAR:][0].line if nameless else told[0].line
    for one in reversed(raised):
        if earliest <= one.line < refutation.line and (nameless or _is_same(named, one.quote)):
            return Quote(one.quote, place(one.line, uuid=one.uuid), "agent")
    for message in () if nameless else reversed(told):
        for span in split_units(message.text):
            text = message.text[span.start : span.end]
            if find_cues(text, GUESSED) and _is_same(named, text) and _supposes(text):
                return build_quote(message, [(span.start, span.end)])
    return None


def _is_same(named: dict[str, bool], text: str) -> bool:
    shown = _find_named(text)
    return share(named, shown) or (len(named) <= FEW_NAMED and any(term in shown for term in named))


def _find_named(text: str) -> dict[str, bool]:
    """What a sentence speaks of: its terms without those of any guess ("problem", "cause", "wrong")."""
    return {term: name for term, name in find_terms(text).items() if not find_cues(term, ("matter",))}
