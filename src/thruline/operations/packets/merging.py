"""`packet merge`: packets of parallel sessions joined into a new one; the old ones stay as they are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thruline.artifacts import packet as artifact
from thruline.artifacts.frontmatter import parse_document
from thruline.brief.attempts.inert import render_words
from thruline.brief.claims.names import render_path
from thruline.brief.quotation.quote import render_quote
from thruline.errors import UsageError
from thruline.layout import ProjectPaths
from thruline.operations.packets.contradicting import Contradiction, find_contradictions
from thruline.operations.packets.drafting import write_draft
from thruline.operations.packets.freshness import join_states
from thruline.operations.packets.joined_prompt import join_prompts
from thruline.operations.packets.labels import MOST_PACKETS, relabel
from thruline.operations.packets.store import find_packet
from thruline.operations.packets.suggesting import join_names
from thruline.operations.packets.texts import NOTHING
from thruline.redact import redact

_CONFLICTS = "### Contradictions"
_FILES = {artifact.CONFIRMED: "confirmed", artifact.SUGGESTED: "suggested"}


@dataclass(frozen=True, slots=True)
class Merged:
    """A packet made of others, and what they disagree about."""

    id: str
    path: str
    purpose: str
    merged: tuple[str, ...]
    contradictions: tuple[Contradiction, ...]


def merge_packets(paths: ProjectPaths, refs: Sequence[str], purpose: str = "") -> Merged:
    """Writes a draft that holds everything the packets hold, whose it was, and their contradictions quoted."""
    packets = list({packet.id: packet for packet in (find_packet(paths, ref) for ref in refs)}.values())
    if not 2 <= len(packets) <= MOST_PACKETS:
        raise UsageError(
            f"{len(packets)} packets cannot be merged.", where="thruline packet merge", next=f"name 2 to {MOST_PACKETS}"
        )
    ids = tuple(packet.id for packet in packets)
    purpose = redact(" ".join(purpose.split())).text or "; ".join(dict.fromkeys(one.purpose for one in packets))
    texts, sources = relabel(packets)
    found = find_contradictions(ids, texts)
    files = {name: join_names(*(getattr(packet, name) for packet in packets)) for name in _FILES.values()}
    validators = join_names(*(packet.validators for packet in packets))
    purposes = [packet.purpose for packet in packets]
    sections = _join(ids, texts, purposes, purpose, files, validators, found)

    packet_id = write_draft(
        paths,
        purpose,
        origin={"source": "merge", "merged_from": list(ids)},
        sections=sections,
        suggested=files["suggested"],
        confirmed=files["confirmed"],
        validators=validators,
        sources=sources,
        then=join_states(paths.root, packets),
    )
    return Merged(packet_id, f"{paths.packets}/{packet_id}.md", purpose, ids, tuple(found))


def _join(
    ids: Sequence[str],
    texts: Sequence[str],
    purposes: Sequence[str],
    purpose: str,
    files: dict[str, tuple[str, ...]],
    validators: Sequence[str],
    found: Sequence[Contradiction],
) -> dict[str, str]:
    documents = [parse_document(text.encode("utf-8", "replace")) for text in texts]
    sections = {artifact.INTENT: render_words(purpose)}
    for title in artifact.HEADINGS[1:]:
        parts = []
        for packet_id, document in zip(ids, documents, strict=True):
            text = (document.read_section(title, 2) or "").strip()
            if text and text != NOTHING:
                parts.append(f"_From `{packet_id}`:_\n\n{text}")
        sections[title] = "\n\n".join(parts)
    prompts = [document.read_section(artifact.NEXT_PROMPT, 2) or "" for document in documents]
    first = join_names(files["confirmed"], files["suggested"])
    sections[artifact.NEXT_PROMPT] = join_prompts(ids, prompts, purposes, purpose, first, validators, found)
    sections[artifact.FILES] = "\n".join(_render_files(files))
    if found:
        told = "\n".join([_CONFLICTS, *(line for one in found for line in _render_conflict(one))])
        sections[artifact.DECISIONS] = f"{told}\n\n{sections[artifact.DECISIONS]}"
    return sections


def _render_files(files: dict[str, tuple[str, ...]]) -> Iterator[str]:
    for title, name in _FILES.items():
        yield f"### {title}"
        yield from (f"- {render_path(file)}" for file in files[name])
        yield ""


def _render_conflict(one: Contradiction) -> Iterator[str]:
    yield f"- \u2691 verify: `{one.first}` and `{one.second}` do not agree:"
    yield from render_quote(one.one, "  ")
    yield from render_quote(one.other, "  ")
