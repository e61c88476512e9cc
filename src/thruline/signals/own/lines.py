"""The lines of a message that are read for meaning: all of them, or of a long one the first and the last.

People paste a log and say behind it what is wrong. What lies between beginning and end is passed over at the cost of
looking for the fences in it, so that a message of megabytes takes no longer than a short one.
"""

import re
from collections.abc import Iterator

from thruline.pattern import compile_later

# So much is read of either end; a longer message holds a pasted document.
MOST_READ = 4000
# A line that is read is read no further than this: some clients' logs are one line.
LONGEST_LINE = 4000
# So many marks of fences are looked at between the ends of a message.
MOST_FENCES = 5000

FENCES = ("```", '"""', "'''", "~~~")
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

Line = tuple[int, int, bool]  # start, end, whether it is pasted


def find_ends(text: str) -> tuple[tuple[int, int], ...]:
    """What is read of a text: the whole, or its first and its last lines."""
    if len(text) <= MOST_READ:
        return ((0, len(text)),)
    end = text.find("\n", MOST_READ - 1, MOST_READ + LONGEST_LINE)
    head = end if end >= 0 else min(len(text), MOST_READ + LONGEST_LINE)
    start = max(head, len(text) - MOST_READ)
    if start > head:
        # From the next line on; in a line without end from the next word.
        start = next((at + 1 for mark in ("\n", " ") if (at := text.find(mark, start - 1)) >= 0), start)
    return (0, head), (min(start, len(text)), len(text))


def read_lines(text: str, quoted: str) -> Iterator[tuple[int, int, bool, bool]]:
    """Each line as (start, end, has text, pasted); a fenced line has no text of anyone. `quoted` is the agent's."""
    fence = ""
    before = 0
    for first, last in find_ends(text):
        if first > before:
            yield first, first, False, False  # what stands at the two ends is not one block
            fence = _pass_over(text, fence, before, first)
            # One that is never closed hides what follows it in a short message; here it would hide the end of a log.
            if fence and not _is_closed(text, fence, first):
                fence = ""
        before = last
        at = first
        while at < last:
            end = text.find("\n", at, last)
            if end < 0:
                end = last
            line = text[at:end]
            start, at = at, end + 1
            bare = line.strip()
            if fence:
                if bare.endswith(fence) or bare.startswith(fence):
                    fence = ""
                continue
            if bare.startswith(FENCES):
                opened = next(mark for mark in FENCES if bare.startswith(mark))
                if bare.count(opened) == 1:
                    fence = opened
                continue
            tail = ""
            if bare.endswith(FENCES):
                tail = next((mark for mark in FENCES if bare.endswith(mark) and bare.count(mark) == 1), "")
            if tail:
                # "this is the error:" and the fence on the same line: the words before it are the writer's.
                fence = tail
                end -= len(tail)
                bare = bare[: -len(tail)].strip()
            yield start, end, bool(bare), bool(bare) and is_pasted(line, bare, quoted)


def _pass_over(text: str, fence: str, start: int, end: int) -> str:
    """The fence that is open at `end`, where `fence` was at `start`."""
    places = dict.fromkeys(FENCES, -1)
    at = start
    for _ in range(MOST_FENCES):
        for mark in list(places):
            if places[mark] < at and (not fence or mark == fence):
                places[mark] = text.find(mark, at, end)
                if places[mark] < 0:
                    del places[mark]
        found = [(places[mark], mark) for mark in places if places[mark] >= at and (not fence or mark == fence)]
        if not found:
            return fence
        at, mark = min(found)
        edge, alone = _is_at_edge(text, at, mark)
        if edge and (fence or alone):
            fence = "" if fence else mark
        at += len(mark)
    return ""


def _is_at_edge(text: str, at: int, mark: str) -> tuple[bool, bool]:
    """(a line begins or ends with the mark at this place, it has no other)."""
    first = text.rfind("\n", max(0, at - LONGEST_LINE), at) + 1
    last = text.find("\n", at, at + LONGEST_LINE)
    last = last if last >= 0 else min(len(text), at + LONGEST_LINE)
    edge = not text[first:at].strip() or not text[at + len(mark) : last].strip()
    return edge, text.count(mark, first, last) == 1


def _is_closed(text: str, fence: str, start: int) -> bool:
    return _pass_over(text, fence, start, len(text)) != fence


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
