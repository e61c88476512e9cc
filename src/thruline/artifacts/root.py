"""`root.json`: the marker that makes a folder a project of thruline. Described in docs/formats/root.md."""

import json
import uuid
from dataclasses import dataclass
from typing import Any

from thruline.disk.atomic import read_bytes
from thruline.errors import FormatError

SCHEMA = 1
_LARGEST = 64 * 1024
_ID_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")


@dataclass(frozen=True, slots=True)
class Marker:
    """What a marker says. `schema` may be newer than ours: then the project is for reading only."""

    schema: int
    project_id: str
    created_at: str
    name: str

    @property
    def newer(self) -> bool:
        return self.schema > SCHEMA


def build_marker(name: str, created_at: str) -> Marker:
    """A marker with an id that no other project has."""
    return Marker(SCHEMA, str(uuid.uuid4()), created_at, name)


def render_marker(marker: Marker) -> bytes:
    """The bytes of a new `root.json`."""
    fields = {
        "schema": marker.schema,
        "project_id": marker.project_id,
        "created_at": marker.created_at,
        "name": marker.name,
    }
    # Escaped to ASCII: a folder's name may hold bytes that are no text.
    return (json.dumps(fields, indent=2) + "\n").encode("ascii")


def read_marker(path: str) -> Marker:
    """The marker at `path`; FormatError with its place if it is not one."""
    return parse_marker(read_bytes(path), path)


def parse_marker(raw: bytes, path: str) -> Marker:
    """The marker that `raw` holds; `path` is for the message. Unknown fields are somebody else's and stay."""
    if len(raw) > _LARGEST:
        raise _build_error("root.json is far too large to be a marker.", path)
    try:
        fields = json.loads(raw.decode("utf-8"))
    except json.JSONDecodeError as error:
        raise _build_error(f"root.json is not JSON: {error.msg}.", path, error.lineno, error.colno) from None
    except (UnicodeDecodeError, RecursionError):
        raise _build_error("root.json is not JSON.", path) from None
    if not isinstance(fields, dict):
        raise _build_error("root.json does not hold an object.", path)
    schema = fields.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        raise _build_error('root.json has no "schema" number.', path)
    marker = Marker(schema, _text(fields, "project_id"), _text(fields, "created_at"), _text(fields, "name"))
    # A newer schema may have other fields; what it says of itself is not ours to judge.
    if not marker.newer and not _is_id(marker.project_id):
        raise _build_error('root.json has no usable "project_id".', path)
    return marker


def _text(fields: dict[str, Any], key: str) -> str:
    value = fields.get(key, "")
    return value if isinstance(value, str) else ""


def _is_id(text: str) -> bool:
    return 0 < len(text) <= 128 and _ID_SIGNS.issuperset(text)


def _build_error(what: str, path: str, line: int = 0, column: int = 0) -> FormatError:
    return FormatError(
        what,
        path=path,
        line=line,
        column=column,
        next="restore it from git, or move it away and run thruline context init",
    )
