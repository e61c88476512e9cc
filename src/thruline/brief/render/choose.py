"""Which claims a brief has room for: each section's best, what must be kept, the sections' floors, then the rest."""

from thruline.brief.render.claim import guard, render_claim
from thruline.brief.section import TABLE, Brief, Claim
from thruline.brief.wording import HEADLESS
from thruline.value import dataclass


@dataclass(frozen=True, slots=True)
class Item:
    """A claim as it would stand in its section, and where it ranks there."""

    section: int
    order: int
    claim: Claim
    lines: tuple[str, ...]
    size: int


def build_items(brief: Brief, most: int, context: int) -> list[Item]:
    """Every claim, its quotations no longer than `most` bytes and their context no longer than `context`."""
    items = []
    for number, section in enumerate(brief.sections):
        ranked = sorted(section.claims, key=lambda claim: (not claim.keep, -claim.weight))
        missing = set(TABLE[number].lists)
        for order, claim in enumerate(ranked):
            lines = tuple(render_claim(claim, most, context))
            best = order == 0 or claim.topic in missing
            missing.discard(claim.topic)
            items.append(Item(number, 0 if best else order, claim, lines, measure(lines)))
    return items


def choose_items(items: list[Item], room: int, lines: int, first: float = 0.0) -> list[Item]:
    """Those there is room for, in bytes and lines; a part of it goes `first` to what must be kept, if not all fits."""
    taken: dict[int, Item] = {}
    spent = [0] * len(TABLE)
    headed: set[tuple[int, str]] = set()

    def take(item: Item, limit: float) -> None:
        nonlocal room, lines
        topic = (item.section, item.claim.topic)
        # The first claim of a topic pays for its heading.
        heading = render_topic(item.claim.topic) if topic not in headed else []
        size, need = item.size + measure(heading), len(item.lines) + len(heading)
        if id(item) in taken or size > room or size > limit or need > lines:
            return
        taken[id(item)] = item
        headed.add(topic)
        spent[item.section] += size
        room -= size
        lines -= need

    whole = room
    # The best claim of each section and of each list that it must have, then what must be kept up to a part of it all,
    # then what each section's floor holds, then the rest of what must be kept, then the rest.
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


def rank_left(item: Item) -> tuple[bool, bool, bool, float]:
    """How late an item is left out where even what was chosen is too much: the lists of a section last."""
    best = item.order == 0
    listed = best and item.claim.topic in TABLE[item.section].lists
    return listed, best, item.claim.keep, item.claim.weight


def loses_keeps(items: list[Item], chosen: list[Item]) -> bool:
    """Whether something that must be kept was not chosen."""
    return sum(item.claim.keep for item in items) > sum(item.claim.keep for item in chosen)


def render_topic(topic: str) -> list[str]:
    """The heading of a topic; none for what stands at the beginning of its section."""
    return [f"### {guard(topic)}"] if topic and topic != HEADLESS else []


def measure(lines: "tuple[str, ...] | list[str]") -> int:
    """The bytes that lines take."""
    return sum(len(line.encode("utf-8", "surrogatepass")) + 1 for line in lines)
