"""The five sections as markdown, within a budget.

Every section keeps its floor of the budget; what is left over goes to the claims that must be kept, then to the rest
by weight. Long quotations are shortened before anything is left out, so a small brief is a brief, not a torn one.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from thruline.brief.budget import DEFAULT_BUDGET as DEFAULT_BUDGET
from thruline.brief.budget import SMALLEST_BUDGET as SMALLEST_BUDGET
from thruline.brief.dedupe import drop_repeats
from thruline.brief.heads import share_heads
from thruline.brief.inert import render_words
from thruline.brief.injection import find_in_words
from thruline.brief.names import reads_like_order
from thruline.brief.orders import find_orders
from thruline.brief.pointer import Pointer
from thruline.brief.quote import Quote, render_quote, shorten
from thruline.brief.section import FLAG, MOST_LINES, PLACEHOLDER, QUOTED, TABLE, UNSOURCED, Brief, Claim, Section
from thruline.brief.sources import drop_told, render_sources
from thruline.brief.wording import ALL_UNSOURCED, HEADLESS, MORE, NO_ROOM, NOTHING, is_statement
from thruline.pattern import compile_later
from thruline.redact import redact
from thruline.spine.budget import BYTES_PER_TOKEN
from thruline.value import dataclass

WITHHELD = "Words that read like an instruction were withheld here."

# A quotation that stands below needs no word for it at the start.
_LEADING = compile_later(rf"\A{re.escape(QUOTED)}[\s—–:.-]*")
_ADDED = compile_later(r"\(added by the engine \S+\) ")
# How often the room is tried anew, and how many bytes may stay unused where not all fits.
_TRIES, _SPARE = 4, 40
# So much of the room goes to what must be kept before any section gets its floor, where not all of it fits else.
_KEPT_FIRST = 0.45
# The longest quotation, and the longest of what stands beside a user's words as their context (0: none), tried from
# left to right until everything that must be kept fits: the context is cut before the user is.
_LENGTHS = (
    (1600, 600),
    (600, 600),
    (600, 200),
    (600, 100),
    (400, 100),
    (400, 0),
    (280, 0),
    (200, 0),
    (140, 0),
    (100, 0),
)


@dataclass(frozen=True, slots=True)
class Rendered:
    """A brief as text. `left_out` counts the claims of it that did not fit, `left_bytes` is what they would have taken.

    `lost` counts the corrections of the session that are quoted nowhere in it. `shown` and `cut` tell by section and
    number (of what a model wrote) what stands in it and what had no room; what is in neither was a repetition.
    """

    text: str
    left_out: int
    lost: int = 0
    left_bytes: int = 0
    shown: frozenset[tuple[str, int]] = frozenset()
    cut: frozenset[tuple[str, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class _Item:
    section: int
    order: int
    claim: Claim
    lines: tuple[str, ...]
    size: int


def render_brief(brief: Brief, budget: int = DEFAULT_BUDGET) -> Rendered:
    """The brief in at most `budget` tokens (of four bytes) and MOST_LINES lines, its Sources included."""
    brief = drop_repeats(brief)
    tail = _render_tail(brief, (claim for section in brief.sections for claim in section.claims))
    room = measure_room(brief, budget)
    lines = MOST_LINES - len(tail) - len(_frame(brief))
    chosen: list[_Item] = []
    items: list[_Item] = []
    for most, context in _LENGTHS:
        items = _build_items(brief, most, context)
        chosen = _choose(items, room, lines)
        # Whole messages are for a brief that has room for everything; else a long one would push out a short one.
        if len(chosen) == len(items) or (most < _LENGTHS[0][0] and not _lost_keeps(items, chosen)):
            first = 0.0
            break
    else:
        first = _KEPT_FIRST
        chosen = _choose(items, room, lines, first)
    text = _render_text(brief, chosen, items)
    fits: tuple[list[_Item], str] | None = None
    for _ in range(_TRIES):
        over = _measure_over(text, budget)
        if over <= 0 and (fits is None or len(text) > len(fits[1])):
            fits = chosen, text
        if not chosen or (over <= 0 and (len(chosen) == len(items) or -over < _SPARE)):
            break
        # What is said in place of claims (a section that failed, that more is missing) was not foreseen, nor which
        # quotations share the words that lead to them.
        room -= over
        chosen = _choose(items, room, lines, first)
        text = _render_text(brief, chosen, items)
    if _measure_over(text, budget) > 0 and fits is not None:
        chosen, text = fits
    while _measure_over(text, budget) > 0 and chosen:
        least = min(chosen, key=lambda item: (item.claim.keep, item.claim.weight))
        chosen = [item for item in chosen if item is not least]
        text = _render_text(brief, chosen, items)
    _, lost, _ = _count_rest(brief, chosen, items)
    left_bytes = sum(item.size for item in items) - sum(item.size for item in chosen)
    shown = _find_numbers(chosen)
    return Rendered(text, len(items) - len(chosen), lost, left_bytes, shown, _find_numbers(items) - shown)


def _find_numbers(items: list[_Item]) -> frozenset[tuple[str, int]]:
    return frozenset((TABLE[item.section].name, number) for item in items for number in item.claim.numbers)


def _measure_over(text: str, budget: int) -> int:
    return _size([text]) - 1 - max(budget, SMALLEST_BUDGET) * BYTES_PER_TOKEN


def _render_text(brief: Brief, chosen: list[_Item], items: list[_Item]) -> str:
    tail = _render_tail(brief, (item.claim for item in chosen))
    return "\n".join([*_render_body(brief, chosen), *_render_rest(*_count_rest(brief, chosen, items)), *tail]) + "\n"


def _count_rest(brief: Brief, chosen: list[_Item], items: list[_Item]) -> tuple[bool, int, int]:
    """Whether there is more than what fits, and how many of all corrections are quoted nowhere.

    How much more is not known: an engine does not choose what it has no room for, and some of it says the same.
    """
    more = len(chosen) < len(items) or any(section.cut for section in brief.sections)
    told = {(quote.pointer.source, quote.pointer.line) for item in chosen for quote in item.claim.quotes}
    lost = sum((pointer.source, pointer.line) not in told for pointer in brief.corrections)
    return more, lost, len(brief.corrections)


def measure_room(brief: Brief, budget: int) -> int:
    """How many bytes the claims of a brief may take: what headings and Sources leave of the budget."""
    tail = _render_tail(brief, (claim for section in brief.sections for claim in section.claims))
    return max(budget, SMALLEST_BUDGET) * BYTES_PER_TOKEN - _size(tail) - _size(_frame(brief))


def _render_tail(brief: Brief, claims: Iterable[Claim]) -> list[str]:
    return render_sources(drop_told(brief.sources, (claim.text for claim in claims)), _origins(brief))


def render_claim(claim: Claim, most: int = _LENGTHS[0][0], context: int = _LENGTHS[0][1]) -> list[str]:
    """The lines of one claim: a bullet with its pointers, its quotations below it."""
    words = _guard(_LEADING.sub("", claim.text), told=claim.origin != "rules")
    quotes = _shorten_quotes(claim, most, context)
    if claim.statement and not quotes and is_statement(words):
        return [f"_{words.replace('_', chr(92) + '_')}_"]
    parts = [FLAG] if claim.flag else []
    parts += [words] if words else []
    # Quotations without words of ours carry their own places.
    pointers = _pointers(claim) if words or not quotes else []
    parts += [f"({', '.join(f'`{pointer}`' for pointer in pointers)})"] if pointers else []
    # A statement that is none of ours is a claim like any other.
    if not quotes and not pointers and (words or not claim.statement):
        parts.append(UNSOURCED)
    if not parts and not quotes:
        return []
    if not parts:
        first = render_quote(quotes[0], "- ")
        return first + [line for quote in quotes[1:] for line in render_quote(quote, "  ")]
    return ["- " + " ".join(parts)] + [line for quote in quotes for line in render_quote(quote, "  ")]


def _shorten_quotes(claim: Claim, most: int, context: int) -> list[Quote]:
    told = any(quote.by == "human" for quote in claim.quotes)
    limits = [(quote, min(most, context) if told and quote.by == "agent" else most) for quote in claim.quotes]
    return [shorten(quote, limit) for quote, limit in limits if limit]


# The same words are rendered once for every length that is tried.
@lru_cache(maxsize=4096)
def _guard(text: str, *, told: bool = False) -> str:
    # The last door: whoever wrote the words, an instruction does not pass outside a quotation; and what a model `told`
    # says what is, not what to do.
    words = render_words(redact(text).text)
    # Behind the words that name an engine a sentence begins, as far as an order is concerned.
    return WITHHELD if words and (find_in_words(text) or (told and find_orders(_ADDED.sub(". ", text)))) else words


def _pointers(claim: Claim) -> list[str]:
    told = {quote.pointer.render() for quote in claim.quotes}
    rendered = [pointer.render() for pointer in claim.pointers if not _instructs(pointer)]
    return list(dict.fromkeys(text for text in rendered if text not in told))


def _instructs(pointer: Pointer) -> bool:
    return any(reads_like_order(name) for name in (pointer.path, pointer.symbol) if name)


def _build_items(brief: Brief, most: int, context: int) -> list[_Item]:
    items = []
    for number, section in enumerate(brief.sections):
        ranked = sorted(section.claims, key=lambda claim: (not claim.keep, -claim.weight))
        for order, claim in enumerate(ranked):
            lines = tuple(render_claim(claim, most, context))
            items.append(_Item(number, order, claim, lines, _size(lines)))
    return items


def _choose(items: list[_Item], room: int, lines: int, first: float = 0.0) -> list[_Item]:
    taken: dict[int, _Item] = {}
    spent = [0] * len(TABLE)
    headed: set[tuple[int, str]] = set()

    def take(item: _Item, limit: float) -> None:
        nonlocal room, lines
        topic = (item.section, item.claim.topic)
        # The first claim of a topic pays for its heading.
        heading = _render_topic(item.claim.topic) if topic not in headed else []
        size, need = item.size + _size(heading), len(item.lines) + len(heading)
        if id(item) in taken or size > room or size > limit or need > lines:
            return
        taken[id(item)] = item
        headed.add(topic)
        spent[item.section] += size
        room -= size
        lines -= need

    whole = room
    # The best claim of each section, then what must be kept up to a part of it all, then what each section's floor
    # holds, then the rest of what must be kept, then the rest.
    for item in items:
        if item.order == 0:
            take(item, whole)
    for item in sorted((item for item in items if item.claim.keep), key=lambda item: -item.claim.weight):
        take(item, first * whole - spent[item.section])
    for item in items:
        floor = TABLE[item.section].floor * whole
        # Where not all that must be kept fits, no floor is filled with what a model added.
        if not first or "rules" in item.claim.origin.split("+"):
            take(item, floor - spent[item.section])
    for item in sorted(items, key=lambda item: (not item.claim.keep, -item.claim.weight)):
        take(item, room)
    return [item for item in items if id(item) in taken]


def _lost_keeps(items: list[_Item], chosen: list[_Item]) -> bool:
    return sum(item.claim.keep for item in items) > sum(item.claim.keep for item in chosen)


def _frame(brief: Brief) -> list[str]:
    # Room for what stands there in any case, and for the line that tells that not all did fit.
    lines = [line for row in TABLE for line in (row.heading, "")] + [
        f"# {brief.title}",
        "",
        *_render_rest(True, 0, 0),
    ]
    lines += [NOTHING for section in brief.sections if not section.claims]
    return lines + [ALL_UNSOURCED for section in brief.sections if section.all_unsourced]


def _render_rest(more: bool, lost: int, corrections: int) -> list[str]:
    told = [MORE] if more else []
    told += (
        [f"{lost} of {corrections} corrections by the user {'is' if lost == 1 else 'are'} not quoted"] if lost else []
    )
    return [f"_{'; '.join(told)}._", ""] if told else []


def _render_body(brief: Brief, chosen: list[_Item]) -> list[str]:
    lines = [f"# {_guard(brief.title)}", ""] if brief.title else []
    for number, (row, section) in enumerate(zip(TABLE, brief.sections, strict=True)):
        lines += [row.heading, *_render_section(section, [item for item in chosen if item.section == number]), ""]
    return lines


def _render_section(section: Section, items: list[_Item]) -> list[str]:
    if section.failed and not items:
        return [PLACEHOLDER]
    if not items:
        return [f"_{NO_ROOM}_" if section.claims else NOTHING]
    lines = [ALL_UNSOURCED] if section.all_unsourced else []
    shown = {item.claim.topic for item in items}
    for topic in dict.fromkeys(["", HEADLESS, *(claim.topic for claim in section.claims)]):
        if topic not in shown:
            continue
        lines += _render_topic(topic)
        placed = sorted((item for item in items if item.claim.topic == topic), key=lambda item: item.claim.shown)
        lines += share_heads([line for item in placed for line in item.lines])
    return lines


def _render_topic(topic: str) -> list[str]:
    return [f"### {_guard(topic)}"] if topic and topic != HEADLESS else []


def _origins(brief: Brief) -> dict[str, tuple[str, ...]]:
    return {
        section.name: tuple(dict.fromkeys(name for claim in section.claims for name in claim.origin.split("+")))
        for section in brief.sections
    }


def _size(lines: "tuple[str, ...] | list[str]") -> int:
    return sum(len(line.encode("utf-8", "surrogatepass")) + 1 for line in lines)
