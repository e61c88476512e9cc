"""Which words of a message are the writer's own: not the log, the code or the agent's text pasted into it.

A pasted line makes no claim of the person who pasted it. The fact this rests on: pasted matter stands on lines of its
own, between fences or with the look of output; documents have headings, what was copied from a terminal is indented,
a mail says who wrote it. The side it errs on: a line that looks like prose is the writer's.
"""

import re
from collections.abc import Iterator

from thruline.pattern import compile_later

# Only so much of a message is read for meaning; longer ones are pasted documents.
MOST_READ = 4000

_FENCES = ("```", '"""', "'''", "~~~")
_OUTPUT = compile_later(
    r"""\s*(?:
      [+\-](?:\t|\s{2,}|[^\s\w+\-]) | (?:-{3}|\+{3})\s | @@ | diff\ --git | index\ [0-9a-f]{7}     # a diff
    | \d{4}-\d\d-\d\d[T ]\d\d | \[?\d\d:\d\d:\d\d | \[\d{4}-                       # a time stamp
    | [{}\[\]();|│├└─╭╰⏺⎿▶✻$%\#>]+(?:\s|$) | \{" | "[\w-]+":                       # structure, a prompt, a quotation
    | (?:at|File)\ .{1,120}[:(]\d+ | Traceback\ \(most | goroutine\ \d | ---\ (?:FAIL|PASS) | ===\ (?:RUN|Step)
    | (?:ERROR|WARN|INFO|DEBUG|FAIL|PASS|Error|Warning|panic|npm|make)\b[:\s\[] | \w+@[\w.-]+[\s:~%$]
    | (?:import|from|func|def|class|const|let|var|return|if|for|while|type|package)\s.*[{}();=:]\s*$
    | [A-Z][\w\ ]{2,40}:\ +\S+$ | \S+\ →\ | ={3,} | -{3,} | _{3,}
    | (?:remote|fatal|error|warning|hint):\ | From\ https?:// | (?:create|delete)\ mode\ \d{6} | \d+\ files?\ changed,
    | [A-Z][a-z]+ing\ .*[/\d(].*\.{3}\s*$ | commit\ [0-9a-f]{7,40}\b | (?:Author|Date|Merge):\ +\S   # what git prints
    | [\w./-]+\.\w{1,5}:\d+(?::\d+)?:?\s | https?://\S+\s*$ | \|.*\|\s*$ | !\[ | \[Image
    )""",
    re.VERBOSE,
)
_LETTERS = compile_later(r"[^\W\d_]")
_NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalpha())
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

Line = tuple[int, int, bool]  # start, end, whether it is pasted


def find_own(text: str, quoted: str = "") -> list[tuple[int, int]]:
    """The spans of `text` that are the writer's own lines, in order. `quoted` is what the agent had just said."""
    return list(_own_lines(text, quoted))


def _own_lines(text: str, quoted: str) -> Iterator[tuple[int, int]]:
    # A block is what stands between blank lines. One that is mostly output is output, also the lines of it that look
    # like prose; only the line that introduces it may be the writer's.
    blocks = _drop_documents(text, _find_blocks(text, quoted))
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


def _find_blocks(text: str, quoted: str) -> list[list[Line]]:
    blocks: list[list[Line]] = [[]]
    for start, end, bare, pasted in _read_lines(text, quoted):
        if bare:
            blocks[-1].append((start, end, pasted))
        elif blocks[-1]:
            blocks.append([])
    blocks = [block for block in blocks if block]
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


def _read_lines(text: str, quoted: str) -> Iterator[tuple[int, int, bool, bool]]:
    """Each line as (start, end, has text, pasted); a fenced line has no text of anyone."""
    fence = ""
    at = 0
    limit = min(len(text), MOST_READ)
    while at < limit:
        end = text.find("\n", at)
        if end < 0:
            end = len(text)
        line = text[at:end]
        start, at = at, end + 1
        bare = line.strip()
        if fence:
            if bare.endswith(fence) or bare.startswith(fence):
                fence = ""
            continue
        if bare.startswith(_FENCES):
            opened = next(mark for mark in _FENCES if bare.startswith(mark))
            if bare.count(opened) == 1:
                fence = opened
            continue
        tail = ""
        if bare.endswith(_FENCES):
            tail = next((mark for mark in _FENCES if bare.endswith(mark) and bare.count(mark) == 1), "")
        if tail:
            # "this is the error:" and the fence on the same line: the words before it are the writer's.
            fence = tail
            end -= len(tail)
            bare = bare[: -len(tail)].strip()
        yield start, end, bool(bare), bool(bare) and is_pasted(line, bare, quoted)


def is_pasted(line: str, bare: str, quoted: str) -> bool:
    """Whether a line has the look of output or code, or stands word for word in what the agent said."""
    if line.startswith(("    ", "\t")) and not bare[0].isalpha():
        return True
    if _OUTPUT.match(line):
        return True
    if len(bare) >= 25 and quoted and bare.strip("> *-") in quoted:
        return True
    return len(bare) > 12 and _count_letters(bare) + bare.count(" ") < 0.6 * len(bare)


def _count_letters(text: str) -> int:
    if text.isascii():
        return len(text.encode().translate(None, _NO_LETTERS))
    return len(_LETTERS.findall(text))


def join_own(text: str, spans: list[tuple[int, int]]) -> str:
    """The own lines as one text."""
    return "\n".join([text[start:end].strip() for start, end in spans])
