"""A packet: context with a purpose, made in one session and picked up in another. Format: docs/formats/packet.md.

People edit packets by hand, so a change touches its own lines and nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from thruline.artifacts.frontmatter import Document, parse_document
from thruline.artifacts.packet_head import SCHEMA, build_head
from thruline.clock import render_time
from thruline.errors import Refused

# What may follow what; a packet that is done can be taken up again, one that never was active cannot be done.
TRANSITIONS = {
    "draft": ("active", "blocked"),
    "active": ("done", "blocked"),
    "blocked": ("active",),
    "done": ("active",),
}
INTENT, CONTEXT, CONSTRAINTS, DECISIONS = "Intent", "Context", "Constraints", "Decisions"
FILES, CONFIRMED, SUGGESTED = "Relevant Files", "Confirmed", "Suggested"
NEXT_PROMPT, PLAN, VALIDATORS = "Next Prompt (Draft)", "Plan", "Validators / Exit Criteria"
QUESTIONS, NOTES, SOURCES = "Open Questions", "Notes", "Sources"
HEADINGS = (INTENT, CONTEXT, CONSTRAINTS, DECISIONS, FILES, NEXT_PROMPT, PLAN, VALIDATORS, QUESTIONS, NOTES)
LONGEST_SLUG = 48


@dataclass(frozen=True, slots=True)
class Packet:
    """One packet as it stands in its file. `problems` are what is odd about it; it is read all the same."""

    id: str
    status: str
    purpose: str
    created_at: str
    updated_at: str
    source: str
    session_id: str
    transcript_path: str
    confirmed: tuple[str, ...]
    suggested: tuple[str, ...]
    validators: tuple[str, ...]
    document: Document
    problems: tuple[str, ...]
    newer: bool = False


def parse_packet(data: bytes, path: str) -> Packet:
    """The packet in a file; FormatError where what every packet has is missing."""
    document = parse_document(data, path)
    head = build_head(document)
    return Packet(
        id=head.id,
        status=head.status,
        purpose=head.purpose,
        created_at=head.created_at,
        updated_at=head.updated_at,
        source=_text(document, "source"),
        session_id=_text(document, "session_id"),
        transcript_path=_text(document, "transcript_path"),
        confirmed=_list(document, "relevant_files_confirmed"),
        suggested=_list(document, "relevant_files_suggested"),
        validators=_list(document, "validators"),
        document=document,
        problems=tuple(check_packet(document, head.id)),
        newer=head.newer,
    )


def render_packet(
    packet_id: str,
    moment: datetime,
    purpose: str,
    *,
    fields: Mapping[str, str | int | list[str] | None] | None = None,
    sections: Mapping[str, str] | None = None,
    sources: str = "",
) -> bytes:
    """A new packet, a draft; a section without text is there with nothing below it."""
    now = render_time(moment)
    document = parse_document(b"", packet_id + ".md")
    head: dict[str, str | int | list[str] | None] = {"schema": SCHEMA, "id": packet_id, "created_at": now}
    head |= {"updated_at": now, "status": "draft", "purpose": " ".join(purpose.split()), **(fields or {})}
    for key, value in head.items():
        document = document.set(key, value)
    body = []
    for title in HEADINGS:
        text = (sections or {}).get(title, "").strip("\n")
        body.append(f"## {title}\n" + (f"{text}\n" if text else ""))
    if sources:
        body.append(sources.strip("\n") + "\n")
    made = document.render() + b"\n" + "\n".join(body).encode("utf-8", "replace")
    found = [section.title for section in parse_document(made, packet_id).sections if section.level == 2]
    assert found == [*HEADINGS, *([SOURCES] if sources else [])], "a text changed the headings"
    return made


def change_status(packet: Packet, status: str, moment: datetime) -> bytes:
    """The file with another status and time: two lines change. Refused where the one may not follow the other."""
    check_writable(packet)
    if status not in TRANSITIONS[packet.status]:
        allowed = TRANSITIONS[packet.status]
        raise Refused(
            f'A packet that is "{packet.status}" cannot become "{status}".',
            where=packet.document.path,
            next=f"from here it can become {' or '.join(allowed)}",
        )
    return packet.document.set("status", status).set("updated_at", render_time(moment)).render()


def check_writable(packet: Packet) -> None:
    """Refused for a packet that a newer thruline wrote."""
    if packet.newer:
        raise Refused(
            "A newer thruline wrote this packet; it is read, but not changed.",
            where=packet.document.path,
            next="upgrade thruline",
        )


def check_packet(document: Document, packet_id: str) -> list[str]:
    """What is odd about a packet: its headings, its front matter, an id that is not its file's name."""
    titles = [section.title for section in document.sections if section.level == 2]
    ours = [title for title in titles if title in HEADINGS]
    problems = [f'no heading "{title}"' for title in HEADINGS if title not in titles]
    if ours != [title for title in HEADINGS if title in ours]:
        problems.append("its headings are not in the usual order")
    if str(document.get("id")) != packet_id:
        problems.append("its id is not its file's name; the file's name counts")
    return problems + [f"front matter, line {problem.line}: {problem.what}" for problem in document.problems]


def _text(document: Document, key: str) -> str:
    value = document.get(key)
    return value if isinstance(value, str) else ""


def _list(document: Document, key: str) -> tuple[str, ...]:
    value = document.get(key)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
