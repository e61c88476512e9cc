"""Text that came from elsewhere, made harmless: it can be read, it cannot act.

Control, bidirectional and invisible characters are written as `⟦U+XXXX⟧`, which can be undone. Claims' words may hold
code spans and plain text; links, pictures, HTML, headings and fences in them are escaped the way markdown does it.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from thruline.pattern import compile_later

OPEN = "⟦U+"
_MARK = compile_later("⟦U\\+([0-9A-F]{4,6})⟧")
ODD = compile_later(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]|⟦(?=U\\+)"
)
_DRAWING = "\u200d\ufe0e"
_EMOJI = "[\u2190-\u21ff\u231a-\u23ff\u25aa-\u27bf\u2934\u2935\u2b05-\u2b55\U0001f000-\U0001faff]"
_DRAWN = compile_later(f"(?<={_EMOJI})\ufe0e|(?:(?<={_EMOJI})|(?<={_EMOJI}\ufe0f))\u200d(?={_EMOJI})")
# What of it is ASCII: most text is, and needs neither the search nor the rest of Unicode.
_ASCII_ODD = bytes(code for code in range(128) if ODD.match(chr(code)))
# Of bytes: letters in lower case, and one kind of blank.
_ASCII_PLAIN = bytes(range(256)).lower().replace(b"\n", b" ").replace(b"\t", b" ")
_BLANKS = compile_later(b"  +")
_ASCII = bytes(range(128))
_TICKS = compile_later("`+")
_OPENS = compile_later(r"\\[^\w\s]|`+")
# A bare address becomes a link in many renderers; in a code span it is a text.
_ADDRESS = compile_later(
    r"\b(?:[a-z][a-z0-9+.-]{1,15}://|www\.|mailto:|javascript:|data:)[^\s<>`\"')\]]+", re.IGNORECASE
)
_ACTIVE = compile_later(r"[\[\]<>*_`~|\\]")
_LEAD = compile_later(r"\A(\s*)([#>+-]|=|\d{1,9}[.)])")


def escape_odd(text: str) -> str:
    """`text` with every character that acts or hides written as `⟦U+XXXX⟧`; tabs and line feeds stay.

    What joins two emoji to one, or tells how one is drawn, hides nothing there.
    """

    def show(match: re.Match[str]) -> str:
        sign = match[0]
        return sign if sign in _DRAWING and _DRAWN.match(text, match.start()) else f"{OPEN}{ord(sign):04X}⟧"

    return ODD.sub(show, text)


def unescape_odd(text: str) -> str:
    """The inverse of `escape_odd`."""
    return _MARK.sub(lambda match: chr(number) if (number := int(match[1], 16)) < 0x110000 else match[0], text)


def render_span(text: str) -> str:
    """A code span that holds `text` (one line) and cannot be left from inside."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if not text.strip(" ") or text[0] in "` " or text[-1] in "` " else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def parse_span(text: str) -> str | None:
    """What the code span `text` holds; None where `text` is not exactly one span."""
    match = re.match(r"(`+)(?!`)(.*)(?<!`)\1\Z", text, re.DOTALL)
    if not match or not match[2] or re.search(rf"(?<!`){match[1]}(?!`)", match[2]):
        return None
    body = match[2]
    return body[1:-1] if len(body) > 2 and body[0] == body[-1] == " " else body


def find_spans(line: str) -> Iterator[tuple[int, str]]:
    """The code spans of a line and where they start; an escaped backtick opens none."""
    # By length: a line of runs that close nothing is read once, not once for each.
    runs: dict[int, list[int]] = {}
    for match in _TICKS.finditer(line) if "`" in line else ():
        runs.setdefault(len(match[0]), []).append(match.start())
    at = 0
    while runs and (opening := _OPENS.search(line, at)):
        at = opening.end()
        places = runs.get(len(opening[0]), []) if opening[0][0] == "`" else []
        number = bisect_left(places, at)
        if number < len(places) and line.find("\n", at, places[number]) < 0:
            at = places[number] + len(opening[0])
            yield opening.start(), line[opening.start() : at]


def replace_spans(line: str, make: Callable[[int, str], str]) -> str:
    """The line with what `make` tells of each code span, by its place and text, instead of it."""
    parts: list[str] = []
    at = 0
    for start, span in find_spans(line):
        parts += (line[at:start], make(start, span))
        at = start + len(span)
    return "".join([*parts, line[at:]])


def blank_spans(line: str) -> str:
    """The line with blanks for its code spans."""
    return replace_spans(line, lambda _, span: " " * len(span))


def render_words(text: str) -> str:
    """Claim's words as one line of markdown in which only code spans mean anything."""
    flat = escape_odd(" ".join(text.split()))
    parts: list[str] = []
    at = 0
    for start, span in find_spans(flat):
        parts += (_escape(flat[at:start]), span)
        at = start + len(span)
    parts.append(_escape(flat[at:]))
    return _LEAD.sub(r"\1\\\2", "".join(parts)) if parts[0] else "".join(parts)


def _escape(text: str) -> str:
    parts: list[str] = []
    at = 0
    for match in _ADDRESS.finditer(text):
        parts += (_escape_signs(text[at : match.start()]), render_span(match[0].replace("\\", "")))
        at = match.end()
    return "".join([*parts, _escape_signs(text[at:])])


def _escape_signs(text: str) -> str:
    # Words that were escaped before are not escaped twice: merging and rendering may both come here.
    text = re.sub(r"\\([\[\]<>*_`~|\\])", r"\1", text)

    def escape(match: re.Match[str]) -> str:
        sign, at = match[0], match.start()
        inside = 0 < at < len(text) - 1 and text[at - 1].isalnum() and text[at + 1].isalnum()
        # A name_with_underscores, an a > b and an isolated * read better bare, and do nothing.
        if (sign == "_" and inside) or (sign in "*~|>_\\" and text[max(0, at - 1) : at + 2].strip(" ") == sign):
            return sign
        return "\\" + sign

    return _ACTIVE.sub(escape, text)


def fold(text: str) -> str:
    """`text` as a reader hears it: no invisible characters, one case, one kind of blank; for comparing only."""
    if text.isascii():
        return fold_ascii(text.encode("ascii")).strip().decode("ascii")
    signs = find_signs(text)
    if all(map(_stands_alone, signs)):
        # Arrows, dashes, letters with their accents: sign by sign it takes a tenth of the time.
        plain = fold_ascii(replace_signs(text, signs).encode("utf-8", "surrogatepass"))
        return plain.strip().decode("utf-8", "surrogatepass")
    return _fold_any(text)


def find_signs(text: str) -> set[str]:
    """The signs of a text beyond ASCII."""
    # In bytes: to look at each sign of the text takes twenty times as long.
    beyond = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return set(beyond.decode("utf-8", "surrogatepass"))


def replace_signs(text: str, signs: Iterable[str]) -> str:
    """The text with each of `signs` folded as if it stood between others that it has no effect on."""
    for sign in signs:
        folded = _fold_sign(sign)
        if folded != sign:
            text = text.replace(sign, folded)
    return text


@lru_cache(maxsize=4096)
def _fold_sign(sign: str) -> str:
    return _fold_any(f"-{sign}-")[1:-1]  # between others: it may become a blank


@lru_cache(maxsize=4096)
def _stands_alone(sign: str) -> bool:
    """Whether a sign folds the same wherever it stands: no mark on the letter before it, no part of a syllable."""
    parts = unicodedata.normalize("NFKC", sign)
    joins = any(unicodedata.category(part)[0] == "M" or "HANGUL" in unicodedata.name(part, "") for part in parts)
    return not joins and sign != OPEN[0]


def _fold_any(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", ODD.sub("", text)).casefold().split())


def fold_ascii(text: bytes) -> bytes:
    """The same for what of `text` is ASCII, blanks at its ends kept; as bytes it takes a tenth of the time."""
    plain = text.translate(_ASCII_PLAIN, _ASCII_ODD)
    return _BLANKS.sub(b" ", plain) if b"  " in plain else plain
