"""Words that running text puts into somebody's mouth without the form of a quotation.

"The user said `ship it`", "the agent asked: shall I go on?": whoever writes so claims that these very words were said,
and by whom, so they are proved like a quotation. A paraphrase without marks or a colon is a claim like any other.
"""

import re
from collections.abc import Iterator

from thruline.brief.inert import blank_spans, find_spans, parse_span, unescape_odd
from thruline.brief.saying import load_saying
from thruline.brief.section import QUOTED, REMOVED, UNSOURCED
from thruline.brief.speech import SAID, count_words
from thruline.pattern import compile_later
from thruline.value import dataclass

_MARKED = compile_later(
    r"(?<!\w)'(?P<a>[^\n]{2,300}?)'(?!\w)|[‘‚‛](?P<b>[^‘\n]{2,300}?)[’‘](?!\w)"
    r"|(?<![\w*])\\?\*{1,3}(?P<e>[^*\s][^*\n]{1,300}?)\\?\*{1,3}(?!\w)|(?<!\w)\\?_(?P<f>[^_\s][^\n]{1,300}?)\\?_(?!\w)"
)
# What ends the words behind a colon: a mark of its own, or the places that prove the claim.
_END = compile_later(r"[`\"“”„‟＂〝〞‘‚«»‹›「」『』｢｣﹁﹂﹃﹄*]|\(\s{0,3}\)|" + re.escape(UNSOURCED))
_NEAR_BEFORE = 100
_NEAR_AFTER = 40
_POINTER = compile_later(r"(?:transcript|commit|file):")


@dataclass(frozen=True, slots=True)
class Attributed:
    """Words at `start` of a line; `text` is how they stand there, marks included. `by` is "" where nobody is named."""

    words: str
    start: int
    text: str
    by: str = ""


def find_attributed(line: str) -> Iterator[Attributed]:
    """The words of a line that it says somebody said, in order; those in double quotation marks are not looked for."""
    plain = line
    for mark in (QUOTED, REMOVED):
        plain = plain.replace(mark, " " * len(mark))
    if not load_saying().cue.search(plain):
        return
    spans = list(_find_in_spans(plain))
    blank = blank_spans(plain)
    marked = [(start, span, parse_span(span) or "") for start, span in find_spans(plain)]
    marked += [(match.start(), match[0], match[match.lastgroup or 0]) for match in _MARKED.finditer(blank)]
    found = [
        Attributed(_read(words), start, text, find_speaker(blank, start, start + len(text)))
        for start, text, words in marked
        if not _POINTER.match(words) and _is_speech(words) and is_near(blank, start, start + len(text))
    ]
    colon = load_saying().colon.search(blank)
    if colon is not None:
        end = _END.search(plain, colon.end())
        text = plain[colon.end() : end.start() if end else len(plain)].strip().rstrip("_( ")
        at = plain.index(text, colon.end())
        if _is_speech(text) and not any(one.start == at for one in found):
            # Marks within are part of the words then.
            found = [one for one in found if not at <= one.start < at + len(text)]
            found.append(Attributed(_read(text), at, text, _read_role(colon[0])))
    found += [
        one for one in spans if not any(other.start <= one.start < other.start + len(other.text) for other in found)
    ]
    yield from sorted(found, key=lambda one: one.start)


def _find_in_spans(line: str) -> Iterator[Attributed]:
    """Code spans that tell themselves who said what: a name does not."""
    for start, span in find_spans(line):
        inner = parse_span(span) or ""
        said = load_saying().colon.search(inner) if not _POINTER.match(inner) else None
        if said is not None and _is_speech(inner[said.end() :]):
            yield Attributed(_read(inner[said.end() :]), start, span, _read_role(said[0]))


def mark_attributed(text: str) -> str:
    """The text with such words in double quotation marks."""
    for one in reversed(list(find_attributed(text))):
        words = one.words.replace("“", '"').replace("”", '"')
        text = f"{text[: one.start]}“{words}”{text[one.start + len(one.text) :]}"
    return text


def find_speaker(line: str, start: int, end: int) -> str:
    """Who is said to have said what stands from `start` to `end` of a line without code spans: human, agent or ""."""
    before = line[max(0, start - _NEAR_BEFORE) : start]
    cues = list(load_saying().cue.finditer(before))
    after = load_saying().after.match(line[end : end + _NEAR_AFTER])
    return _read_role(cues[-1][0] if cues else after[0] if after else "")


def _read_role(cue: str) -> str:
    saying = load_saying()
    role = None if saying.said_to.match(cue) else saying.role.search(cue)
    return saying.roles[role[0].lower()] if role else ""


def is_near(line: str, start: int, end: int) -> bool:
    """Whether a line without code spans tells that somebody said what stands there from `start` to `end`."""
    before = line[max(0, start - _NEAR_BEFORE) : start]
    return bool(load_saying().cue.search(before) or load_saying().after.match(line[end : end + _NEAR_AFTER]))


def _is_speech(words: str) -> bool:
    return count_words(words) >= SAID  # one word is a name


def _read(words: str) -> str:
    return unescape_odd(re.sub(r"\\([^\w\s])", r"\1", words)).strip().rstrip(".")
