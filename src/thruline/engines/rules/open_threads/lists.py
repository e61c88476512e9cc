"""The lists of a message: what stands above each, and its items with what they are called."""

import re

from thruline.pattern import compile_later
from thruline.value import dataclass, field

_FENCES = ("```", "~~~")
_HEADING = compile_later(r"[ \t]*(#{1,6})[ \t]+(\S.*)")
# A line that is bold from end to end, with no stop.
_BOLD = compile_later(r"[ \t]*(\*\*|__)((?:(?!\1).)+?(?<![.!?。！？]))\1:?[ \t]*$")
_ITEM = compile_later(r"([ \t]*)(?:[-*+•]|(\d{1,3})[.)])[ \t]+(?:\[( |x|X)\][ \t]+)?(?=\S)")
# "1. Title", "Issue 2: Title", "#3 Title", "P1-4: Title" as a heading.
_NUMBER = compile_later(r"[*_]{0,2}(?:[^\W\d_]+ )?#?(\d{1,2})(?:[.):]|[ \t]*[-–—])[*_]{0,2}[ \t]+(?=\S)")
# What an item is called: words in bold at its beginning, or those before a dash or a colon.
_TITLE = compile_later(r"(\*\*|__)(?:(?!\1).){3,140}?\1(?:[ \t]*\([^()\n]{1,60}\))?")
_UNTIL = compile_later(r"[ \t][-–—→][ \t]|:[ \t]|[.!?。！？](?=[ \t]|$)")
SHORTEST, LONGEST = 8, 160
# So much of what stands below an item is read.
MOST_BELOW = 2_000


@dataclass(frozen=True, slots=True)
class Item:
    """One item: its whole text, what it is called (`start` to `title`), its number where it has one."""

    start: int
    end: int
    title: int
    number: int = 0
    # Ticked, or crossed out.
    ticked: bool = False


@dataclass(slots=True)
class Listed:
    """A list. `above` are the headings that it stands under, the outermost first; `lead` is the line before it."""

    above: tuple[str, ...]
    lead: str = ""
    items: list[Item] = field(default_factory=list)
    numbered: bool = False


def find_lists(text: str) -> list[Listed]:
    """The lists of a text in order, those of two items and more: by marks or numbers, or by numbered headings."""
    found: list[Listed] = []
    outline: dict[int, str] = {}
    headed: Listed | None = None
    current: Listed | None = None
    lead, fenced, at = "", False, 0
    for raw in text.split("\n"):
        start, at = at, at + len(raw) + 1
        bare = raw.strip()
        if bare.startswith(_FENCES):
            fenced = not fenced
            continue
        if fenced or not bare:
            continue
        heading = _HEADING.match(raw)
        bold = None if heading else _BOLD.match(raw)
        if heading or bold:
            # A bold line stands below any heading.
            level, words = (len(heading[1]), heading[2].rstrip()) if heading else (7, bold[2] if bold else "")
            outline = {known: said for known, said in outline.items() if known < level}
            headed = _head(headed, found, outline, raw, start, words)
            outline[level] = words
            if _NUMBER.match(words) is None:
                current = current if current is not None and current.numbered and level > 2 else None
            else:
                current = None
            lead = ""
            continue
        mark = _ITEM.match(raw)
        if mark is None:
            if not raw.startswith((" ", "\t")):
                lead = bare
                if current is not None and not current.numbered:
                    current = None
            continue
        if len(mark[1].expandtabs(4)) > 3 and current is not None:
            continue  # says more of the item above it
        current = _take(current, found, mark, raw, start, tuple(outline.values()), lead)
    return [one for one in found if len(one.items) > 1]


def is_numbered(heading: str) -> bool:
    """Whether a heading is an item of a list itself."""
    return _NUMBER.match(heading) is not None


def read_below(text: str, item: Item) -> list[str]:
    """The lines below an item that say more of it, without code: what is set in further, or all below a heading."""
    mark = _ITEM.match(text, text.rfind("\n", 0, item.start) + 1, item.end)
    headed, least = mark is None, len(mark[1].expandtabs(4)) if mark else 0
    found: list[str] = []
    fenced = False
    end = text.find("\n", item.end)
    for raw in text[end + 1 : end + MOST_BELOW].split("\n") if end >= 0 else ():
        bare = raw.strip()
        if bare.startswith(_FENCES):
            fenced = not fenced
        elif bare and not fenced:
            deep = len(raw.expandtabs(4)) - len(raw.expandtabs(4).lstrip())
            if _HEADING.match(raw) or (_BOLD.match(raw) if headed else deep <= least):
                break
            found.append(bare)
    return found


def _head(
    headed: Listed | None, found: list[Listed], outline: dict[int, str], raw: str, start: int, words: str
) -> Listed | None:
    """The list of numbered headings that a heading goes on with, if it does."""
    number = _NUMBER.match(words)
    if number is None:
        return headed
    first = start + raw.index(words)
    if headed is None or int(number[1]) != headed.items[-1].number + 1:
        if int(number[1]) != 1:
            return None
        headed = Listed(tuple(outline.values()), numbered=True)
        found.append(headed)
    end = first + len(words)
    headed.items.append(Item(first, end, end, int(number[1]), "✅" in raw or "~~" in raw))
    return headed


def _take(
    current: Listed | None,
    found: list[Listed],
    mark: "re.Match[str]",
    raw: str,
    start: int,
    above: tuple[str, ...],
    lead: str,
) -> Listed:
    number = int(mark[2] or 0)
    goes_on = current is not None and (number == current.items[-1].number + 1 if current.numbered else not number)
    if current is None or not goes_on:
        current = Listed(above, lead, numbered=bool(number))
        found.append(current)
    begin, end = start + mark.end(), start + len(raw.rstrip())
    ticked = mark[3] in ("x", "X") or raw[mark.end() :].startswith(("✅", "~~", "[x]"))
    current.items.append(Item(begin, end, begin + _find_title(raw[mark.end() :].rstrip()), number, ticked))
    return current


def _find_title(text: str) -> int:
    bold = _TITLE.match(text)
    if bold:
        return bold.end()
    stop = _UNTIL.search(text, SHORTEST, LONGEST + 2)
    end = (stop.end() if stop[0][0] in ".!?。！？" else len(text[: stop.start()].rstrip())) if stop else len(text)
    return end if end <= LONGEST else len(text[:LONGEST].rpartition(" ")[0]) or LONGEST
