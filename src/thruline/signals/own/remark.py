"""The remark behind a paste: what the writer says at the end of a long message.

The fact this rests on: a program's output and a manual's pages do not speak to anyone. Who writes behind them asks,
refuses, says "I" or "we", or begins without a capital letter. The side it errs on: behind output every sentence is the
writer's, behind prose only one that speaks.
"""

from thruline.pattern import compile_later
from thruline.signals.cues import ENDS, Language, guess_language, split_words
from thruline.signals.own.lines import FENCES, Line

# So much is a remark at most; of one block so much.
LONGEST, LONGEST_BLOCK = 1500, 900

_SENTENCE = compile_later(r"[.!?…。！？][\"')\]]*\s*\Z")
_LISTED = compile_later(r"[ \t]*(?:[-*•|]|\d+[.)])[ \t]")


def split_remark(text: str, blocks: list[list[Line]]) -> tuple[list[list[Line]], list[tuple[int, int]]]:
    """(the blocks before the remark, the lines of the remark)."""
    lines = [line for block in blocks for line in block]
    starts = {block[0][0] for block in blocks}
    at, size = len(lines), 0
    taken = at
    # From the last line back: whole blocks, and the last lines of one that begins with output.
    while at:
        start, end, flag = lines[at - 1]
        if flag or text[start].isspace() or size + end - start > LONGEST:
            break
        at -= 1
        size += end - start
        if start in starts or (at and lines[at - 1][2]):
            block = text[start : lines[taken - 1][1]]
            if len(block) > LONGEST_BLOCK or not (speaks(block) or _is_behind_output(text, lines, at, block)):
                break
            taken = at
    remark = [(start, end) for start, end, _ in lines[taken:]]
    kept = [[line for line in block if not remark or line[0] < remark[0][0]] for block in blocks]
    return [block for block in kept if block], remark


def _is_behind_output(text: str, lines: list[Line], at: int, block: str) -> bool:
    if _SENTENCE.search(block) is None or _LISTED.match(block):
        return False
    if not at or lines[at - 1][2]:
        return True
    return any(mark in text[lines[at - 1][1] : lines[at][0]] for mark in FENCES)


def speaks(text: str, *, asks: bool = True) -> bool:
    """Whether a text speaks to somebody; of a language whose words for that we do not know, every text does.

    With `asks` a question does: programs ask too.
    """
    words, plain, language = _read(text)
    selves = language.words("selves")
    if not plain or not selves:
        return bool(plain)
    if (asks and "?" in words) or text[:1].islower() or not selves.isdisjoint(plain):
        return True
    return any(plain[0] in language.words(work) for work in ("refusals", "fillers", "negations"))


def is_personal(text: str) -> bool:
    """Whether somebody speaks of themselves in it."""
    _, plain, language = _read(text)
    return not language.words("selves").isdisjoint(plain)


def _read(text: str) -> tuple[list[str], list[str], Language]:
    words = split_words(text)
    plain = [word for word in words if word not in ENDS]
    return words, plain, guess_language(text, plain)
