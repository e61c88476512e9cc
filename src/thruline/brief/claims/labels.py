"""Whether a claim may stand under its topic: who rejected something is told by whose words are there.

What the user overruled and what evidence disproved are read differently, so one must not pass for the other. Only
topics of the rules are asked, whose claims quote in known ways; how sure the rules were ("overruled" or "questioned")
is their judgement, and no fact.
"""

from collections.abc import Iterator

from thruline.brief.claims import standing
from thruline.brief.document import Document, Stated
from thruline.brief.pointer import Pointer
from thruline.brief.quotation.evidence import Evidence
from thruline.brief.section import HEADINGS

OVERRULED, QUESTIONED, DISPROVED = (
    "Overruled by the user",
    "Questioned or redirected by the user",
    "Disproved by evidence",
)
SUMMARY = "What came before, in the client's summary"
_TOPIC = "### "
# Where the user speaks, or rejected something without a word; and where nobody but the agent does.
_USERS = frozenset((OVERRULED, QUESTIONED, "Constraints, in the user's words", "Asked and decided"))
_USERS |= {"Left for later by the user"}
OTHERS = frozenset((DISPROVED, "Noted at the time"))
# No longer written; briefs of before 2026-11-19 have it.
OTHERS |= {"Said earlier; corrected, changed or left since, at least in part"}
OTHERS |= {SUMMARY}
_REJECTIONS = frozenset((standing.PLAN_REFUSED, standing.CHANGE_REFUSED, standing.NOT_CHOSEN))
_REQUESTS = frozenset((standing.PLAN_APPROVED, standing.HANDED_PLAN, standing.HANDED_COMMAND))


def check_labels(document: Document, evidence: Evidence) -> Iterator[tuple[int, str]]:
    """The claims that stand under a topic which is not theirs, each with its line and why."""
    if evidence.empty:
        return
    topics = find_topics(document)
    for claim in document.claims:
        topic = topics.get(claim.first, "")
        if claim.marked or topic not in _USERS | OTHERS:
            continue
        users = _is_users(document, claim, topic, evidence)
        if topic in _USERS and not users:
            yield claim.first, f"stands under {topic}, and the user said nothing of it"
        elif topic in OTHERS and users:
            yield claim.first, f"stands under {topic}, and it is the user who speaks or decided"


def _is_users(document: Document, claim: Stated, topic: str, evidence: Evidence) -> bool:
    quotes = [placed.quote for placed in document.find_quotes(claim)]
    # An engine may have put a quotation of the user's beside a finding of the agent's.
    told = quotes[:1] if topic in OTHERS and document.made_by != {"rules"} else quotes
    if any(quote.by == "human" for quote in told):
        return True
    pointers = [inline.pointer for inline in document.find_pointers(claim)]
    if any(_is_said(pointer, evidence) for pointer in pointers):
        return True
    kinds = {fact.kind for fact in standing.find_standing(document.lines[claim.first], quotes, pointers)}
    return not kinds.isdisjoint(_REQUESTS if topic == "Asked and decided" else _REJECTIONS)


def _is_said(pointer: Pointer, evidence: Evidence) -> bool:
    """Whether a pointer leads to somebody's own words; a range does so by chance."""
    return (
        pointer.kind == "transcript"
        and not pointer.last
        and any(text.by == "human" for text in evidence.find_texts(pointer))
    )


def find_topics(document: Document) -> dict[int, str]:
    """The sub-heading that each line of a document stands under; "" for none."""
    topics: dict[int, str] = {}
    topic = ""
    outside = frozenset(document.outside)
    for at, line in enumerate(document.lines):
        if at in outside:
            text = line.rstrip()
            if text in HEADINGS:
                topic = ""
            elif text.startswith(_TOPIC):
                topic = text.removeprefix(_TOPIC)
        topics[at] = topic
    return topics
