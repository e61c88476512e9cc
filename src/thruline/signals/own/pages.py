"""What looks like a person's prose and was pasted: pages of a manual, copied from a browser or a terminal, and output.

The fact this rests on: a page loses its marks and keeps its shape, short titles without a stop above paragraphs, or a
list of options; people speak before and behind what they paste. The side it errs on: a page without either mark is the
writer's.
"""

from thruline.pattern import compile_later
from thruline.signals.own.lines import MOST_READ
from thruline.signals.own.remark import is_personal, speaks

# A page has so many titles, or options, and is at least so long.
TITLES, OPTIONS, LEAST_PAGE = 2, 3, 300
# A shorter message is not looked through for what output surrounds.
LEAST = 500
LONGEST_REMARK = 900
# In one of so many blocks of a page somebody may say "I" or "we".
PERSONAL = 4
LEAST_PARAGRAPH = 70

_TITLE = compile_later(r"[A-Z][\w'’()/,&-]*(?: [\w'’()/,&-]+){0,6}\Z")
_OPTION = compile_later(r"[ \t]*-{1,2}[A-Za-z][\w-]*(?:[ \t]?[,=<\[]|[ \t]{2,}|\Z)")
# Values of a program that begin in the middle of a line: `it says: {"level": …`.
# So does a command behind the prompt of a shell.
_VALUES = compile_later(
    r"[ \t](?<=\S[ \t])[ \t]*(?=\{\"|\[\{|<\?xml|\d{4}-\d\d-\d\d[T ]\d\d:\d\d|[~/][\w./-]*[ \t]+[$%❯][ \t])"
)
# A time of day near the beginning of a line, or three values by their keys: a program wrote it.
_LOGGED = compile_later(r"\s*\S.{0,24}\b\d\d:\d\d:\d\d\b|.*(?:\b[\w.]+=\S*\s+){2}[\w.]+=")

Span = tuple[int, int]


def drop_pages(text: str, spans: list[Span]) -> list[Span]:
    """The lines without those of a page; a message that is nothing but a page stays as it is."""
    if not spans or spans[-1][1] - spans[0][0] < LEAST_PAGE:
        return spans
    blocks = _find_blocks(text, spans)
    marked = _find_marked(text, blocks)
    if marked < 0:
        return spans
    # It begins behind the last words before its first mark in which somebody speaks, or leads to it.
    first = max((at + 1 for at in range(marked) if _is_typed(_tell(text, blocks[at]))), default=0)
    last = len(blocks)
    while last > marked + 1 and _ends(text, blocks):
        remark = _tell(text, blocks[last - 1])
        if len(remark) > LONGEST_REMARK or not speaks(remark) or _OPTION.match(remark):
            break
        last -= 1
    if sum(is_personal(_tell(text, block)) for block in blocks[first:last]) * PERSONAL > last - first:
        return spans
    kept = blocks[:first] + blocks[last:]
    return [line for block in kept for line in block] or spans


def drop_output(text: str, spans: list[Span]) -> list[Span]:
    """The lines without those that output is mixed with, where most of a message is output.

    Behind what was said first and before what is said last only who speaks is the writer; in a long message nobody, as
    what speaks in a long log is the log of an agent.
    """
    spans = [_cut_values(text, span) for span in spans if not _is_logged(text, span)] or spans
    if not spans or (size := len(text.strip())) < LEAST or sum(end - start for start, end in spans) * 2 > size:
        return spans
    blocks = _find_blocks(text, spans)
    ended = _ends(text, blocks)
    kept = [
        block
        for at, block in enumerate(blocks)
        if not at
        or (ended and at + 1 == len(blocks))
        or block[0][0] >= MOST_READ
        or (len(text) <= MOST_READ and speaks(_tell(text, block), asks=False))
    ]
    return [line for block in kept for line in block]


def _is_typed(text: str) -> bool:
    return "?" in text or text.endswith(":") or is_personal(text)


def _ends(text: str, blocks: list[list[Span]]) -> bool:
    """Whether nothing stands behind the last block; a message of megabytes ends far behind its first lines."""
    end = blocks[-1][-1][1]
    return len(text) - end < MOST_READ and not text[end:].strip()


def _is_logged(text: str, span: Span) -> bool:
    # Most lines have neither two colons nor three signs of equality: to count them takes a tenth of the time.
    return (text.count(":", *span) > 1 or text.count("=", *span) > 2) and _LOGGED.match(text, *span) is not None


def _cut_values(text: str, span: Span) -> Span:
    found = _VALUES.search(text, *span)
    return (span[0], found.start()) if found is not None else span


def _find_blocks(text: str, spans: list[Span]) -> list[list[Span]]:
    blocks: list[list[Span]] = []
    for start, end in spans:
        if blocks and text.count("\n", blocks[-1][-1][1], start) < 2 and not text[blocks[-1][-1][1] : start].strip():
            blocks[-1].append((start, end))
        else:
            blocks.append([(start, end)])
    return blocks


def _find_marked(text: str, blocks: list[list[Span]]) -> int:
    """The block in which the first title or option of a page stands; -1 where there is no page."""
    lines = [(at, text[start:end].strip()) for at, block in enumerate(blocks) for start, end in block]
    titles = [
        at
        for number, (at, line) in enumerate(lines[:-1])
        if number and len(lines[number + 1][1]) >= LEAST_PARAGRAPH and _TITLE.match(line)
    ]
    options = [at for at, line in lines if _OPTION.match(line)]
    if len(titles) < TITLES and len(options) < OPTIONS:
        return -1
    first = min([*titles, *options])
    return first if blocks[-1][-1][1] - blocks[first][0][0] >= LEAST_PAGE else -1


def _tell(text: str, block: list[Span]) -> str:
    return text[block[0][0] : block[-1][1]].strip()
