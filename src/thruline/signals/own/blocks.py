"""The blocks of a message, what stands between blank lines: the writer's, and those of pasted output and documents."""

import re
from collections.abc import Iterator

from thruline.pattern import compile_later
from thruline.signals.own.lines import Line, read_lines
from thruline.signals.own.opening import free_opening

_HEADING = compile_later(r"[ \t]*(?:\#{1,6}[ \t]+\S|\*\*[^*\n]{3,80}\*\*:?[ \t]*$|\d+\.[ \t]+\*\*)", re.MULTILINE)
_MAIL = compile_later(
    r"[> \t]*(?:On .{6,80} wrote:[ \t]*$|(?:From|Von|De): .+@|-{2,} ?(?:Forwarded|Original) )", re.MULTILINE
)
# As a terminal prints an agent's text; a list may be indented by its writer.
_INDENTED = compile_later(r"  +(?![-*•\s]|\d+[.)])")
# A document has so many headings; a short block behind the last of its lines is the writer's again.
HEADINGS, LEAST_DOCUMENT, LONGEST_REMARK = 2, 600, 240
# A message of so many lines is looked through for lines of such a length that stand there twice.
LEAST_LINES, LEAST_REPEATED = 4, 20
# What follows "look at this:" is what was meant, from this size on.
LEAST_SHOWN = 280


def find_blocks(text: str, quoted: str) -> list[list[Line]]:
    """The blocks of what is read of a message; `quoted` is what the agent had just said."""
    blocks: list[list[Line]] = [[]]
    for start, end, bare, pasted in read_lines(text, quoted):
        if bare:
            blocks[-1].append((start, end, pasted))
        elif blocks[-1]:
            blocks.append([])
    blocks = free_opening(text, [block for block in blocks if block], quoted)
    return _flag_repeated(text, blocks) if sum(map(len, blocks)) >= LEAST_LINES else blocks


def _flag_repeated(text: str, blocks: list[list[Line]]) -> list[list[Line]]:
    """The blocks, with lines that stand there more than once taken for output: people do not write a line twice."""
    counts: dict[str, int] = {}
    for block in blocks:
        for start, end, _ in block:
            line = text[start:end].strip()
            counts[line] = counts.get(line, 0) + 1
    repeated = {line for line, count in counts.items() if count > 1 and len(line) >= LEAST_REPEATED}
    if not repeated:
        return blocks
    return [
        [(start, end, flag or text[start:end].strip() in repeated) for start, end, flag in block] for block in blocks
    ]


def find_own_lines(text: str, blocks: list[list[Line]]) -> Iterator[tuple[int, int]]:
    """The writer's lines in some blocks.

    A block that is mostly output is output, also the lines of it that look like prose; only the line that introduces
    it may be the writer's.
    """
    blocks = _drop_documents(text, blocks)
    shown = large = False
    for at, block in enumerate(blocks):
        if shown:
            block = [line for line in block if not _INDENTED.match(text, line[0])]
            if not block:
                continue
            if _is_shown(text, block, large=large, last=at + 1 == len(blocks)):
                large = True
                continue
        yield from _own_block(block)
        shown, large = text[block[0][0] : block[-1][1]].rstrip().endswith(":"), False


def _is_shown(text: str, block: list[Line], *, large: bool, last: bool) -> bool:
    """Whether a block behind "look at this:" is what was shown: whole sentences at length.

    A list there is the writer's own; so is a short remark behind it all.
    """
    start, end = block[0][0], block[-1][1]
    if any(flag for *_, flag in block) or not text[start].isupper() or (last and "?" in text[start:end]):
        return False
    return end - start >= LEAST_SHOWN or (large and not (last and end - start <= LONGEST_REMARK))


def _drop_documents(text: str, blocks: list[list[Line]]) -> list[list[Line]]:
    """The blocks before a pasted document or mail, and a remark behind it."""
    # No heading without one of these marks, no mail without one of those: most messages need not be looked through.
    headed = _find_matches(_HEADING, text, blocks) if "#" in text or "**" in text else []
    mailed = _find_matches(_MAIL, text, blocks) if "wrote:" in text or "@" in text or "--" in text else []
    if mailed:
        before = blocks[mailed[0]]
        count = next(number for number, line in enumerate(before) if _MAIL.match(text, line[0]))
        return [*blocks[: mailed[0]], *([before[:count]] if count else [])]
    if len(headed) < HEADINGS:
        return blocks
    first, last = headed[0], len(blocks) - 1
    if blocks[last][-1][1] - blocks[first][0][0] < LEAST_DOCUMENT:
        return blocks
    remark = blocks[last]
    short = last > headed[-1] and remark[-1][1] - remark[0][0] <= LONGEST_REMARK
    plain = short and not any(flag or text[start].isspace() or text[start] in "-*•|" for start, _, flag in remark)
    return [*blocks[:first], remark] if plain else blocks[:first]


def _find_matches(pattern: re.Pattern[str], text: str, blocks: list[list[Line]]) -> list[int]:
    """The blocks in which a line begins like this."""
    return [at for at, block in enumerate(blocks) if any(pattern.match(text, start) for start, *_ in block)]


def _own_block(block: list[Line]) -> Iterator[tuple[int, int]]:
    pasted = sum([flag for *_, flag in block])
    mostly = pasted * 2 > len(block) or (pasted > 2 and pasted * 3 > len(block))
    for at, (start, end, flag) in enumerate(block):
        if not flag and (at == 0 or not mostly):
            yield start, end
