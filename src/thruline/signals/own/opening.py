"""Where a message begins: behind the marks that a client or a person puts before the words.

The fact this rests on: a pasted picture leaves a mark in brackets, and who types a heading's, a list's or a quotation's
mark before the first words still speaks them. The side it errs on: such words are the writer's only where the message
has nothing else, or where they speak to somebody, as titles and comments do not.
"""

import re

from thruline.pattern import compile_later
from thruline.signals.own.lines import Line, is_pasted
from thruline.signals.own.remark import speaks

# "[Image #1]", "[shot of the page]", "![shot](a.png)"; what was logged begins with a time or a level.
_PICTURE = r"!\[[^\]\n]{0,200}\](?:\([^)\n]{0,300}\))?"
_SHOWN = rf"{_PICTURE}|\[(?!(?:ERROR|WARN|INFO|DEBUG|FAIL|PASS)\b)[A-Z][^\[\]\n]{{0,200}}\](?!\()"
_SHOWING = compile_later(rf"\s*(?:(?:{_SHOWN})[\s,;:]*)+")
_MARKED = compile_later(r"[\s#>*•-]+")
# Before the words that are said, whatever the judges see: also a name that is called, a path, a number, a tag.
_BEFORE = compile_later(
    rf"""(?:\s+ | {_SHOWN} | \[[^\[\]\n]{{1,80}}\](?!\() | </?[a-z][^<>\n]{{0,80}}> | \d{{1,2}}[.)](?=\s) | @[\w./:~-]+
    | (?P<mark>['"`])(?=[^'"`\n]*/)[^'"`\n]{{1,200}}(?P=mark) | https?://\S+ | (?:~|\.{{1,2}})?/[\w.~+@%-]*/?\S*
    | [A-Za-z]:\\\S+ | [^\w\s'"`“„«‹「『‘’]+ )""",
    re.VERBOSE,
)


def free_opening(text: str, blocks: list[list[Line]], quoted: str) -> list[list[Line]]:
    """The blocks without lines that only show something, and the first words freed of the mark before them."""
    if not any(flag for block in blocks for *_, flag in block):
        return blocks
    kept = [[line for line in block if not _only_shows(text, line)] for block in blocks]
    kept = [block for block in kept if block]
    if not kept or not kept[0][0][2]:
        return kept
    start, end, _ = kept[0][0]
    if text[:start].strip() and _SHOWING.fullmatch(text, 0, start) is None:
        return kept  # behind a fence it is no opening
    shown = _SHOWING.match(text, start, end)
    first = shown.end() if shown is not None else start
    marked = _MARKED.match(text, first, end)
    behind = marked.end() if marked is not None else first
    words = text[behind:end].strip()
    if behind == start or not words or is_pasted(text[behind:end], words, quoted) or (quoted and words in quoted):
        return kept
    if behind > first:
        alone = len(kept) == 1 and len(kept[0]) == 1
        if not alone and (">" in text[first:behind] or not speaks(words)):
            return kept
    return [[(behind, end, False), *kept[0][1:]], *kept[1:]]


def _only_shows(text: str, line: Line) -> bool:
    start, end, flag = line
    found = _SHOWING.match(text, start, end) if flag else None
    return found is not None and not text[found.end() : end].strip()


def find_opening(text: str) -> int:
    """Where the words of a text begin, behind all marks, names that are called and paths."""
    at = 0
    while at < len(text) and (found := _BEFORE.match(text, at)) is not None:
        at = found.end()
    return at
