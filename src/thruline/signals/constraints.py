"""Constraints: rules, limits and preferences that stay in force.

By words alone, since too few are labelled to learn from. "Always" is a rule where something is asked for and a
complaint where something is told, so most words count only in a sentence that directs. The side it errs on: a limit on
one step that is worded like a rule is taken too, with less strength.
"""

from thruline.pattern import compile_later
from thruline.signals.features.message import is_report
from thruline.signals.features.text import Text
from thruline.signals.own import choose_spans
from thruline.signals.quote import cut, find_sentences

LASTING, LIMITING = 0.75, 0.4
MOST = 3  # of one message
_LONGEST_LIMIT = 25  # words: a limit is said shortly, a long sentence explains something
_LONGEST_NAMING = 4  # "use pnpm" is a preference, a longer one is how to do this task
# The files that agents read their rules from are shouted; so are others, which hold no rules.
_RULES_FILE = compile_later(r"\b(?!README|CHANGE|TODO|LICEN|REVIEW|PLAN|SKILL)[A-Z]{4,}\.md\b")


def find_constraints(text: str, spans: list[tuple[int, int]], own: Text) -> list[tuple[str, float, str]]:
    """(quote, strength, why) of each constraint among the writer's own sentences, the strongest few in order.

    `own` are those sentences read as one text: most messages have no such cue at all.
    """
    if not own.find("standing") and not (".md" in own.text and _RULES_FILE.search(own.text)):
        return []
    report = is_report(own)
    found: list[tuple[str, float, str]] = []
    for span in choose_spans(spans):
        for start, end in find_sentences(text, *span):
            strength = _weigh(Text(text[start:end]), asking=text[end - 1] in "?？", report=report)
            if strength:
                why = "worded as a lasting rule" if strength == LASTING else "worded as a limit"
                found.append((cut(text, start, end), strength, why))
    lasting = [one for one in found if one[1] == LASTING]
    return lasting[:MOST] or found[:1]


def _weigh(sentence: Text, *, asking: bool, report: bool) -> float:
    cues = sentence.find("standing")
    if "idle" in cues:
        return 0.0
    size = len(sentence.plain)
    if ("kept" in cues or _RULES_FILE.search(sentence.text)) and _has(sentence, "noting"):
        return LASTING  # also as a question: "can you add this to …"
    if asking or (report and "lasting" not in cues):
        return 0.0
    if "lasting" in cues or ("asked" in cues and _directs(sentence)):
        return LASTING
    if ("limiting" in cues and size <= _LONGEST_LIMIT) or ("naming" in cues and size <= _LONGEST_NAMING):
        return LIMITING
    return 0.0


def _directs(sentence: Text) -> bool:
    """Whether a sentence asks for something: by a word of that work, or because it begins with a verb."""
    language = sentence.language
    if not language.words("directing"):
        return True  # a language whose file does not tell
    fillers = language.words("fillers")
    head = next((word for word in sentence.plain if word not in fillers), "")
    if head in language.verbs or _has(sentence, "directing", but=("always", "never")):
        return True
    return "urging" in sentence.find("standing")  # "make sure that …"; who is not sure, or wants to be, asks


def _has(sentence: Text, work: str, but: tuple[str, ...] = ()) -> bool:
    words = sentence.language.words(work)
    first = sentence.plain[0] if sentence.plain else ""
    return any(word in words and (word not in but or word == first) for word in sentence.plain)
