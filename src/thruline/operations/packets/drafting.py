"""A new packet on disk, whoever made it: the same fields in the same order, and what freshness will compare with."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from thruline.artifacts.packet import render_packet
from thruline.brief.section import Source
from thruline.brief.sources import render_sources
from thruline.clock import read_clock
from thruline.layout import ProjectPaths
from thruline.operations.packets.freshness import COMMIT_FIELD, STATE_FIELD, Then, build_then
from thruline.operations.packets.named import find_named
from thruline.operations.packets.store import replace_packet, write_packet
from thruline.operations.packets.suggesting import join_names
from thruline.operations.packets.untouched import find_untouched, note_made


def write_draft(
    paths: ProjectPaths,
    purpose: str,
    *,
    origin: Mapping[str, str | list[str]],
    sections: Mapping[str, str],
    suggested: Sequence[str],
    confirmed: Sequence[str] = (),
    validators: Sequence[str] = (),
    sources: Sequence[Source] = (),
    moment: datetime | None = None,
    then: Then | None = None,
    renew: bool = False,
) -> str:
    """Writes a draft and returns its id. `origin` are the fields that tell where it came from.

    `then` is what its claims are compared with, where they were made earlier than the draft is. With `renew` it takes
    the place of a draft of its session and purpose that nobody touched; one that would say the same stays as it is.
    """
    moment = moment or read_clock()
    if then is None:
        named = find_named(paths, sections, [source.project for source in sources])
        then = build_then(paths, join_names(confirmed, suggested, named))
    fields: dict[str, str | int | list[str] | None] = {
        **origin,
        "relevant_files_confirmed": list(confirmed),
        "relevant_files_suggested": list(suggested),
        STATE_FIELD: list(then.state),
        COMMIT_FIELD: then.commit,
        "validators": list(validators),
        "loop_promise": None,
        "loop_max_iterations": 0,
    }
    told = "\n".join(render_sources(sources, {}))

    made = b""

    def render(packet_id: str, at: datetime = moment) -> bytes:
        nonlocal made
        made = render_packet(packet_id, at, purpose, fields=fields, sections=sections, sources=told)
        return made

    old = find_untouched(paths, str(origin.get("session_id", "")), purpose) if renew else None
    if old is not None and replace_packet(
        paths, old.id, old.digest, lambda there: there if render(old.id, old.made) == there else render(old.id)
    ):
        packet_id = old.id
    else:
        packet_id = write_packet(paths, purpose, render, moment)
    if renew:
        note_made(paths, packet_id, made)
    return packet_id
