"""Words that running text puts into somebody's mouth without the form of a quotation.

"The user said `ship it`", "the agent asked: shall I go on?": whoever writes so claims that these very words were said,
and by whom, so they are proved like a quotation. A paraphrase without marks or a colon is a claim like any other.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator

from thruline.brief.attempts.inert import blank_spans, find_spans, parse_span, unescape_odd
from thruline.brief.claims.saying import load_saying
from thruline.brief.quotation.speech import SAID, count_words, find_quoted
from thruline.brief.section import ELSEWHERE, QUOTED, REMOVED, UNSOURCED
from thruline.pattern import compile_later
from thruline.value import dataclass

# Words that stand out without being quoted.
_MARKED = compile_later(
    r"(?<![\w*])\\?\*{1,3}(?P<e>[^*\s][^*\n]{1,300}?)\\?\*{1,3}(?!\w)|(?<!\w)\\?_(?P<f>[^_\s][^\n]{1,300}?)\\?_(?!\w)"
    r"|\\?~~(?P<g>[^~\n]{2,300}?)\\?~~|\\?<(?P<tag>\w{1,10})\\?>(?P<h>[^<\n]{2,300}?)\\?</(?P=tag)\\?>"
)
# What ends the words behind a colon: a mark of its own, or the places that prove the claim.
_END = compile_later(r"[`\"“”„‟＂〝〞‘‚«»‹›「」『』｢｣﹁﹂﹃﹄*]|\(\s{0,3}\)|\\?<|" + re.escape(UNSOURCED))
_DASH = compile_later(r"\s[—–-]\s?\Z|[—–]\s?\Z")
_CLOSING_DASH = compile_later(r"\s[—–-](?:\s|\Z)|[—–]")
_NEAR_BEFORE = 100
_NEAR_AFTER = 40
_NEAR_PERSON = 60
_HANDED = 3
_LONGEST_SIGNED = 400
_SENTENCE = compile_later(r"[.!?;。！？；]\s|[)(]")
# Where the places that prove a claim stood, and that it has none.
_PLACES = compile_later(r"(?:\s*\([\s,]*\)|\s*\[unsourced\])+\s*\Z")
_POINTER = compile_later(r"(?:transcript|commit|file):")


@dataclass(frozen=True, slots=True)
class Attributed:
    """Words at `start` of a line; `text` is how they stand there, marks included. `by` is "" where nobody is named."""

    words: str
    start: int
    text: str
    by: str = ""


def find_attributed(line: str) -> Iterator[Attributed]:
    """The words of a line that it says somebody said, in order; those in quotation marks are not looked for."""
    plain = line
    for mark in (QUOTED, ELSEWHERE, REMOVED):
        plain = plain.replace(mark, " " * len(mark))
    if not load_saying().role.search(plain) and not load_saying().cue.search(plain):
        return
    spans = list(_find_in_spans(plain))
    blank = blank_spans(plain)
    marked = [(start, span, parse_span(span) or "") for start, span in find_spans(plain)]
    marked += [(match.start(), match[0], match[match.lastgroup or 0]) for match in _MARKED.finditer(blank)]
    found = [
        Attributed(_read(words), start, text, find_speaker(blank, start, start + len(text)))
        for start, text, words in marked
        if not _POINTER.match(words)
        and _is_speech(words)
        and (is_near if text[0] == "`" else is_said)(blank, start, start + len(text))
    ]
    found = [one for one in found if not any(_lies_within(one, other) for other in found)]
    for one in (*_find_handed(plain, blank), *_find_signed(plain, blank)):
        if not any(other.start <= one.start and _lies_within(one, other) for other in found):
            # Marks within are part of the words then.
            found = [other for other in found if not _lies_within(other, one)]
            found.append(one)
    found += [
        one for one in spans if not any(other.start <= one.start < other.start + len(other.text) for other in found)
    ]
    yield from sorted(found, key=lambda one: one.start)


def _lies_within(one: Attributed, other: Attributed) -> bool:
    return one is not other and other.start <= one.start < other.start + len(other.text)


def _find_handed(plain: str, blank: str) -> Iterator[Attributed]:
    """Words without marks behind a speaker and a sign."""
    at = 0
    quoted = [*(start for start, _, _ in find_quoted(blank)), len(plain)]
    while hand := load_saying().hand.search(blank, at):
        end = _END.search(plain, hand.end())
        stop = min(end.start() if end else len(plain), quoted[bisect_left(quoted, hand.end())])
        if _DASH.search(hand[0]) and (closing := _CLOSING_DASH.search(blank, hand.end(), stop)):
            stop = closing.start()
        text = plain[hand.end() : stop].strip().rstrip("_( ")
        text = text.rstrip(")]") if "(" not in text and "[" not in text else text
        if _is_speech(text):
            yield Attributed(_read(text), plain.index(text, hand.end()), text, _read_role(hand[0]))
        at = max(stop, hand.end())


def _find_signed(plain: str, blank: str) -> Iterator[Attributed]:
    """Words without marks that a person's noun is put behind, as under a letter."""
    ends = _PLACES.search(blank[-_LONGEST_SIGNED:])
    last = len(blank) - (len(blank[-_LONGEST_SIGNED:]) - ends.start() if ends else 0)
    first = max(0, last - _LONGEST_SIGNED)
    signed = load_saying().signed.search(blank[first:last])
    if signed is None:
        return
    text = plain[first + signed.start("words") : first + signed.end("words")].strip(" -*_")
    if _is_speech(text) and "`" not in text:
        yield Attributed(_read(text), plain.index(text), text, "human")


def _find_in_spans(line: str) -> Iterator[Attributed]:
    """Code spans that tell themselves who said what: a name does not."""
    for start, span in find_spans(line):
        inner = parse_span(span) or ""
        said = load_saying().hand.search(inner) if not _POINTER.match(inner) else None
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
    cues = [match[0] for match in load_saying().cue.finditer(before)]
    cues = cues or _find_hands(line, start)
    after = load_saying().after.match(line[end : end + _NEAR_AFTER])
    if cues or after:
        return _read_role(cues[-1] if cues else after[0] if after else "")
    return "human" if is_said(line, start, end) else ""


def _read_role(cue: str) -> str:
    saying = load_saying()
    role = None if saying.said_to.match(cue) else saying.role.search(cue)
    return saying.roles[role[0].lower()] if role else ""


def is_near(line: str, start: int, end: int) -> bool:
    """Whether a line without code spans tells that somebody said what stands there from `start` to `end`."""
    before = line[max(0, start - _NEAR_BEFORE) : start]
    after = load_saying().after.match(line[end : end + _NEAR_AFTER])
    return bool(after or load_saying().cue.search(before) or _find_hands(line, start))


def _find_hands(line: str, start: int) -> list[str]:
    """What hands over to the words that begin at `start`."""
    hands = load_saying().hand.finditer(line, max(0, start - _NEAR_BEFORE), start)
    return [hand[0] for hand in hands if start - hand.end() <= _HANDED]


def is_said(line: str, start: int, end: int) -> bool:
    """The same where the words stand out: then a person who is named in the sentence before them is enough."""
    before = _SENTENCE.split(line[max(0, start - _NEAR_PERSON) : start])[-1]
    persons = (load_saying().roles[match[0].lower()] == "human" for match in load_saying().role.finditer(before))
    return is_near(line, start, end) or any(persons)


def _is_speech(words: str) -> bool:
    return count_words(words) >= SAID  # one word is a name


def _read(words: str) -> str:
    return unescape_odd(re.sub(r"\\([^\w\s])", r"\1", words)).strip().rstrip(".")
