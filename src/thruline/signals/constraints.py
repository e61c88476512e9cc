"""Constraints: rules, limits and preferences that stay in force.

By words alone, since too few are labelled to learn from. The side it errs on: a limit on one step that is worded like a
rule is taken too, with less strength.
"""

from thruline.signals.features.text import Text
from thruline.signals.quote import cut, find_sentences

LASTING, LIMITING = 0.75, 0.4
MOST = 3  # of one message
_LONGEST_LIMIT = 25  # words: a limit is said shortly, a long sentence explains something


def find_constraints(text: str, spans: list[tuple[int, int]], own: Text) -> list[tuple[str, float, str]]:
    """(quote, strength, why) of each constraint among the writer's own sentences, the strongest few in order.

    `own` are those sentences read as one text: most messages have no such cue at all.
    """
    if not own.find("standing"):
        return []
    found: list[tuple[str, float, str]] = []
    for span in spans[:40]:
        for start, end in find_sentences(text, *span):
            if text[end - 1] in "?？":
                continue
            sentence = Text(text[start:end])
            cues = sentence.find("standing")
            if "lasting" in cues:
                found.append((cut(text, start, end), LASTING, "worded as a lasting rule"))
            elif cues and len(sentence.plain) <= _LONGEST_LIMIT:
                found.append((cut(text, start, end), LIMITING, "worded as a limit"))
    lasting = [one for one in found if one[1] == LASTING]
    return lasting[:MOST] or found[:1]
