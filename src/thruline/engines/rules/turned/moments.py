"""The messages of the agent at which something spoke against the way it had taken, by structure alone."""

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator

from thruline.engines.rules.alike import find_core, has_answer
from thruline.engines.rules.basics import is_work
from thruline.engines.rules.candidates.candidate import OVERRULED, PERHAPS, QUESTIONED
from thruline.engines.rules.candidates.outcome import Outcome, find_outcome
from thruline.engines.rules.cues import CONCEDED, find_cues
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.material import Failure, Material, Message
from thruline.engines.rules.settled import share
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.units import split_units
from thruline.pattern import Signs, compile_later
from thruline.session import parts
from thruline.signals.cues import has_function_word
from thruline.signals.people import is_strongest
from thruline.value import dataclass

# How many messages after what spoke against the old way may say why.
NEAR_FAILED, NEAR_TOLD = 2, 3
# Whether a proposal was taken back is looked for in so many messages after it.
MOST_ANSWERS = 8
# So many of the newest messages are looked through.
MOST_MESSAGES = 4_000
# Of what follows a message so many edits are looked at, and of a message so many sentences.
MOST_AFTER, MOST_READ = 12, 40
# Points that were granted are looked for in so many letters of the newest words.
MOST_WEIGHED = 40_000
# Calls that look at something or change it: that one found nothing tells of no way that failed.
_NO_WAY = frozenset(("read", "edit", "write", "search", "tasks", "ask", "plan"))
_STATUS = compile_later(r"\A\s*[Ee]xit(?:ed with)? (?:code|status):? \d+\s*")
# A language is unknown when fewer than this share of what was said has a small word of one that is known; told by so
# many of the newest messages.
KNOWN, SHORTEST, SHORT_READ, MOST_HEARD = 0.2, 30, 400, 120
_CJK = Signs("\u3040-\u30ff", "\u4e00-\u9fff")


@dataclass(frozen=True, slots=True)
class Moment:
    """A message, what spoke against the way before it, and what was changed after it in the same turn.

    `failed` is a call, `told` the user's words and `topic` what those are called; `granted` is true where the agent
    grants a point or finds its own work wanting, `redone` where it changed a file again that it had changed before.
    """

    message: Message
    after: tuple[tuple[int, str], ...]
    redone: bool
    failed: Failure | None = None
    told: Message | None = None
    topic: str = ""
    granted: bool = False


def find_moments(facts: Facts, outcome: Outcome | None = None) -> Iterator[Moment]:
    """Every message that may say why a way was left, in order."""
    material = facts.material
    edits = sorted(material.edits)
    lines = [line for line, _ in edits]
    first = {path: line for line, path in reversed(edits)}
    failures = [one for one in material.failures if not one.source and one.outcome == parts.ERROR]
    failed_at = [one.line for one in failures]
    objected = _find_objections(facts, outcome)
    messages = [one for one in material.messages if not one.source][-MOST_MESSAGES:]
    ends, newest = _find_ends(messages), _find_newest(messages)
    told: Message | None = None
    said: list[int] = []
    for at, message in enumerate(messages):
        if message.by == "human":
            told, said = message, []
            continue
        near = said[-NEAR_FAILED] if len(said) >= NEAR_FAILED else 0
        said.append(message.line)
        before = bisect_left(failed_at, message.line)
        fails = before > 0 and failed_at[before - 1] > near
        objects = told is not None and told.line in objected and len(said) <= NEAR_TOLD
        if not (fails or objects or at >= newest):
            continue  # as most of a long session: nothing spoke against anything
        changed = bisect_right(lines, message.line)
        last = lines[changed - 1] if changed else 0
        objects = objects and told is not None and last <= told.line
        end = min(changed + MOST_AFTER, bisect_left(lines, ends[at]))
        tried = failures[bisect_right(failed_at, max(last, near)) : before] if fails else []
        failed = _find_failed(tried, message) if tried else None
        # What was only proposed, and taken back when the user objected again, is no way that was taken.
        objects = objects and (changed < end or not _is_taken_back(messages[at + 1 : at + 1 + MOST_ANSWERS], objected))
        # Said to nobody: only where work goes on.
        weighed = at >= newest and changed < end
        granted = (weighed or failed is not None or objects) and _grants(message)
        if failed is not None or objects or granted:
            after = tuple(edits[changed:end])
            redone = any(first[path] < message.line for _, path in after)
            answers = told if objects else None
            topic = objected[answers.line] if answers is not None else ""
            yield Moment(message, after, redone, failed, answers, topic, granted)


def _find_ends(messages: list[Message]) -> list[int]:
    """For each message the line where its turn ends; what is typed while the agent works ends none."""
    ends: list[int] = []
    end = 1 << 62
    for message in reversed(messages):
        ends.append(end)
        if message.by == "human" and message.kind != "queued":
            end = message.line
    return ends[::-1]


def _find_newest(messages: list[Message]) -> int:
    """The place of the first message that is weighed where nothing but its words makes it a moment."""
    left = MOST_WEIGHED
    for at in range(len(messages) - 1, -1, -1):
        left -= len(messages[at].text) if messages[at].by == "agent" else 0
        if left < 0:
            return at + 1
    return 0


def _find_objections(facts: Facts, outcome: Outcome | None) -> dict[int, str]:
    """The lines of what the user said against something and did not take back, and what each is called.

    Of the session itself: the lines of a subagent's file are counted from one again.
    """
    signals = [one for one in facts.signals if one.kind == "correction" and not one.source]
    refused = [one.line for one in facts.material.humans() if one.kind == "rejection" and not one.source]
    outcome = outcome or find_outcome(facts.material, facts.signals)
    granted, requests = (
        {one.line for one in facts.material.humans() if id(one) in ids} for ids in (outcome.granted, outcome.requests)
    )
    found = {one.line: QUESTIONED for one in signals if one.strength >= PERHAPS and one.line not in requests}
    found |= dict.fromkeys(granted, QUESTIONED)
    found |= dict.fromkeys([*refused, *(one.line for one in signals if is_strongest(one))], OVERRULED)
    taken_back = {one.line for one in signals if one.withdrawn}
    return {line: topic for line, topic in found.items() if line not in taken_back}


def _find_failed(tried: list[Failure], message: Message) -> Failure | None:
    """The last failure, if it was an attempt that the message speaks of."""
    said: dict[str, bool] | None = None
    for one in reversed(tried):
        if one.turn != message.turn or one.action in _NO_WAY or has_answer(find_core(one.target)):
            continue
        # Of other programs one that ends badly without a word has only answered no.
        silent = not _STATUS.sub("", one.text).strip()
        if is_work(one.target):
            return one
        if not silent:
            said = find_terms(message.text) if said is None else said
            if share(said, find_terms(f"{one.target}\n{one.text}")):
                return one
    return None


def _is_taken_back(later: list[Message], objected: Container[int]) -> bool:
    """Whether the user's next words object, and the agent's first ones after them grant that."""
    told = next((at for at, one in enumerate(later) if one.by == "human"), len(later))
    answer = next((one.text for one in later[told:] if one.by == "agent"), "")
    if not answer or later[told].line not in objected:
        return False
    first = next((answer[one.start : one.end] for one in split_units(answer)), "")
    return bool(find_cues(first, (*CONCEDED, "negated")))


def _grants(message: Message) -> bool:
    spans = split_units(message.text)[:MOST_READ]
    return any(find_cues(message.text[one.start : one.end], (*CONCEDED, "yielded", "own")) for one in spans)


def is_foreign(material: Material) -> bool:
    """Whether what the agent says is written in a language of which neither cues nor small words are known."""
    said = [one.text for one in material.messages if one.by == "agent" and len(one.text) >= SHORTEST]
    said = said[-MOST_HEARD:]
    known = 0
    for number, text in enumerate(said, 1):
        known += has_function_word(text[:SHORT_READ]) or bool(_CJK.search(text))
        if known >= KNOWN * len(said):
            return False
        if number - known > (1 - KNOWN) * len(said):
            return True
    return False
