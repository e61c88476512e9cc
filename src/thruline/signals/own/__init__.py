"""Which words of a message are the writer's own: not the log, the code or the agent's text pasted into it.

A pasted line makes no claim of the person who pasted it. The fact this rests on: pasted matter stands on lines of its
own, between fences or with the look of output; documents have headings, what was copied from a terminal is indented,
a mail says who wrote it. The side it errs on: a line that looks like prose is the writer's.
"""

from thruline.signals.own.blocks import find_blocks, find_own_lines
from thruline.signals.own.lines import MOST_READ
from thruline.signals.own.pages import drop_output, drop_pages
from thruline.signals.own.remark import split_remark

MOST_SPANS = 40


def find_own(text: str, quoted: str = "") -> list[tuple[int, int]]:
    """The spans of `text` that are the writer's own lines, in order. `quoted` is what the agent had just said.

    Of a long message only its beginning and its end are read; the end counts as far as it is a remark.
    """
    blocks = find_blocks(text, quoted)
    if len(text) <= MOST_READ:
        return list(find_own_lines(text, blocks))
    rest, remark = split_remark(text, blocks)
    head = [block for block in rest if block[0][0] < MOST_READ]
    return [*drop_pages(text, list(find_own_lines(text, head))), *remark]


def find_said(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those of a message's own `spans` that can be quoted as the writer's words: no page of a manual, no output.

    The judges learned from messages as they are, pages and all; what they are shown stays as it is.
    """
    return drop_output(text, drop_pages(text, spans) if len(text) <= MOST_READ else spans)


def choose_spans(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans that are looked through for a quotation: the first ones, of a long message the last ones too."""
    if len(spans) <= MOST_SPANS or spans[-1][0] < MOST_READ:
        return spans[:MOST_SPANS]
    return spans[: MOST_SPANS // 2] + spans[-MOST_SPANS // 2 :]


def join_own(text: str, spans: list[tuple[int, int]], most: int = 0) -> str:
    """The own lines as one text, of `most` characters if that is told: the remark behind a paste is among them."""
    whole = "\n".join([text[start:end].strip() for start, end in spans])
    if not most or len(whole) <= most:
        return whole
    behind = "\n".join([text[start:end].strip() for start, end in spans if start >= MOST_READ])[: most // 2]
    return f"{whole[: most - len(behind) - 1]}\n{behind}" if behind else whole[:most]
