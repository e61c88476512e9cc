"""Pointers of several packets in one: each transcript gets a label, so that every quotation can be opened."""

from collections.abc import Sequence
from dataclasses import replace

from thruline.artifacts.packet import Packet
from thruline.brief.document import parse_document
from thruline.brief.pointer import Pointer
from thruline.brief.section import Source

# The labels a, b and p are those of a session's own files.
_LETTERS = "mnoqrstuvwxyz"
MOST_PACKETS = len(_LETTERS) + 1


def relabel(packets: Sequence[Packet]) -> tuple[list[str], tuple[Source, ...]]:
    """The packets' texts with pointers that tell their transcripts apart, and all those transcripts.

    The first packet keeps its pointers; a transcript that two packets share has one label.
    """
    known: dict[str, Source] = {}
    texts = []
    for number, packet in enumerate(packets):
        document = parse_document(packet.document.render().decode("utf-8", "replace"))
        labels: dict[str, str] = {}
        for at, source in enumerate(document.sources):
            if source.path not in known:
                label = source.label if number == 0 else f"{_LETTERS[number - 1]}{at}"
                known[source.path] = replace(source, label=label)
            labels[source.label] = known[source.path].label
        lines = list(document.lines)
        for placed in document.quotes:
            lines[placed.first] = _move(lines[placed.first], placed.quote.pointer, labels)
        for inline in document.pointers:
            lines[inline.line] = _move(lines[inline.line], inline.pointer, labels)
        texts.append("\n".join(lines))
    return texts, tuple(known.values())


def _move(line: str, pointer: Pointer, labels: dict[str, str]) -> str:
    label = labels.get(pointer.source, pointer.source)
    if pointer.kind != "transcript" or label == pointer.source:
        return line
    return line.replace(pointer.render(), replace(pointer, source=label).render(), 1)
