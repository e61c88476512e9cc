"""Where the agent went another way, and why: what was tried first is a dead end, told in the words that left it.

The situation, whatever the language: something spoke against the way that was taken (a command failed, the user
objected, the agent granted somebody a point or found its own work of no use), the agent said what was wrong, and then
it worked on, mostly on what it had made before. Those words lie between the two, and nobody says them again later.
Which sentences of them tell the reason, and which the other way, are cues; where a session is written in a language
that has none, the place alone decides, and only after a failure that made the agent change its own work again.

Errs on the side of silence. A fault that was simply mended (an import, a typing error) is no dead end, a supposition is
no reason, and a report at the end of a turn tells where things stand, not why a way was left.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from thruline.brief.names import render_command
from thruline.brief.pointer import place
from thruline.brief.section import Claim
from thruline.engines.rules.alike import find_core, has_answer
from thruline.engines.rules.basics import is_work
from thruline.engines.rules.candidates import DISPROVED, OVERRULED
from thruline.engines.rules.candidates.candidate import PERHAPS
from thruline.engines.rules.cues import CONCEDED, TURNED, find_cues
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.material import Failure, Material, Message
from thruline.engines.rules.quoting import build_quote
from thruline.engines.rules.reverted import Undoing
from thruline.engines.rules.settled import share
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.units import Span, split_units
from thruline.pattern import Signs, compile_later
from thruline.session import parts
from thruline.signals.cues import load_function_words, split_words
from thruline.value import dataclass, replace

# Below this a change of way is not worth a line; so many are told where there is room.
LEAST, MOST = 2.8, 8
# Where there is little, so many, in so much of the room. So many letters take one off what a claim is worth; that the
# user's words are quoted anyway takes off so much.
FEW, SHARE, COST, TOLD = 3, 0.12, 250, 0.5
# How many messages after what spoke against the old way may say why.
NEAR_FAILED, NEAR_TOLD = 2, 3
# The other way is told so many sentences behind the reason at most, and both in so many letters.
APART, LONGEST = 2, 420
# What a sentence is worth that tells another way plainly, one that only says what must be done, a plain reason, and one
# that is about the agent's own work; what is only stated is less.
PLAIN, SHIFTED, STRONG, OWN, STATED = 2.0, 0.7, 1.0, 1.5, 0.5
# A sentence with so many words that count states something.
FEW_TERMS = 3
# Of a message so many sentences are read.
MOST_READ = 40
# Calls that look at something or change it: that one found nothing tells of no way that failed.
_NO_WAY = frozenset(("read", "edit", "write", "search", "tasks", "ask", "plan"))
# A language is unknown when fewer than this share of what was said has a small word of one that is known.
KNOWN, SHORTEST, LONGEST_FOREIGN = 0.2, 30, 300
SHORT_READ = 400
_CJK = Signs("\u3040-\u30ff", "\u4e00-\u9fff")
ANSWERED = "Then another way:"
# A name in code is no word of a sentence: `git restore` restores nothing.
_CODE = compile_later(r"`[^`\n]*`")


@dataclass(frozen=True, slots=True)
class Against:
    """What spoke against the way that was taken: a failure, the user's message, a point that the agent granted."""

    failed: Failure | None = None
    told: Message | None = None
    granted: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """The words of one change of way, and what its finding out would cost again."""

    worth: float
    message: Message
    spans: tuple[tuple[int, int], ...]
    against: Against


def build_turned(facts: Facts, undoings: Sequence[Undoing] = ()) -> list[tuple[float, Claim]]:
    """The changes of way that say why, each with its worth: those first that would cost most to find out again."""
    best: dict[int, Turn] = {}
    for one in _find_turns(facts, undoings):
        # What spoke against it may be answered twice; once is enough.
        why = one.against.told or one.against.failed or one.message
        if id(why) not in best or best[id(why)].worth < one.worth:
            best[id(why)] = one
    return [(one.worth, _build(one)) for one in sorted(best.values(), key=lambda one: -one.worth)[:MOST]]


def choose_turned(found: list[tuple[float, Claim]], room: int, *, roomy: bool) -> list[Claim]:
    """As many of them as there is room for; where there is little, the short ones, and what nobody else tells.

    An objection of the user is quoted in any case; a failure that was not said to anybody stands nowhere else.
    """
    if roomy:
        return [claim for _, claim in found]
    sizes = [
        len(one.text) + sum(len(each.text.encode("utf-8", "surrogatepass")) for each in one.quotes) for _, one in found
    ]
    ranked = [
        (worth - size / COST - (TOLD if claim.topic == OVERRULED else 0.0), size, claim)
        for size, (worth, claim) in zip(sizes, found, strict=True)
    ]
    chosen: list[Claim] = []
    left = int(room * SHARE)
    for worth, size, claim in sorted(ranked, key=lambda one: -one[0]):
        if worth >= LEAST and size <= left and len(chosen) < FEW:
            chosen.append(claim)
            left -= size
    return chosen


def join_answers(claims: list[Claim]) -> list[Claim]:
    """The claims of a section, each answer to an objection with the user's words that it answers, where they stand."""
    objected = {
        (quote.pointer.source, quote.pointer.line): at
        for at, claim in enumerate(claims)
        for quote in claim.quotes
        if quote.by == "human"
    }
    joined = list(claims)
    gone: set[int] = set()
    for at, claim in enumerate(claims):
        to = objected.get((claim.pointers[0].source, claim.pointers[0].line)) if claim.text == ANSWERED else None
        if to is not None:
            joined[to] = replace(joined[to], quotes=(*joined[to].quotes, *claim.quotes))
            gone.add(at)
    return [claim for at, claim in enumerate(joined) if at not in gone]


def _find_turns(facts: Facts, undoings: Sequence[Undoing]) -> Iterator[Turn]:
    material = facts.material
    edits = sorted(material.edits)
    lines = [line for line, _ in edits]
    objected = _find_objections(facts)
    foreign = _is_foreign(material)
    messages = [one for one in material.messages if not one.source]
    ends = _find_ends(messages)
    told: Message | None = None
    said: list[int] = []
    for at, message in enumerate(messages):
        if message.by == "human":
            told, said = message, []
            continue
        changed = bisect_right(lines, message.line)
        last = lines[changed - 1] if changed else 0
        since = max(last, said[-NEAR_FAILED] if len(said) >= NEAR_FAILED else 0)
        said.append(message.line)
        objects = told is not None and told.line in objected and last < told.line and len(said) <= NEAR_TOLD
        after = edits[changed : bisect_left(lines, ends[at])]
        before = {path for _, path in edits[:changed]}
        redone = any(path in before for _, path in after)
        failed = _find_failed(material, since, message)
        if foreign:
            whole = message.text.rstrip()
            if failed is not None and redone and SHORTEST <= len(whole) <= LONGEST_FOREIGN:
                yield Turn(LEAST, message, ((0, len(whole)),), Against(failed))
            continue
        against = Against(failed, told if objects else None, _grants(message))
        found = _read_message(message, against, worked=bool(after))
        if found is not None:
            worth, spans = found
            if after and all(_is_undone(one, undoings) for one in after):
                # The other way was given up in its turn: only what was wrong with the first one is left to tell.
                spans = spans[:1] if len(spans) > 1 else ()
            worth += (1.0 if redone else 0.5 if after else 0.0) + 0.5 * message.line / max(1, material.last_line)
            if worth >= LEAST and spans:
                yield Turn(worth, message, spans, against)


def _is_undone(edit: tuple[int, str], undoings: Sequence[Undoing]) -> bool:
    line, path = edit
    return any(one.made <= line < one.line and path in one.paths for one in undoings)


def _find_ends(messages: list[Message]) -> list[int]:
    """For each message the line where its turn ends; what is typed while the agent works ends none."""
    ends: list[int] = []
    end = 1 << 62
    for message in reversed(messages):
        ends.append(end)
        if message.by == "human" and message.kind != "queued":
            end = message.line
    return ends[::-1]


def _find_objections(facts: Facts) -> set[int]:
    """The lines of what the user said against something."""
    found = {one.line for one in facts.signals if one.kind == "correction" and one.strength >= PERHAPS}
    return found | {one.line for one in facts.material.humans() if one.kind == "rejection"}


def _find_failed(material: Material, since: int, message: Message) -> Failure | None:
    """What failed last between a line and a message, if it was an attempt that the message speaks of."""
    for one in reversed(material.failures):
        if not since < one.line < message.line or one.source or one.turn != message.turn:
            continue
        if one.outcome != parts.ERROR or one.action in _NO_WAY or has_answer(find_core(one.target)):
            continue
        if is_work(one.target) or share(find_terms(message.text), find_terms(f"{one.target}\n{one.text}")):
            return one
    return None


def _grants(message: Message) -> bool:
    spans = split_units(message.text)[:MOST_READ]
    return any(find_cues(message.text[one.start : one.end], (*CONCEDED, "yielded", "own")) for one in spans)


def _read_message(
    message: Message, against: Against, *, worked: bool
) -> tuple[float, tuple[tuple[int, int], ...]] | None:
    """The reason and the other way that a message tells, if something spoke against the old one."""
    failed = against.failed is not None and not message.final
    # Where nothing was done about it, the user must have been told.
    told = against.told is not None and (message.final != worked)
    granted = against.granted and worked and not message.final
    if not (failed or told or granted):
        return None
    spans = split_units(message.text)[:MOST_READ]
    cues = [_find_cues(message.text[one.start : one.end]) for one in spans]
    best: tuple[float, Span, Span] | None = None
    for at, mine in enumerate(cues):
        reason = _weigh_reason(mine)
        for other in range(at, min(at + APART + 1, len(spans))):
            way = _weigh_way(cues[other], worked=worked)
            enough = reason
            if way == PLAIN and not reason:
                # What stands right before another way is what was wrong with the first; and where the user objected,
                # one sentence may tell what is left and what takes its place.
                states = other == at + 1 and _states(message.text[spans[at].start : spans[at].end], mine)
                enough = STATED if states or (at == other and "contrast" in mine and (told or granted)) else 0.0
            size = spans[at].end - spans[at].start + (spans[other].end - spans[other].start if other > at else 0)
            # "I need to …" is another way only where something was plainly wrong with the one before.
            if not way or not enough or size > LONGEST or (way < PLAIN and reason < STRONG):
                continue
            score = way + enough - 0.2 * max(0, other - at - 1) - 0.05 * at
            if best is None or score > best[0]:
                best = (score, spans[at], spans[other])
    if best is None:
        return None
    score, first, second = best
    # What was only proposed in answer cost little to find out.
    score += (1.0 if told and worked else 0.5 if failed or told else 0.0) + (0.5 if against.granted else 0.0)
    return score, tuple(sorted({(first.start, first.end), (second.start, second.end)}))


def _find_cues(text: str) -> frozenset[str]:
    found = find_cues(_CODE.sub("x", text) if "`" in text else text, TURNED)
    return found | {"question"} if text.rstrip("*_`) ").endswith(("?", "？")) else found


def _weigh_reason(cues: frozenset[str]) -> float:
    """How much a sentence says of what was wrong: "the fix is …" says what comes."""
    if cues & {"guess", "mended", "question"}:
        return 0.0
    if "own" in cues:
        return OWN
    strong = cues & {"reason", "rejected"} or ("cause" in cues and "remedy" not in cues)
    return STRONG if strong else 0.4 if "negated" in cues else 0.0


def _states(text: str, cues: frozenset[str]) -> bool:
    """Whether a sentence says what is, and not what will be done, or what the user is granted."""
    if cues & {"guess", "mended", "question", "shifted", "looking"} or find_cues(text, ("step", *CONCEDED)):
        return False
    return len(find_terms(text)) >= FEW_TERMS


def _weigh_way(cues: frozenset[str], *, worked: bool) -> float:
    """How plainly a sentence tells another way: "it is 1 instead of 2" tells none, nor does "let me look"."""
    if cues & {"mended", "question"}:
        return 0.0
    if "contrast" in cues:
        return PLAIN if cues & {"shifted", "meant"} and "looking" not in cues else 0.0
    if "turned" in cues:
        return PLAIN
    return SHIFTED if "shifted" in cues and "looking" not in cues and worked else 0.0


def _build(turn: Turn) -> Claim:
    quote = build_quote(turn.message, turn.spans)
    told, failed = turn.against.told, turn.against.failed
    if told is not None:
        where = (place(told.line, source=told.source, uuid=told.uuid),)
        return Claim(ANSWERED, (quote,), where, topic=OVERRULED, weight=0.62)
    if failed is not None and not turn.against.granted:
        words = f"{render_command(failed.target, 90)} failed, then another way:"
        return Claim(words, (quote,), (place(failed.line),), topic=DISPROVED, weight=0.62)
    return Claim("", (quote,), topic=DISPROVED, weight=0.6)


def _is_foreign(material: Material) -> bool:
    """Whether what the agent says is written in a language of which neither cues nor small words are known."""
    said = [one.text for one in material.messages if one.by == "agent" and len(one.text) >= SHORTEST]
    small = load_function_words()
    known = sum(not small.isdisjoint(split_words(text[:SHORT_READ])) or bool(_CJK.search(text)) for text in said)
    return bool(said) and known < KNOWN * len(said)
