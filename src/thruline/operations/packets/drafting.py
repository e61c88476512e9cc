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
from thruline.operations.packets.store import write_packet
from thruline.operations.packets.suggesting import join_names


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
) -> str:
    """Writes a draft and returns its id. `origin` are the fields that tell where it came from.

    `then` is what its claims are compared with, where they were made earlier than the draft is.
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

    def render(packet_id: str) -> bytes:
        return render_packet(packet_id, moment, purpose, fields=fields, sections=sections, sources=told)

    return write_packet(paths, purpose, render, moment)
