"""Which of the agent's words do not stand any more, by what was done: later supersedes earlier.

A claim about a change falls when the change was undone or refused, or made anew after the user corrected it. What was
overruled, and what only a plan said, was never a position. In doubt a claim is left out: an honest "nothing settled"
misleads nobody.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from thruline.engines.rules.candidates.candidate import CONTEXT, DISPROVED, SURE, Candidate
from thruline.engines.rules.candidates.contradicted import find_contradicted, find_taken_back
from thruline.engines.rules.candidates.proposed import find_proposed
from thruline.engines.rules.cues import CONCEDED, has_cue
from thruline.engines.rules.material import Material, Message
from thruline.engines.rules.reverted import Undoing
from thruline.engines.rules.settled import Since, share
from thruline.engines.rules.terms import find_terms
from thruline.pattern import compile_later
from thruline.session import parts
from thruline.signals.people import STRONGEST
from thruline.signals.signal import Signal
from thruline.value import dataclass, field

# A message of no more sentences is about one thing.
FEW_SAID = 4
# What was told in this part of a session of files that were all changed since tells how they were.
EARLY = 1 / 3
# So much of what the agent answers tells whether it grants what the user said, and of a correction what it is about.
OPENING, MOST_READ = 120, 2_000
# Who looks first may grant it a step later.
FIRST_SAID = 3
# Letters of the scripts in which some language has cues: Latin, Cyrillic, Chinese and Japanese.
# Nearly all texts have one of the first, and a set of all of them takes two milliseconds to compile.
_LATIN = compile_later("[A-Za-z]")
_KNOWN_SCRIPT = compile_later("[A-Za-z\u00c0-\u024f\u0400-\u052f\u3040-\u30ff\u4e00-\u9fff]")


@dataclass(slots=True)
class Turn:
    """What the agent said and changed between two messages of the user; `answer` is the second, if there is one."""

    said: list[Message] = field(default_factory=list)
    edits: list[tuple[int, str]] = field(default_factory=list)
    answer: Message | None = None


def mark_overtaken(
    candidates: list[Candidate],
    material: Material,
    signals: Sequence[Signal],
    since: Since,
    undoings: Sequence[Undoing] = (),
) -> None:
    """Marks the candidates that do not stand as gone, and what stands but is in doubt as superseded."""
    by_message: dict[int, list[Candidate]] = {}
    for each in candidates:
        if each.section == "convergence" or (each.section == "basics" and each.topic == CONTEXT):
            by_message.setdefault(id(each.message), []).append(each)
    claims = [each for made in by_message.values() for each in made]
    denials = [each for each in candidates if each.topic == DISPROVED]
    turns = _read_turns(material, by_message)
    for fallen in (
        _find_undone(by_message, material, undoings),
        _find_refused(by_message, material),
        _find_corrected(by_message, turns, signals),
        _find_foreign(by_message, turns),
        _find_guesses(by_message, turns),
        _find_outdated(by_message, turns, since),
        (each for each in claims if each.asked),
        find_proposed(claims, material),
        find_contradicted(claims, candidates, material, signals, since),
        find_taken_back(denials, candidates),
    ):
        for each in list(fallen):
            each.gone = True


def _read_turns(material: Material, by_message: dict[int, list[Candidate]]) -> list[Turn]:
    """The turns from the first message on that has candidates: a long session has far more than are weighed."""
    turns = [Turn()]
    messages = material.messages
    first = next((at for at, message in enumerate(messages) if id(message) in by_message), len(messages))
    while first and messages[first - 1].by == "agent":
        first -= 1
    begun = messages[first - 1].line if first else 0
    for message in messages[first:]:
        if message.by == "agent":
            turns[-1].said.append(message)
        elif turns[-1].said:
            turns[-1].answer = message
            turns.append(Turn())
    edits = iter([edit for edit in material.edits if edit[0] >= begun])
    edit = next(edits, None)
    for turn in turns:
        until = turn.answer.line if turn.answer is not None else material.last_line + 1
        while edit is not None and edit[0] < until:
            turn.edits.append(edit)
            edit = next(edits, None)
    return turns


def _find_undone(
    by_message: dict[int, list[Candidate]], material: Material, undoings: Sequence[Undoing]
) -> Iterator[Candidate]:
    """What was said of changes between making them and putting them back."""
    edits = sorted(material.edits)
    told = sorted(by_message.values(), key=_find_line)
    for one in undoings:
        made = bisect_right(told, one.made, key=_find_line)
        meanwhile = told[made : bisect_left(told, one.line, key=_find_line)]
        if not meanwhile:
            continue
        names = {name for path in one.paths for name in (path.lower(), path.lower().rsplit("/", 1)[-1])}
        begun, ended = bisect_left(edits, (one.made, "")), bisect_left(edits, (one.line, ""))
        other = next((edits[at][0] for at in range(begun, ended) if edits[at][1] not in one.paths), one.line)
        for found in meanwhile:
            alone = found[0].message.line <= other
            for each in found:
                named = any((term.rsplit("/", 1)[-1] if "/" in term else term) in names for term in each.terms)
                if named or (alone and ("cause" not in each.cues or "settled" in each.cues)):
                    yield each


def _find_line(made: list[Candidate]) -> int:
    return made[0].message.line


def _find_refused(by_message: dict[int, list[Candidate]], material: Material) -> Iterator[Candidate]:
    """What was said between the last work and an edit that was refused and not made since."""
    changed = {path: line for line, path in material.edits}
    for one in material.failures:
        if one.outcome != parts.REFUSED or one.action not in ("edit", "write") or one.source:
            continue
        if changed.get(one.target, 0) > one.line:
            continue
        begun = max([line for line, _ in material.edits if line < one.line], default=0)
        before = [message for message in material.messages if message.line < one.line and not message.source]
        while before and before[-1].line > begun and (before[-1].by == "agent" or before[-1].line == one.line):
            yield from (each for each in by_message.get(id(before.pop()), ()) if "cause" not in each.cues)


def _find_corrected(
    by_message: dict[int, list[Candidate]], turns: list[Turn], signals: Sequence[Signal]
) -> Iterator[Candidate]:
    """What the user overruled, and what was made anew because the user was right."""
    corrections: dict[tuple[str, int], list[Signal]] = {}
    for signal in signals:
        if signal.kind == "correction" and signal.strength >= SURE:
            corrections.setdefault((signal.source, signal.line), []).append(signal)
    worked = 0  # the newest turn in which something was changed
    for at, (turn, after) in enumerate(pairwise(turns)):
        worked = at if turn.edits else worked
        if turn.answer is None or not any(id(message) in by_message for message in turn.said):
            continue
        found = corrections.get((turn.answer.source, turn.answer.line), ())
        granted = any(has_cue(message.text[:OPENING], CONCEDED[0]) for message in after.said[:FIRST_SAID])
        files = {path for _, path in turns[worked].edits}
        if granted and files and files <= {path for _, path in after.edits}:
            since_then = [message for one in turns[worked : at + 1] for message in one.said]
            yield from (
                each for message in since_then for each in by_message.get(id(message), ()) if "cause" not in each.cues
            )
        found_out = [each for message in turn.said for each in by_message.get(id(message), ())]
        if granted and not turn.edits and any("cause" in each.cues for each in found_out):
            # An explanation that was given up: what was found on the way to it was found for it.
            yield from found_out
        if granted or found:
            strength = max((signal.strength for signal in found), default=SURE)
            # What the agent gave up, and what the session ended with, stands against a cause too.
            given_up = granted or not after.said
            yield from _find_overruled(by_message, turn, STRONGEST if given_up else strength)


def _find_overruled(by_message: dict[int, list[Candidate]], turn: Turn, strength: float) -> Iterator[Candidate]:
    """What the user's answer is about: a short message that it was given to, and what shares its words before that."""
    assert turn.answer is not None
    wanted = find_terms(turn.answer.text[:MOST_READ])
    for message in turn.said:
        made = by_message.get(id(message), [])
        last = message is turn.said[-1]
        for each in made:
            if "cause" in each.cues and strength < STRONGEST:
                continue
            if last and len(made) <= FEW_SAID and strength >= SURE:
                yield each
            elif share(each.terms, wanted):
                each.superseded = True
                if not last or strength >= SURE:
                    yield each


def _find_foreign(by_message: dict[int, list[Candidate]], turns: list[Turn]) -> Iterator[Candidate]:
    """What the user answered, in a script that no cue is written in: only the last word is known to stand."""
    last = next((turn for turn in reversed(turns) if any(id(message) in by_message for message in turn.said)), Turn())
    newest = {id(message) for message in last.said}
    for known, made in by_message.items():
        if known not in newest:
            yield from (each for each in made if not (_LATIN.search(each.text) or _KNOWN_SCRIPT.search(each.text)))


def _find_guesses(by_message: dict[int, list[Candidate]], turns: list[Turn]) -> Iterator[Candidate]:
    """What was only supposed, before a later turn in which the agent named a cause."""
    found = False
    for turn in reversed(turns):
        made = [each for message in turn.said for each in by_message.get(id(message), ())]
        if found:
            yield from (each for each in made if "guess" in each.cues)
        else:
            found = any("cause" in each.cues and "guess" not in each.cues for each in made)


def _find_outdated(by_message: dict[int, list[Candidate]], turns: list[Turn], since: Since) -> Iterator[Candidate]:
    """What was open in an earlier turn and done since; what tells of files that were all changed since is marked."""
    changed: set[str] = set()
    said = [message.line for turn in turns for message in turn.said]
    early = said[0] + EARLY * (said[-1] - said[0]) if said else 0.0
    for turn in reversed(turns):
        made = [each for message in turn.said for each in by_message.get(id(message), ())]
        files = {path for _, path in turn.edits}
        for each in made if turn is not turns[-1] else ():
            line = each.message.line
            if "open" in each.cues and (since.is_done(each.text, line) or since.is_reported(each.text, line)):
                yield each
            elif line < early and files and files <= changed and not each.cues & {"settled", "cause"}:
                each.superseded = True
        changed |= files
