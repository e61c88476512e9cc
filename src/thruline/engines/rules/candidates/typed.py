"""Which sentences of a message its writer typed: not what a shell printed, nor a page that was pasted to be read.

Stricter than what the signals are mined from (`signals.own`): a line of output taken for somebody's words is a line of
the brief that nobody can use. The facts this rests on: a terminal fills its lines up with blanks; what is printed
surrounds itself; a page that was pasted has titles and sentences of its own, and none in the first person. The side it
errs on: words in the first person are the writer's, and so is what stands before and behind the paste.
"""

from collections.abc import Iterator
from functools import lru_cache

from thruline.engines.rules.cues import find_cues
from thruline.engines.rules.units import split_units
from thruline.pattern import compile_later
from thruline.signals.own import find_own, find_said
from thruline.signals.own.blocks import LONGEST_REMARK
from thruline.signals.own.lines import MOST_READ, find_ends
from thruline.value import dataclass, replace

Spans = list[tuple[int, int]]

# Shorter messages hold no paste that is worth a second look.
LEAST_LINES, LEAST_LETTERS = 8, 800
# So many lines with blanks at their end were copied from a terminal.
LEAST_PADDED = 3
# A page has so many titles and sentences, and is so long; of its paragraphs fewer than this share say "I" or "we".
TITLES, SENTENCES, LEAST_PAGE, PERSONAL = 3, 5, 700, 0.25
LONGEST_TITLE, MOST_TITLE_WORDS = 60, 7

# A prompt of a shell; how an entry of git's log begins, or the trace of an error.
_PROMPT = compile_later(r"^(?:[$%>❯➜λ#]|>>>)\s|^[\w~/.@:-]+\s+[$%❯]\s|^commit [0-9a-f]{40}\b|^Traceback \(most recent")
_BLANK = compile_later(r"\n[ \t]*\n")
_INDENTED = compile_later(r"\n[ \t]{2,}\Z")
# A time of day near the beginning of a line, three values by their keys, a hash and nothing else: a program wrote it.
_LOGGED = compile_later(
    r"\A.{0,24}\b\d\d:\d\d:\d\d\b|(?:\b[\w.]+=\S*\s+){2}[\w.]+=|\A[A-Z][A-Z_]{2,}\Z|\A(?=.*\d)[0-9a-f]{7,40}\Z"
)
_PADDED = compile_later(r"\S[ \t]{3,}\Z")
_TITLE = compile_later(r"[^\W\d_a-z][^\n]*[^\s.!?:;,…]\Z")
_STOPPED = compile_later(r"[.!?](?:\s|\Z)")


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines without a blank one between them. `own` counts those that look like the writer's."""

    start: int
    end: int
    lines: tuple[tuple[int, int], ...]
    own: int
    personal: bool
    pasted: bool = False


# The same message is asked for where it is quoted and where it answers something.
@lru_cache(maxsize=256)
def find_typed(text: str, before: str, *, first: bool = False) -> tuple[tuple[int, int], ...]:
    """The sentences that are the writer's own. `before` is what the agent had just said.

    The `first` message of a session may be a long request with titles.
    """
    own = find_own(text, before)
    own = own if first else find_said(text, own)
    if text.count("\n", 0, MOST_READ) >= LEAST_LINES or len(text) >= LEAST_LETTERS:
        # Of a long message the last words were looked at already: they are a remark behind what was pasted.
        head = [span for span in own if span[0] < MOST_READ]
        read = max(MOST_READ, head[-1][1] if head else 0)
        own = _drop_pasted(text[:read], head, first=first) + own[len(head) :]
    found: Spans = []
    printed, last = False, 0
    for start, end in _split(text, own):
        piece = text[start:end]
        # What stands below a command typed into a shell was printed; so was what is indented further down.
        goes_on = printed and (_INDENTED.search(text, last, start) or not _BLANK.search(text, last, start))
        printed = _PROMPT.search(piece) is not None or bool(goes_on)
        last = end
        line = next(((low, high) for low, high in own if low <= start < high), None)
        if printed or line is None or _is_pasted(piece, before):
            continue
        # Of a line that goes on with what was printed only its beginning is the writer's.
        found.append((start, min(end, line[1]) if end > line[1] + 1 else end))
    return tuple(found)


def _split(text: str, own: Spans) -> Iterator[tuple[int, int]]:
    """The sentences of a text; behind the beginning of a long one only those of the writer's lines."""
    head = find_ends(text)[0][1]
    pieces = [(0, head), *[span for span in own if span[0] >= head]]
    for first, last in pieces:
        for span in split_units(text[first:last] if last - first < len(text) else text):
            yield first + span.start, first + span.end


def _drop_pasted(text: str, own: Spans, *, first: bool) -> Spans:
    blocks = _flag_printed(text, _find_blocks(text, own))
    if not first:
        blocks = _flag_page(text, blocks)
    gone = [(block.start, block.end) for block in blocks if block.pasted]
    return [(a, b) for a, b in own if not any(start <= a and b <= end for start, end in gone)]


def _find_blocks(text: str, own: Spans) -> list[_Block]:
    mine = {start for start, _ in own}
    blocks: list[_Block] = []
    lines: list[tuple[int, int]] = []
    at = 0
    for line in [*text.split("\n"), ""]:
        start, at = at, at + len(line) + 1
        if line.strip():
            lines.append((start, start + len(line)))
        elif lines:
            begin, end = lines[0][0], lines[-1][1]
            count = sum(first in mine for first, _ in lines)
            blocks.append(_Block(begin, end, tuple(lines), count, is_personal(text[begin:end])))
            lines = []
    return blocks


def _flag_printed(text: str, blocks: list[_Block]) -> list[_Block]:
    """What was copied from a terminal, and all that stands between the lines of a message that is mostly output."""
    padded = [at for at, block in enumerate(blocks) if any(_PADDED.search(text, *line) for line in block.lines)]
    if sum(len(_find_padded(text, blocks[at])) for at in padded) >= LEAST_PADDED:
        blocks = [_flag(block, padded[0] <= at <= padded[-1]) for at, block in enumerate(blocks)]
    lines = [line for block in blocks for line in block.lines]
    typed = sum(block.own for block in blocks if not block.pasted)
    if len(lines) < LEAST_LINES or typed * 2 >= len(lines):
        return blocks
    printed = [at for at, block in enumerate(blocks) if block.pasted or block.own < len(block.lines)]
    if not printed:
        return blocks
    # Between and behind it paragraphs in the first person are remarks, at the very end any short one.
    typed_at = {
        at for at, block in enumerate(blocks) if block.own == len(block.lines) and _is_remark(block, at, blocks)
    }
    return [_flag(block, at >= printed[0] and at not in typed_at and at != 0) for at, block in enumerate(blocks)]


def _is_remark(block: _Block, at: int, blocks: list[_Block]) -> bool:
    return block.personal or (at == len(blocks) - 1 and block.end - block.start <= LONGEST_REMARK)


def _find_padded(text: str, block: _Block) -> list[tuple[int, int]]:
    return [line for line in block.lines if _PADDED.search(text, *line)]


def _flag_page(text: str, blocks: list[_Block]) -> list[_Block]:
    """What was pasted to be read: titles and sentences at length, behind the last words in the first person."""
    titled = [at for at, block in enumerate(blocks) if not block.pasted and _find_titles(text, block)]
    if not titled or sum(_find_titles(text, blocks[at]) for at in titled) < TITLES:
        return blocks
    begun = max(
        (at for at, block in enumerate(blocks[: titled[0] + 1]) if block.personal or _leads(text, block)), default=0
    )
    page = [block for block in blocks[begun + 1 :] if not block.pasted]
    size = sum(block.end - block.start for block in page)
    sentences = sum(len(_STOPPED.findall(text, block.start, block.end)) for block in page)
    if size < LEAST_PAGE or sentences < SENTENCES or sum(block.personal for block in page) > PERSONAL * len(page):
        return blocks
    last = len(blocks) - 1
    return [_flag(block, at > begun and not (at == last and block.personal)) for at, block in enumerate(blocks)]


def _find_titles(text: str, block: _Block) -> int:
    """How many lines of a block are titles: short, without a stop."""
    return sum(
        end - start <= LONGEST_TITLE
        and len(text[start:end].split()) <= MOST_TITLE_WORDS
        and _TITLE.match(text, start, end) is not None
        for start, end in block.lines
    )


def _leads(text: str, block: _Block) -> bool:
    return text[block.start : block.end].rstrip().endswith((":", "："))


def _flag(block: _Block, pasted: bool) -> _Block:
    return replace(block, pasted=True) if pasted and not block.pasted else block


def is_personal(text: str) -> bool:
    """Whether somebody speaks in the first person, or asks for something."""
    return bool(find_cues(text, ("personal",)))


def _is_pasted(text: str, before: str) -> bool:
    # People paste what the agent said to speak about it, without its markdown, and what their shell said.
    if _LOGGED.search(text):
        return True
    return len(text) > 40 and drop_marks(text) in drop_marks(before)


# Every sentence of a message is held against the same words of the agent.
@lru_cache(maxsize=8)
def drop_marks(text: str) -> str:
    """A text without blanks and the marks of code and of emphasis: people paste what they see."""
    return "".join(text.split()).replace("`", "").replace("*", "").replace("_", "")
