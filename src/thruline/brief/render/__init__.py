"""The five sections as markdown, within a budget.

Every section keeps its floor of the budget; what is left over goes to the claims that must be kept, then to the rest
by weight. Long quotations are shortened before anything is left out, so a small brief is a brief, not a torn one.
"""

from collections.abc import Iterable

from thruline.brief.budget import DEFAULT_BUDGET as DEFAULT_BUDGET
from thruline.brief.budget import SMALLEST_BUDGET as SMALLEST_BUDGET
from thruline.brief.dedupe import drop_repeats
from thruline.brief.quotation.heads import share_heads
from thruline.brief.render.choose import Item, build_items, choose_items, loses_keeps, measure, rank_left, render_topic
from thruline.brief.render.claim import LENGTHS, guard
from thruline.brief.render.withheld import join_withheld
from thruline.brief.section import MOST_LINES, PLACEHOLDER, TABLE, Brief, Claim, Section
from thruline.brief.sources import drop_told, render_sources
from thruline.brief.wording import ALL_UNSOURCED, HEADLESS, MORE, NO_ROOM, NOTHING
from thruline.spine.budget import BYTES_PER_TOKEN
from thruline.value import dataclass, replace

# How often the room is tried anew, and how many bytes may stay unused where not all fits.
_TRIES, _SPARE = 4, 40
# So much of the room goes to what must be kept before any section gets its floor, where not all of it fits else.
_KEPT_FIRST = 0.45


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


def render_brief(brief: Brief, budget: int = DEFAULT_BUDGET) -> Rendered:
    """The brief in at most `budget` tokens (of four bytes) and MOST_LINES lines, its Sources included."""
    brief = drop_repeats(brief)
    brief = replace(brief, sections=join_withheld(brief.sections))
    tail = _render_tail(brief, (claim for section in brief.sections for claim in section.claims))
    room = measure_room(brief, budget)
    lines = MOST_LINES - len(tail) - len(_frame(brief))
    chosen: list[Item] = []
    items: list[Item] = []
    for most, context in LENGTHS:
        items = build_items(brief, most, context)
        chosen = choose_items(items, room, lines)
        # Whole messages are for a brief that has room for everything; else a long one would push out a short one.
        if len(chosen) == len(items) or (most < LENGTHS[0][0] and not loses_keeps(items, chosen)):
            first = 0.0
            break
    else:
        first = _KEPT_FIRST
        chosen = choose_items(items, room, lines, first)
    text = _render_text(brief, chosen, items)
    fits: tuple[list[Item], str] | None = None
    for _ in range(_TRIES):
        over = _measure_over(text, budget)
        if over <= 0 and (fits is None or len(text) > len(fits[1])):
            fits = chosen, text
        if not chosen or (over <= 0 and (len(chosen) == len(items) or -over < _SPARE)):
            break
        # What is said in place of claims (a section that failed, that more is missing) was not foreseen, nor which
        # quotations share the words that lead to them.
        room -= over
        chosen = choose_items(items, room, lines, first)
        text = _render_text(brief, chosen, items)
    if _measure_over(text, budget) > 0 and fits is not None:
        chosen, text = fits
    while _measure_over(text, budget) > 0 and chosen:
        least = min(chosen, key=rank_left)
        chosen = [item for item in chosen if item is not least]
        text = _render_text(brief, chosen, items)
    _, lost, _ = _count_rest(brief, chosen, items)
    left_bytes = sum(item.size for item in items) - sum(item.size for item in chosen)
    shown = _find_numbers(chosen)
    return Rendered(text, len(items) - len(chosen), lost, left_bytes, shown, _find_numbers(items) - shown)


def _find_numbers(items: list[Item]) -> frozenset[tuple[str, int]]:
    return frozenset((TABLE[item.section].name, number) for item in items for number in item.claim.numbers)


def _measure_over(text: str, budget: int) -> int:
    return measure([text]) - 1 - max(budget, SMALLEST_BUDGET) * BYTES_PER_TOKEN


def _render_text(brief: Brief, chosen: list[Item], items: list[Item]) -> str:
    tail = _render_tail(brief, (item.claim for item in chosen))
    return "\n".join([*_render_body(brief, chosen), *_render_rest(*_count_rest(brief, chosen, items)), *tail]) + "\n"


def _count_rest(brief: Brief, chosen: list[Item], items: list[Item]) -> tuple[bool, int, int]:
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
    return max(budget, SMALLEST_BUDGET) * BYTES_PER_TOKEN - measure(tail) - measure(_frame(brief))


def _render_tail(brief: Brief, claims: Iterable[Claim]) -> list[str]:
    return render_sources(drop_told(brief.sources, (claim.text for claim in claims)), _origins(brief))


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


def _render_body(brief: Brief, chosen: list[Item]) -> list[str]:
    lines = [f"# {guard(brief.title)}", ""] if brief.title else []
    for number, (row, section) in enumerate(zip(TABLE, brief.sections, strict=True)):
        lines += [row.heading, *_render_section(section, [item for item in chosen if item.section == number]), ""]
    return lines


def _render_section(section: Section, items: list[Item]) -> list[str]:
    if section.failed and not items:
        return [PLACEHOLDER]
    if not items:
        return [f"_{NO_ROOM}_" if section.claims else NOTHING]
    lines = [ALL_UNSOURCED] if section.all_unsourced else []
    shown = {item.claim.topic for item in items}
    for topic in dict.fromkeys(["", HEADLESS, *(claim.topic for claim in section.claims)]):
        if topic not in shown:
            continue
        lines += render_topic(topic)
        placed = sorted((item for item in items if item.claim.topic == topic), key=lambda item: item.claim.shown)
        lines += share_heads([line for item in placed for line in item.lines])
    return lines


def _rank(engine: str) -> tuple[bool, str]:
    return engine != "rules", engine


def _origins(brief: Brief) -> dict[str, tuple[str, ...]]:
    return {
        section.name: tuple(sorted({name for claim in section.claims for name in claim.origin.split("+")}, key=_rank))
        for section in brief.sections
    }
