"""A quotation: the words of others, fenced and attributed; docs/formats/quote.md is the page of the format.

    > user, transcript:L12: `No, don't add a pause.`

    > agent, transcript:a1:L40:
    > ```quote
    > first line
    > second line
    > ```

    - > user, transcript:L12: `No.`
    - > L14: `Nor that.`

Blanks next to `…` belong to that mark; so a quotation is cut with `shorten` (shorten.py) only.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from thruline.brief.attempts.inert import escape_odd, parse_span, render_span, unescape_odd
from thruline.brief.pointer import KINDS, Pointer, parse_pointer
from thruline.digest import sha256
from thruline.errors import UsageError
from thruline.pattern import compile_later
from thruline.value import dataclass, field

# Who speaks, and the word for it in a brief.
SPEAKERS = {
    "human": "user",
    "agent": "agent",
    "client": "client",
    "tool": "tool",
    "git": "git",
    "file": "file",
}
_BY = {word: by for by, word in SPEAKERS.items()}

CUT = "…"
_BREAK = "⏎"
# More lines or characters than this are easier to read as a block.
_INLINE_BREAKS = 2
_INLINE_LENGTH = 240
# A block longer than this is a document; also what keeps a hostile file from being read over and over.
_MOST_LINES = 300

HEAD = compile_later(
    rf"(?P<indent> *(?:- )?)> (?P<by>{'|'.join(_BY)}), "
    r"(?P<pointer>(?:transcript|commit|file):\S*[^\s:]):(?: (?P<span>`.*))?\Z"
)
# Right below one of the same speaker, of the same file, the place alone tells both.
_AGAIN = compile_later(r"(?P<indent> *(?:- )?)> (?P<place>L[0-9]+(?:-L[0-9]+)?):(?: (?P<span>`.*))?\Z")
# The same wherever it stands, its words not read.
_ATTRIBUTED = compile_later(rf"(?:{'|'.join(_BY)}), (?:transcript|commit|file):\S*[^\s:]:(?: `|\Z)")
_LIKE = compile_later(
    rf" *(?:- )?> ?(?:(?:{'|'.join(_BY)}), |L[0-9]+(?:-L[0-9]+)?:(?: `|\Z)"
    rf"|`{{3,}}quote|[^`]{{0,20}}, ?(?:{'|'.join(KINDS)}):|[^`]{{0,24}}(?:{'|'.join(KINDS)}):\S*:(?: `|\Z))",
)
MARKER = compile_later(r"\[redacted:[a-z0-9-]+\]")
_FENCE = compile_later(r"(`{3,})quote\Z")
_JOINING = frozenset("-./:@#&+=\\~$%")
# What a cut leaves out is at least so many signs, or a line's end: a mark in place of one sign hides what was changed.
_SHORTEST_CUT = 2


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that stand in the record at `pointer`, said by `by` (a key of SPEAKERS).

    `text` may hold two marks: `…` for words left out, `[redacted:RULE]` for a secret. Line ends are line feeds.
    `source` is the text that it was taken from, as far as that is known and counts: whoever cuts it further asks there.
    """

    text: str
    pointer: Pointer
    by: str = "human"
    source: str = field(default="", compare=False)

    @property
    def digest(self) -> str:
        """A short hash of the text, for JSON."""
        return sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def to_fields(self) -> dict[str, object]:
        """The quotation as JSON holds it; the hash is that of the text."""
        return {"by": self.by, "text": self.text, "pointer": self.pointer.to_fields() | {"hash": self.digest}}


@dataclass(frozen=True, slots=True)
class Placed:
    """A quotation as it stands in a file: on `count` lines from `first` (0-based)."""

    quote: Quote
    first: int
    count: int


def join_lines(text: str) -> str:
    """`text` with line feeds for every kind of line end: to a quotation they are all the same break."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def render_quote(quote: Quote, indent: str = "") -> list[str]:
    """The lines of a quotation, one where it is short; nothing in its text can end them or act in them."""
    return list(_render_lines(quote, indent))


# The same quotation is rendered for every size of a brief that is tried.
@lru_cache(maxsize=1024)
def _render_lines(quote: Quote, indent: str) -> tuple[str, ...]:
    text = join_lines(quote.text)
    if not text:
        raise ValueError("a quotation without words")
    head = f"> {SPEAKERS[quote.by]}, {quote.pointer.render()}:"
    breaks = text.count("\n")
    if breaks >= _MOST_LINES:
        text = "\n".join([*text.split("\n")[: _MOST_LINES - 1], CUT])
    if not breaks or (breaks <= _INLINE_BREAKS and len(text) <= _INLINE_LENGTH):
        flat = escape_odd(text).replace(_BREAK, f"⟦U+{ord(_BREAK):04X}⟧").replace("\n", _BREAK)
        return (f"{indent}{head} {render_span(flat)}",)
    lines = escape_odd(text).split("\n")
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    later = " " * len(indent)
    body = [f"{later}> {line}" if line else f"{later}>" for line in lines]
    return (f"{indent}{head}", f"{later}> {fence}quote", *body, f"{later}> {fence}")


def parse_quote(lines: Sequence[str], at: int = 0, above: Placed | None = None) -> Placed | None:
    """The quotation that begins at `lines[at]`; None where none does. Line ends are not part of the lines.

    `above` is the one that ends right above it, if there is one: it may tell who speaks.
    """
    match = HEAD.match(lines[at])
    if match is None:
        return _parse_again(lines, at, above) if above is not None else None
    try:
        pointer = parse_pointer(match["pointer"])
    except UsageError:
        return None
    text, count = _parse_span(match["span"]) if match["span"] else _parse_block(lines, at, len(match["indent"]))
    return Placed(Quote(text, pointer, _BY[match["by"]]), at, count) if text else None


def _parse_again(lines: Sequence[str], at: int, above: Placed) -> Placed | None:
    match = _AGAIN.match(lines[at])
    known = above.quote.pointer
    same = match is not None and match["indent"] == find_indent(lines[above.first])
    if match is None or not same or known.kind != "transcript":
        return None
    source = f"{known.source}:" if known.source else ""
    try:
        pointer = parse_pointer(f"{known.kind}:{source}{match['place']}")
    except UsageError:
        return None
    text, count = _parse_span(match["span"]) if match["span"] else _parse_block(lines, at, len(match["indent"]))
    return Placed(Quote(text, pointer, above.quote.by), at, count) if text else None


def is_again(line: str) -> bool:
    """Whether a line is the head of a quotation that leaves who speaks to the one above it."""
    return _AGAIN.match(line) is not None


def find_indent(line: str) -> str:
    """What stands before a quotation on its first line."""
    return line[: line.index(">")]


def looks_quoted(line: str) -> bool:
    """Whether a line stands where a quotation would, or a piece of one, well formed or not."""
    return _LIKE.match(line) is not None


def attributes(words: str) -> bool:
    """Whether words begin as a quotation of ours does, with who said them and where."""
    return _ATTRIBUTED.match(words) is not None


def _parse_span(span: str) -> tuple[str, int]:
    flat = parse_span(span)
    return (unescape_odd(flat.replace(_BREAK, "\n")), 1) if flat else ("", 1)


def _parse_block(lines: Sequence[str], at: int, indent: int) -> tuple[str, int]:
    start = " " * indent + ">"
    fence = _FENCE.match(lines[at + 1][indent + 2 :]) if at + 1 < len(lines) else None
    if fence is None or not lines[at + 1].startswith(start + " "):
        return "", 1
    body: list[str] = []
    for line in lines[at + 2 : at + 3 + _MOST_LINES]:
        if not line.startswith(start):
            break
        inner = line[indent + 1 :].removeprefix(" ")
        if inner == fence[1]:
            return unescape_odd("\n".join(body)), len(body) + 3
        body.append(inner)
    return "", 1


def is_edge(text: str, at: int) -> bool:
    """Whether a word could end or begin at `at`: not between two letters or digits of a spaced script.

    Nor beside a sign that joins two of them: `re-run`, `a.py` and `src/a` are one word each.
    """
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    if _is_word(before) and _is_word(after):
        return False
    if before in _JOINING and _is_word(after):
        return at < 2 or not _is_word(text[at - 2])
    return not (after in _JOINING and _is_word(before) and at + 1 < len(text) and _is_word(text[at + 1]))


def _is_word(character: str) -> bool:
    # From U+2E80 on scripts are written without blanks, and a cut may stand anywhere.
    return (character.isalnum() or character in "_'’") and character < "\u2e80"


def split_cuts(text: str) -> list[str]:
    """The pieces of a quotation between its cuts, none empty."""
    return [piece for piece in re.split(rf"\s*{CUT}\s*", text) if piece]


def may_be_left_out(gap: str) -> bool:
    """Whether a mark may stand for `gap`: for more than a blank or one sign, or for the end of a line."""
    # It may be the source's own mark, and between lines an item's mark may go.
    return CUT in gap or "\n" in gap or len(gap.strip()) >= _SHORTEST_CUT
