"""What a list shows of a packet: its id, status, purpose and times, from the front matter alone.

A list of a thousand packets may cost four times `--version`, so this module stands on the quick lane: no re, no
dataclasses, and the fields of a file that nobody edited are cut out of its bytes.
"""

import os

from thruline.artifacts.frontmatter import Document, parse_document
from thruline.artifacts.stamp import END, is_stamped_id
from thruline.errors import FormatError

SCHEMA = 1
STATUSES = ("draft", "active", "done", "blocked")
_REQUIRED = ("id", "created_at", "updated_at", "status", "purpose")
_MARKS = tuple([(key, b"\n" + key.encode() + b": ") for key in _REQUIRED])
# What a value must not hold to be taken as it stands: escapes, comments, quotes, and signs that mean more to YAML.
_PLAIN = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-:._/ ,()"
_QUOTED = bytes([sign for sign in range(32, 127) if sign not in b'"\\'])
_WORDS = frozenset((b"null", b"true", b"false", b"yes", b"no", b"on", b"off", b"y", b"n"))


class PacketHead:
    """The fields that every packet has. `newer`: a later thruline wrote it, and it is read, never changed."""

    __slots__ = ("created_at", "id", "newer", "path", "purpose", "status", "updated_at")

    def __init__(self, path: str, values: "dict[str, str]", *, newer: bool) -> None:
        self.path = path
        self.id = values["id"]
        self.status = values["status"]
        self.purpose = values["purpose"]
        self.created_at = values["created_at"]
        self.updated_at = values["updated_at"]
        self.newer = newer

    def to_fields(self) -> "dict[str, object]":
        """The head as JSON holds it."""
        fields: dict[str, object] = {name: getattr(self, name) for name in _REQUIRED}
        return fields | {"path": self.path, "read_only": self.newer}


def build_head(document: Document) -> PacketHead:
    """The head of a parsed file; FormatError where what every packet has is missing.

    The file's name is the packet's id: that is what every command takes, whatever a copied file still says.
    """
    path = document.path
    values: dict[str, str] = {}
    for key in _REQUIRED:
        value = document.get(key)
        if not isinstance(value, str | int) or isinstance(value, bool) or value == "":
            raise FormatError(f'The packet has no "{key}".', path=path, line=1, next="add it to the front matter")
        values[key] = str(value)
    if values["status"] not in STATUSES:
        field = document.get_field("status")
        raise FormatError(
            f'"{values["status"]:.40}" is no status of a packet.',
            path=path,
            line=field.text.line + 2 if field else 0,
            next=f"use one of {', '.join(STATUSES)}",
        )
    schema = document.get("schema")
    newer = isinstance(schema, int) and schema > SCHEMA
    return PacketHead(path, values | {"id": _name(path) or values["id"]}, newer=newer)


def scan_head(data: bytes, path: str, packet_id: str) -> PacketHead:
    """The same from the bytes of a file, or its first ones, without reading what a list does not show.

    `packet_id` is the name of the file, which was an id.
    """
    return _scan_plain(data, path, packet_id) or build_head(parse_document(data, path))


def _scan_plain(data: bytes, path: str, packet_id: str) -> "PacketHead | None":
    """The head of a file as we write it; None where a person's hand or a rare value asks for the real reader."""
    end = data.find(b"\n---\n") + 1
    if not data.startswith(b"---\nschema: 1\n") or not end:
        return None
    values: dict[str, str] = {}
    for key, mark in _MARKS:
        start = data.find(mark, 3, end) + len(mark)
        if start < len(mark) or data.find(mark, start, end) >= 0:
            return None
        value = data[start : data.index(b"\n", start)]
        if value[:1] == b'"' == value[-1:] and len(value) > 2 and not value[1:-1].translate(None, _QUOTED):
            values[key] = value[1:-1].decode()
        elif value and value[:1].isalnum() and not value.translate(None, _PLAIN) and _is_text(value):
            values[key] = value.decode()
        else:
            return None
    if values["status"] not in STATUSES:
        return None
    values["id"] = packet_id
    return PacketHead(path, values, newer=False)


def _is_text(value: bytes) -> bool:
    return value.lower() not in _WORDS and b": " not in value and value[-1:] not in b": "


def _name(path: str) -> str:
    name = os.path.basename(path).removesuffix(END)
    return name if is_stamped_id(name) else ""
