"""Words of a model that are given as somebody's and were never proved: taken out (law 1).

Whatever looked like speech became a quotation when the answer was read, and was proved or removed. But what is folded
together later, a heading and the claim below it, or what is left between two removed ones, can look like speech anew.
"""

from collections.abc import Iterable

from thruline.brief.attempts.inert import render_words
from thruline.brief.claims.attributed import Attributed, find_attributed
from thruline.brief.model.voiced import find_voiced
from thruline.brief.section import REMOVED, Section
from thruline.value import replace

_TRIES = 3


def strip_spoken(sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections without such words; asked of them as they will be read, since so they are checked."""
    stripped = []
    for section in sections:
        claims = [replace(claim, text=_strip_spoken(claim.text)) for claim in section.claims]
        stripped.append(replace(section, claims=tuple(claim for claim in claims if claim.text or claim.quotes)))
    return tuple(stripped)


def _strip_spoken(text: str) -> str:
    for _ in range(_TRIES):
        found = sorted([*find_attributed(text), *find_voiced(text)], key=lambda one: one.start)
        found = [one for at, one in enumerate(found) if not at or one.start >= _find_end(found[at - 1])]
        if not found:
            break
        for one in reversed(found):
            text = f"{text[: one.start]}{REMOVED}{text[one.start + len(one.text) :]}"
    return "" if reads_as_speech(text) or any(find_voiced(text)) else text


def reads_as_speech(text: str) -> bool:
    """Whether a claim's words, as they stand in a brief, give any as somebody's."""
    return any(any(find_attributed(begin + render_words(text))) for begin in ("", "- "))


def _find_end(one: Attributed) -> int:
    return one.start + len(one.text)
