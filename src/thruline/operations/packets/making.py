"""`handoff <purpose>`: a packet filled from what the rules found in a session.

Every word that is not ours stands in a quotation, as in a brief, so `thruline verify` proves a packet as well.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from thruline.brief.claims.names import is_tellable, reads_like_order
from thruline.brief.section import Claim
from thruline.clock import read_clock
from thruline.engines.rules import Rules
from thruline.engines.rules.files import find_touched
from thruline.harnesses.transcripts import read_folder
from thruline.layout import ProjectPaths
from thruline.operations.handoff.brief import read_facts, read_git
from thruline.operations.handoff.cache import note_place
from thruline.operations.packets.drafting import write_draft
from thruline.operations.packets.sorting import sort_claims
from thruline.operations.packets.suggesting import suggest_files
from thruline.operations.packets.texts import render_texts
from thruline.operations.packets.validators import find_validators
from thruline.operations.sessions.describe import describe_sources
from thruline.operations.sessions.locate import Located
from thruline.redact import redact

# A packet is read by people too: about as much as a brief.
_ROOM = 10_000


@dataclass(frozen=True, slots=True)
class MadePacket:
    """A packet that was written, and where."""

    id: str
    path: str
    purpose: str
    session: str
    suggested: tuple[str, ...]
    validators: tuple[str, ...]


def make_packet(located: Located, paths: ProjectPaths, purpose: str, *, renew: bool = False) -> MadePacket:
    """Writes the packet of a session for a purpose, a draft; with `renew` in the place of one that nobody touched."""
    git = read_git(read_folder(located.harness, located.files[0]))
    facts, _, _ = read_facts(located, git)
    sections = Rules(facts).build(_ROOM)
    files = suggest_files(paths, find_touched(facts.ledger, facts.summary.cwd), facts.summary.cwd, read_clock())
    files = [each for each in files if _is_suggestable(each.path, paths)]
    names = tuple(each.path for each in files)
    validators = find_validators(facts)
    sorted_out = sort_claims({section.name: section.claims for section in sections}, facts)
    purpose = redact(" ".join(purpose.split())).text
    session = facts.summary.session_id or located.session_id
    texts = render_texts(sorted_out, purpose, files, validators)
    labels = sorted(_find_labels(sorted_out.claims))
    sources = describe_sources(
        located, session=session, leaf=facts.summary.last_uuid, labels=labels, project=facts.summary.cwd
    )

    origin: dict[str, str | list[str]] = {
        "source": located.harness.name,
        "session_id": session,
        "transcript_path": located.shown(located.files[0]),
    }
    # What cannot stand there as it is stands in the Sources, from which it is read back.
    origin = {key: value for key, value in origin.items() if is_tellable(str(value))}
    if facts.material.continued[0]:
        origin["continues"] = facts.material.continued[0]
    packet_id = write_draft(
        paths,
        purpose,
        origin=origin,
        sections=texts,
        suggested=names,
        validators=validators,
        sources=sources,
        renew=renew,
    )
    path = f"{paths.packets}/{packet_id}.md"
    if paths.marked:
        note_place(session, path)
    return MadePacket(packet_id, path, purpose, session, names, validators)


def _is_suggestable(name: str, paths: ProjectPaths) -> bool:
    """Whether a file may be suggested: in front matter its name stands as it is.

    One that reads as a sentence may if it is really there; a session can name whatever it likes.
    """
    there = os.path.lexists(os.path.join(paths.root, name)) and not reads_like_order(name)
    return is_tellable(name) or there


def _find_labels(claims: Sequence[Claim]) -> set[str]:
    pointers = [pointer for claim in claims for pointer in claim.pointers]
    pointers += [quote.pointer for claim in claims for quote in claim.quotes]
    return {pointer.source for pointer in pointers} - {""}
