"""What can be done to a packet: shown, moved on, edited section by section, dropped."""

from dataclasses import dataclass

from thruline.artifacts.packet import HEADINGS, Packet, change_status, check_writable
from thruline.clock import read_clock, render_time
from thruline.errors import UsageError
from thruline.layout import ProjectPaths
from thruline.operations.packets.freshness import STATE_FIELD, extend_state, find_roots
from thruline.operations.packets.named import find_named
from thruline.operations.packets.store import change_packet, drop_packet, find_packet
from thruline.redact import redact


@dataclass(frozen=True, slots=True)
class Changed:
    """A packet after a change."""

    id: str
    path: str
    status: str
    what: str


def move_packet(paths: ProjectPaths, ref: str, status: str) -> Changed:
    """Gives a packet another status, where that may follow."""
    packet = find_packet(paths, ref)
    made = change_packet(paths, packet.id, lambda now: change_status(now, status, read_clock()))
    return Changed(made.id, made.document.path, made.status, f"was {packet.status}, is {made.status}")


def edit_packet(paths: ProjectPaths, ref: str, section: str, text: str) -> Changed:
    """Puts another text below one heading; one that would change other headings is refused, and so is a secret."""
    title = next((one for one in HEADINGS if one.lower().startswith(section.strip().lower())), "")
    if not title or not section.strip():
        raise UsageError(f'There is no section "{section}".', where="--section", next=", ".join(HEADINGS))
    packet = find_packet(paths, ref)
    clean = redact(text).text

    def edit(now: Packet) -> bytes:
        check_writable(now)
        document = now.document
        if document.get_section(title, 2) is None:
            document = document.add_section(title, clean, HEADINGS, 2)
        else:
            document = document.replace_section(title, clean, 2)
        # What the new text says of a file can get old as well.
        named = find_named(paths, {title: clean}, find_roots(paths, now))
        rows = extend_state(paths, now, named)
        document = document.set(STATE_FIELD, rows) if rows else document
        return document.set("updated_at", render_time(read_clock())).render()

    made = change_packet(paths, packet.id, edit)
    return Changed(made.id, made.document.path, made.status, f'wrote "{title}"')


def remove_packet(paths: ProjectPaths, ref: str) -> Changed:
    """Drops a packet: it is moved aside, not deleted."""
    packet = find_packet(paths, ref)
    check_writable(packet)
    aside = drop_packet(paths, packet.id)
    return Changed(packet.id, aside, packet.status, "dropped")
