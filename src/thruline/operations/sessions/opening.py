"""One place of a transcript: the record as it stands there, pretty, between its neighbours."""

import json
import re
from dataclasses import dataclass
from typing import Any

from thruline.disk.faults import build_disk_error
from thruline.errors import NotFound
from thruline.harnesses.jsonl import decode_records
from thruline.harnesses.lines import Lines
from thruline.harnesses.transcripts import open_reader
from thruline.operations.sessions.locate import Located
from thruline.session.pointer import parse_place
from thruline.spine.build import build_spine
from thruline.spine.entry import render_entry

_LONGEST = 20_000
_HUGE = 1 << 20
_BREAK = re.compile(r"(?<!\\)((?:\\\\)*)\\n")
# A range is for reading around a place, not for printing a transcript.
_MOST_RECORDS = 200


@dataclass(frozen=True, slots=True)
class Opened:
    """The records of one place, between its neighbours' spine entries. `raw` is what stands in the file, as text.

    It is empty where it was not asked for and there are records: a line may be a hundred megabytes long.
    """

    file: str
    first: int
    last: int
    records: tuple[object, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    raw: str


def open_place(located: Located, place: str, *, around: int = 2, raw: bool = False) -> Opened:
    """The record (or the records of a range) at `place`, such as `L120` or `a1:L7`."""
    source, first, last = parse_place(place)
    last = min(last, first + _MOST_RECORDS - 1)
    path = _find_source(located, source)
    try:
        before, after = _neighbours(located, path, source, first, last, around)
        lines = _read_range(path, first, last)
    except OSError as error:
        raise build_disk_error(error, "read", located.shown(path)) from None
    if not lines:
        raise _build_behind(located, place, path)
    records = tuple(record for line, data in lines for record in _decode(data, path, line))
    text = b"".join(data for _, data in lines).decode("utf-8", "replace") if raw or not records else ""
    return Opened(located.shown(path), first, lines[-1][0], records, before, after, text)


def read_place(located: Located, place: str) -> list[bytes]:
    """The lines at `place` as they stand in the file, byte by byte."""
    source, first, last = parse_place(place)
    path = _find_source(located, source)
    try:
        lines = _read_range(path, first, min(last, first + _MOST_RECORDS - 1))
    except OSError as error:
        raise build_disk_error(error, "read", located.shown(path)) from None
    if not lines:
        raise _build_behind(located, place, path)
    return [data for _, data in lines]


def _build_behind(located: Located, place: str, path: str) -> NotFound:
    return NotFound(
        f"{place} is behind the end of the transcript.",
        where=located.shown(path),
        next="thruline sessions spine shows labels",
    )


def _decode(data: bytes, path: str, line: int) -> list[dict[str, Any]]:
    if len(data) > _HUGE:
        from thruline.harnesses.typed import decode_any  # here: a line of megabytes is rare

        try:
            record = decode_any(data)
        except (ValueError, RecursionError):
            record = None
        if isinstance(record, dict):
            return [record]  # without a text of the line beside it
    return decode_records(data, path, line, [])


def _find_source(located: Located, source: str) -> str:
    sources = located.sources()
    if source not in sources:
        known = ", ".join(label for label in sources if label) or "none but the transcript itself"
        raise NotFound(f'This session has no file "{source}".', where=f"labels: {known}", next="thruline sessions show")
    return sources[source]


def _read_range(path: str, first: int, last: int) -> list[tuple[int, bytes]]:
    found = []
    for line, data in Lines(path):
        if line > last:
            break
        if line >= first:
            found.append((line, data))
    return found


def _neighbours(
    located: Located, path: str, source: str, first: int, last: int, count: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if not count:
        return (), ()
    before: list[str] = []
    after: list[str] = []
    for entry in build_spine(open_reader(located.harness, path, label=source)):
        if entry.line < first:
            before = [*before[-count + 1 :], render_entry(entry)] if count > 1 else [render_entry(entry)]
        elif entry.line > last:
            after.append(render_entry(entry))
            if len(after) == count:
                break
    return tuple(before), tuple(after)


def render_opened(opened: Opened) -> str:
    """The place for a person: neighbours shortened, the record whole unless it is huge."""
    where = f"L{opened.first}" + (f"-L{opened.last}" if opened.last != opened.first else "")
    parts = [_short(text) for text in opened.before]
    parts.append(f"── {where} of {opened.file}\n")
    for record in opened.records:
        parts.append(_render_record(record) + "\n")
    if not opened.records:
        parts.append(opened.raw[:_LONGEST].rstrip("\n") + "\n")
    parts.append("──\n")
    parts += [_short(text) for text in opened.after]
    return "".join(parts)


def _render_record(record: object) -> str:
    text, more = "", 0
    # Piece by piece: of a huge record no more is made than is shown.
    for piece in json.JSONEncoder(ensure_ascii=False, indent=2).iterencode(record):
        if len(text) > _LONGEST:
            more += len(piece)
            continue
        more += max(len(piece) - _LONGEST, 0)
        # A line break of a text is shown as one; `\\n` behind a backslash is not one.
        text += _BREAK.sub(lambda found: found[1] + "\n      ", piece[:_LONGEST])
    more += max(len(text) - _LONGEST, 0)
    return text[:_LONGEST] + (f"\n… {more:,} more characters; --raw prints all" if more else "")


def _short(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(lines[:4]) + ("  …\n" if len(lines) > 4 else "")
