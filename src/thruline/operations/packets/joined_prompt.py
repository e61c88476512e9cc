"""The prompt of a merged packet: one goal, one frame, what the parts contradict each other about, the best of each.

The words go round: of every part its first correction, its first rule and so on, then the second ones. A title stands
only above items; what two parts say alike stands once.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thruline.brief.quotation.quote import render_quote
from thruline.brief.quotation.shorten import shorten
from thruline.operations.packets.contradicting import Contradiction
from thruline.operations.packets.next_prompt import (
    FRAME,
    MOST_WORDS,
    TITLES,
    count_words,
    render_ends,
    render_goal,
)

CONFLICTS = "The packets contradict each other here; ask the user which one holds:"
_MOST_CONFLICTS, _CONFLICT_LENGTH = 3, 120
# What is dearest to lose comes first; a paragraph that a person wrote counts as a correction.
_DEAREST = ("", CONFLICTS, TITLES["rejected"], TITLES["constraints"], TITLES["landed"], TITLES["plan"])
# What the merged prompt says anew of all parts; a goal or an end in a person's own words is theirs, and stays.
_OWN = re.compile(r"Left out here: .*|Open first: `.*`\.|Done when `.*` succeeds?\.", re.DOTALL)
_LABEL = re.compile(r"transcript:(?:[a-z]\d*:)?L")


@dataclass(frozen=True, slots=True)
class _Item:
    part: int
    title: str
    text: str
    at: int


def join_prompts(
    ids: Sequence[str],
    prompts: Sequence[str],
    purposes: Sequence[str],
    purpose: str,
    files: Sequence[str],
    validators: Sequence[str],
    found: Sequence[Contradiction],
) -> str:
    """One prompt for all parts, in at most MOST_WORDS words; `purposes` are theirs, `purpose` is that of all."""
    ends = render_ends(files, validators)
    starts = [render_goal(purpose), FRAME, *_render_conflicts(found)]
    # Room to name the parts of which nothing fits.
    left = MOST_WORDS - sum(map(count_words, (*starts, *ends))) - len(ids) - 12
    goals = [render_goal(each) for each in purposes]
    items = [item for part, prompt in enumerate(prompts) for item in _find_items(part, prompt, goals[part])]
    chosen = _choose(items, left)
    blocks = []
    for part, packet_id in enumerate(ids):
        own = [item for item in chosen if item.part == part]
        if own:
            blocks.append(f"From `{packet_id}`:")
            titles = dict.fromkeys(item.title for item in own)
            blocks += ["\n".join(_render_block(title, own)) for title in titles]
    bare = [f"`{packet_id}`" for part, packet_id in enumerate(ids) if all(item.part != part for item in chosen)]
    missing = f"Left out here: {', '.join(bare)}; the packet has what they say." if bare else ""
    return "\n\n".join(filter(None, [*starts, *blocks, missing, *ends]))


def _render_conflicts(found: Sequence[Contradiction]) -> list[str]:
    rows = []
    for one in found[:_MOST_CONFLICTS]:
        rows.append(f"- `{one.first}` and `{one.second}`:")
        rows += render_quote(shorten(one.one, _CONFLICT_LENGTH), "  ")
        rows += render_quote(shorten(one.other, _CONFLICT_LENGTH), "  ")
    more = len(found) - _MOST_CONFLICTS
    rows += [f"- {more} more, below Decisions of the packet"] if more > 0 else []
    return ["\n".join([CONFLICTS, *rows])] if rows else []


def _find_items(part: int, prompt: str, goal: str) -> Iterator[_Item]:
    at = 0
    for block in re.split(r"\n{2,}", prompt.strip()):
        if not block or block in (FRAME, goal) or _OWN.fullmatch(block) or block.startswith("From `"):
            continue
        title, _, rest = block.partition("\n")
        if not (title.endswith(":") and rest.startswith("- ")):
            title, rest = ("", block) if not (title.endswith(":") and not rest) else (title, "")
        for item in re.split(r"\n(?=- )", rest) if rest else ():
            yield _Item(part, title, item, at)
            at += 1


def _choose(items: Sequence[_Item], room: int) -> list[_Item]:
    """What fits, the dearest first; in the parts' own order."""
    rounds: dict[tuple[int, str], int] = {}
    ranked = []
    for item in items:
        nth = rounds[(item.part, item.title)] = rounds.get((item.part, item.title), -1) + 1
        dear = _DEAREST.index(item.title) if item.title in _DEAREST else len(_DEAREST)
        ranked.append((nth, dear, item.part, item.at, item))
    chosen: list[_Item] = []
    said: set[str] = set()
    for *_, item in sorted(ranked, key=lambda row: row[:4]):
        plain = _LABEL.sub("transcript:L", item.text)
        if plain in said:
            continue
        size = count_words(item.text)
        if all(other.part != item.part for other in chosen):
            size += 2
        if all((other.part, other.title) != (item.part, item.title) for other in chosen):
            size += count_words(item.title)
        if size <= room:
            chosen.append(item)
            said.add(plain)
            room -= size
    return sorted(chosen, key=lambda item: (item.part, item.at))


def _render_block(title: str, own: Sequence[_Item]) -> Iterator[str]:
    if title:
        yield title
    yield from (item.text for item in own if item.title == title)
