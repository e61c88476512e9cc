"""`pickup`: the prompt that continues a packet, with what changed since. The packet itself is not touched."""

from dataclasses import dataclass

from thruline.artifacts.packet import CONFIRMED, NEXT_PROMPT, SUGGESTED, Packet
from thruline.brief.inert import render_words
from thruline.brief.names import render_path
from thruline.layout import ProjectPaths
from thruline.operations.packets.freshness import Freshness, check_freshness
from thruline.operations.packets.store import find_current, find_packet

_MOST = 12


@dataclass(frozen=True, slots=True)
class Pickup:
    """A prompt ready to paste, and what it rests on."""

    packet: Packet
    freshness: Freshness
    prompt: str


def pick_up(paths: ProjectPaths, ref: str = "") -> Pickup:
    """The prompt of a packet; without `ref` of the newest active one, else the newest draft."""
    packet = find_packet(paths, ref) if ref else find_current(paths)
    freshness = check_freshness(paths, packet)
    return Pickup(packet, freshness, render_prompt(packet, freshness))


def render_prompt(packet: Packet, freshness: Freshness) -> str:
    """What the next session is told: the draft, the packet's place, and what no longer holds."""
    draft = (packet.document.read_section(NEXT_PROMPT, 2) or "").strip() or f"Goal: {render_words(packet.purpose)}"
    blocks = [f"Continue the packet `{packet.id}` ({packet.status}), in `{packet.document.path}`.", draft]
    files = _render_files(packet)
    if files:
        blocks.append(files)
    changes = render_freshness(freshness)
    if changes:
        blocks.append("Since the packet was written:\n" + changes)
    return "\n\n".join(blocks) + "\n"


def render_freshness(freshness: Freshness) -> str:
    """The changes as bullets; nothing where there are none."""
    rows = [f"- changed: {render_path(name)}" for name in freshness.changed[:_MOST]]
    rows += [f"- gone: {render_path(name)}" for name in freshness.gone[:_MOST]]
    rows += [f"- landed: `{digest}`" for digest, _ in freshness.commits[:_MOST]]
    rows += [
        f"- stale, line {one.line} of the packet: it names {', '.join(render_path(name) for name in one.files)}"
        for one in freshness.stale[:_MOST]
    ]
    rows += [f"- not proved, {render_words(one)}" for one in freshness.unproved[:_MOST]]
    return "\n".join(rows)


def _render_files(packet: Packet) -> str:
    rows = []
    for title, names in ((CONFIRMED, packet.confirmed), (SUGGESTED, packet.suggested)):
        if names:
            rows.append(f"{title} files: " + ", ".join(render_path(name) for name in names[:_MOST]))
    return "\n".join(rows)
