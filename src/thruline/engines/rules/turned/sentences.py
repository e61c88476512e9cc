"""Of a message that leaves a way: the sentence with the reason, and the one that tells the other way."""

from thruline.engines.rules.cues import CONCEDED, TURNED, find_cues
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.turned.moments import MOST_READ, Moment
from thruline.engines.rules.units import Span, split_units
from thruline.pattern import compile_later

# The other way is told so many sentences behind the reason at most, and both in so many letters.
APART, LONGEST = 2, 420
# What a sentence is worth that tells another way plainly, one that only says what must be done, a plain reason, and one
# that is about the agent's own work; what is only denied or stated is less.
PLAIN, SHIFTED, STRONG, OWN, DENIED, STATED = 2.0, 0.7, 1.0, 1.5, 0.4, 0.5
# What the user said against it and was acted upon, what failed, what was granted.
OBJECTED, FAILED, GRANTED = 1.0, 0.5, 0.5
# A sentence with so many words that count states something.
FEW_TERMS = 3
# A name in code is no word of a sentence: `git restore` restores nothing.
_CODE = compile_later(r"`[^`\n]*`")


def read_sentences(moment: Moment) -> tuple[float, tuple[tuple[int, int], ...]] | None:
    """What the words of a moment are worth, and the places of its reason and of its other way in the message."""
    message, worked = moment.message, bool(moment.after)
    # Work goes on after words that were typed meanwhile; else the end of a turn is a report.
    failed = moment.failed is not None and (worked or not message.final)
    told = moment.told is not None
    granted = moment.granted and worked
    if not (failed or told or granted):
        return None
    spans = split_units(message.text)[:MOST_READ]
    texts = [message.text[one.start : one.end] for one in spans]
    cues = [_find_cues(text) for text in texts]
    # Where nothing was changed after it, another way must be told plainly.
    ways = [_weigh_way(each, worked=worked) for each in cues]
    best: tuple[float, Span, Span] | None = None
    for at, mine in enumerate(cues):
        reason = _weigh_reason(mine)
        for other in range(at, min(at + APART + 1, len(spans))):
            way, enough = ways[other], reason
            if way == PLAIN and not reason:
                # What stands right before another way is what was wrong with the first; and where the user objected,
                # one sentence may tell what is left and what takes its place.
                states = other == at + 1 and not spans[at].item and _states(texts[at], mine)
                enough = STATED if states or (at == other and "contrast" in mine and (told or granted)) else 0.0
            size = len(texts[at]) + (len(texts[other]) if other > at else 0)
            # "I need to …" is another way only where something was plainly wrong with the one before, and it is told.
            vague = way < PLAIN and (reason < STRONG or (at == other and texts[at].endswith((":", "："))))
            if not way or not enough or size > LONGEST or vague:
                continue
            score = way + enough
            # Of equal ones the first: what was wrong is told before what will be done.
            if best is None or score > best[0]:
                best = (score, spans[at], spans[other])
    if best is None:
        return None
    score, first, second = best
    # What was only proposed in answer cost little to find out.
    score += (OBJECTED if told and worked else FAILED if failed or told else 0.0) + (GRANTED if moment.granted else 0.0)
    # What stands between them says what was wrong, where there is room for it.
    quoted = [one for one in spans if first.start <= one.start <= second.start]
    if len(quoted) > 2 and second.end - first.start > LONGEST:
        quoted = [first, second]
    terms: dict[str, bool] = {}
    for one in quoted:
        terms |= find_terms(message.text[one.start : one.end])
    # "Found the bug. Let me fix this." leaves a way and says nothing of it.
    says = len(terms) > FEW_TERMS or any(terms.values())
    return (score, tuple((one.start, one.end) for one in quoted)) if says else None


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
    return STRONG if strong else DENIED if "negated" in cues else 0.0


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
