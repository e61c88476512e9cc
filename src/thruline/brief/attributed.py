"""Words that running text puts into somebody's mouth without the form of a quotation.

"The user said `ship it`", "the agent asked: shall I go on?": whoever writes so claims that these very words were said,
and by whom, so they are proved like a quotation. A paraphrase without marks or a colon is a claim like any other.
"""

import re
from collections.abc import Iterator

from thruline.brief.inert import blank_spans, find_spans, parse_span, unescape_odd
from thruline.brief.section import QUOTED, REMOVED, UNSOURCED
from thruline.pattern import compile_later
from thruline.value import dataclass

_WHO = r"(?:users?|humans?|agents?|assistants?|customers?|clients?|owners?|they|he|she)"
_SAYS = (
    r"(?:said|says|told|tells|asked|asks|wrote|writes|demanded|demands|insisted|insists|ordered|orders|requested|"
    r"replied|replies|answered|answers|stated|states|instructed|agreed|approved|confirmed|promised|warned)"
)
_CUE = rf"\b(?:{_WHO}\b(?:\W{{1,3}}\w{{1,30}}){{0,3}}?\W{{1,3}}{_SAYS}\b|{_SAYS}\W{{1,3}}(?:by\W)?(?:the\W)?{_WHO}\b)"
_BEFORE = compile_later(_CUE, re.IGNORECASE)
# Who that is in the record. "They" may be anybody, and a client is a customer to some and a program to us.
_ROLES = {"user": "human", "human": "human", "customer": "human", "owner": "human"} | dict.fromkeys(
    ("agent", "assistant"), "agent"
)
_ROLE = compile_later(rf"\b({'|'.join(_ROLES)})s?\b", re.IGNORECASE)
# Behind these the one who is named is whom it was said to.
_SAID_TO = compile_later(
    r"(?:told|tells|asked|asks|answered|answers|warned|instructed|ordered|orders|promised)\W(?!by\b)", re.IGNORECASE
)
_AFTER = compile_later(
    rf"\W{{0,4}}(?:the\W|as\W|so\W){{0,2}}(?:{_WHO}\W{{1,3}}{_SAYS}|{_SAYS}\W(?:the\W)?{_WHO})\b", re.IGNORECASE
)
_COLON = compile_later(rf"{_CUE}(?:[^\w:]{{1,3}}\w{{1,30}}){{0,2}}?[^\w:]{{0,2}}:\s", re.IGNORECASE)
_MARKED = compile_later(
    r"(?<!\w)'(?P<a>[^\n]{2,300}?)'(?!\w)|‘(?P<b>[^‘\n]{2,300}?)’(?!\w)|«(?P<c>[^«»\n]{2,300})»|「(?P<d>[^「」\n]{2,300})」"
    r"|(?<![\w*])\\?\*{1,3}(?P<e>[^*\s][^*\n]{1,300}?)\\?\*{1,3}(?!\w)|(?<!\w)\\?_(?P<f>[^_\s][^\n]{1,300}?)\\?_(?!\w)"
)
# What ends the words behind a colon: a mark of its own, or the places that prove the claim.
_END = compile_later(r"[`\"“”‘«「*]|\(\s{0,3}\)|" + re.escape(UNSOURCED))
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
    if not _BEFORE.search(plain):
        return
    blank = blank_spans(plain)
    marked = [(start, span, parse_span(span) or "") for start, span in find_spans(plain)]
    marked += [(match.start(), match[0], match[match.lastgroup or 0]) for match in _MARKED.finditer(blank)]
    found = [
        Attributed(_read(words), start, text, find_speaker(blank, start, start + len(text)))
        for start, text, words in marked
        if not _POINTER.match(words) and _is_speech(words) and _is_near(blank, start, start + len(text))
    ]
    colon = _COLON.search(blank)
    if colon is not None:
        end = _END.search(plain, colon.end())
        text = plain[colon.end() : end.start() if end else len(plain)].strip().rstrip("_( ")
        if _is_speech(text):
            at = plain.index(text, colon.end())
            # Marks within are part of the words then.
            found = [one for one in found if not at <= one.start < at + len(text)]
            found.append(Attributed(_read(text), at, text, _read_role(colon[0])))
    yield from sorted(found, key=lambda one: one.start)


def mark_attributed(text: str) -> str:
    """The text with such words in double quotation marks."""
    for one in reversed(list(find_attributed(text))):
        words = one.words.replace("“", '"').replace("”", '"')
        text = f"{text[: one.start]}“{words}”{text[one.start + len(one.text) :]}"
    return text


def find_speaker(line: str, start: int, end: int) -> str:
    """Who is said to have said what stands from `start` to `end` of a line without code spans: human, agent or ""."""
    before = line[max(0, start - _NEAR_BEFORE) : start]
    cues = list(_BEFORE.finditer(before))
    after = _AFTER.match(line[end : end + _NEAR_AFTER])
    return _read_role(cues[-1][0] if cues else after[0] if after else "")


def _read_role(cue: str) -> str:
    role = None if _SAID_TO.match(cue) else _ROLE.search(cue)
    return _ROLES[role[1].lower()] if role else ""


def _is_near(line: str, start: int, end: int) -> bool:
    before = line[max(0, start - _NEAR_BEFORE) : start]
    return bool(_BEFORE.search(before) or _AFTER.match(line[end : end + _NEAR_AFTER]))


def _is_speech(words: str) -> bool:
    # One word is a name, but where a script has no blanks.
    return len(words.split()) > 1 or (len(words) > 3 and any(letter >= "\u2e80" for letter in words))


def _read(words: str) -> str:
    return unescape_odd(re.sub(r"\\([^\w\s])", r"\1", words)).strip().rstrip(".")
