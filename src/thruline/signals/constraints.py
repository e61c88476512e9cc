"""Constraints: rules, limits and preferences that stay in force.

By words alone, since too few are labelled to learn from. The side it errs on: a limit on one step that is worded like a
rule is taken too, with less strength.
"""

from thruline.signals.cues import find_cues, guess_language, load_language, split_words
from thruline.signals.quote import cut, find_sentences

LASTING, LIMITING = 0.75, 0.4
_LONGEST_LIMIT = 25  # words: a limit is said shortly, a long sentence explains something


def find_constraint(text: str, spans: list[tuple[int, int]]) -> tuple[str, float, str] | None:
    """(quote, strength, why) of the strongest constraint among the writer's own sentences, or None."""
    best: tuple[str, float, str] | None = None
    for span in spans[:40]:
        for start, end in find_sentences(text, *span):
            sentence = text[start:end]
            words = split_words(sentence)
            language = load_language(guess_language(sentence, words))
            found = find_cues(words, "standing", language, sentence.lower())
            if not found or sentence.endswith("?"):
                continue
            if "lasting" in found:
                strength, why = LASTING, "worded as a lasting rule"
            elif len(words) <= _LONGEST_LIMIT:
                strength, why = LIMITING, "worded as a limit"
            else:
                continue
            if best is None or strength > best[1]:
                best = cut(text, start, end), strength, why
    return best
