"""Which words of a message are the writer's own: not the log, the code or the agent's text pasted into it.

A pasted line makes no claim of the person who pasted it. The fact this rests on: pasted matter stands on lines of its
own, between fences or with the look of output. The side it errs on: a line that looks like prose is the writer's.
"""

import re
from collections.abc import Iterator

# Only so much of a message is read for meaning; longer ones are pasted documents.
MOST_READ = 4000

_FENCES = ("```", '"""', "'''", "~~~")
_OUTPUT = re.compile(
    r"""\s*(?:
      [+\-](?:\t|\s{2,}|[^\s\w+\-]) | (?:-{3}|\+{3})\s | @@ | diff\ --git | index\ [0-9a-f]{7}     # a diff
    | \d{4}-\d\d-\d\d[T ]\d\d | \[?\d\d:\d\d:\d\d | \[\d{4}-                       # a time stamp
    | [{}\[\]();|│├└─╭╰⏺⎿▶✻$%\#>]+(?:\s|$) | \{" | "[\w-]+":                       # structure, a prompt, a quotation
    | (?:at|File)\ .{1,120}[:(]\d+ | Traceback\ \(most | goroutine\ \d | ---\ (?:FAIL|PASS) | ===\ (?:RUN|Step)
    | (?:ERROR|WARN|INFO|DEBUG|FAIL|PASS|Error|Warning|panic|npm|make)\b[:\s\[] | \w+@[\w.-]+[\s:~%$]
    | (?:import|from|func|def|class|const|let|var|return|if|for|while|type|package)\s.*[{}();=:]\s*$
    | [A-Z][\w\ ]{2,40}:\ +\S+$ | \S+\ →\ | ={3,} | -{3,} | _{3,}
    | [\w./-]+\.\w{1,5}:\d+(?::\d+)?:?\s | https?://\S+\s*$ | \|.*\|\s*$ | !\[ | \[Image
    )""",
    re.VERBOSE,
)
_LETTERS = re.compile(r"[^\W\d_]")


def find_own(text: str, quoted: str = "") -> list[tuple[int, int]]:
    """The spans of `text` that are the writer's own lines, in order. `quoted` is what the agent had just said."""
    return list(_own_lines(text, quoted))


def _own_lines(text: str, quoted: str) -> Iterator[tuple[int, int]]:
    # A block is what stands between blank lines. One that is mostly output is output, also the lines of it that look
    # like prose; only the line that introduces it may be the writer's.
    block: list[tuple[int, int, bool]] = []
    for start, end, bare, pasted in _read_lines(text, quoted):
        if bare:
            block.append((start, end, pasted))
            continue
        yield from _own_block(text, block)
        block.clear()
    yield from _own_block(text, block)


def _own_block(text: str, block: list[tuple[int, int, bool]]) -> Iterator[tuple[int, int]]:
    pasted = sum(flag for *_, flag in block)
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
        opened = next((mark for mark in _FENCES if bare.startswith(mark)), "")
        if opened:
            if bare.count(opened) == 1:
                fence = opened
            continue
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
    letters = len(_LETTERS.findall(bare)) + bare.count(" ")
    return letters < 0.6 * len(bare) and len(bare) > 12


def join_own(text: str, spans: list[tuple[int, int]]) -> str:
    """The own lines as one text."""
    return "\n".join([text[start:end].strip() for start, end in spans])
