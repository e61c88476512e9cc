"""One place of a transcript: the record as it stands there, pretty, between its neighbours."""

import json
import re
from dataclasses import dataclass

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
_BREAK = re.compile(r"(?<!\\)((?:\\\\)*)\\n")
# A range is for reading around a place, not for printing a transcript.
_MOST_RECORDS = 200


@dataclass(frozen=True, slots=True)
class Opened:
    """The records of one place. `raw` is what stands in the file; `around` are the neighbours' spine entries."""

    file: str
    first: int
    last: int
    records: tuple[object, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    raw: str


def open_place(located: Located, place: str, *, around: int = 2) -> Opened:
    """The record (or the records of a range) at `place`, such as `L120` or `a1:L7`."""
    source, first, last = parse_place(place)
    last = min(last, first + _MOST_RECORDS - 1)
    path = _find_source(located, source)
    try:
        raw = _read_range(path, first, last)
        before, after = _neighbours(located, path, source, first, last, around)
    except OSError as error:
        raise build_disk_error(error, "read", located.shown(path)) from None
    if not raw:
        raise NotFound(
            f"{place} is behind the end of the transcript.",
            where=located.shown(path),
            next="thruline sessions spine shows labels",
        )
    records = tuple(record for line, data in raw for record in decode_records(data, path, line, []))
    return Opened(
        located.shown(path),
        first,
        raw[-1][0],
        records,
        before,
        after,
        b"".join(data for _, data in raw).decode("utf-8", "replace"),
    )


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
        # A line break of a text is shown as one; `\\n` behind a backslash is not one.
        text = _BREAK.sub(lambda found: found[1] + "\n      ", json.dumps(record, ensure_ascii=False, indent=2))
        if len(text) > _LONGEST:
            text = text[:_LONGEST] + f"\n… {len(text) - _LONGEST:,} more characters; --raw prints all"
        parts.append(text + "\n")
    if not opened.records:
        parts.append(opened.raw[:_LONGEST].rstrip("\n") + "\n")
    parts.append("──\n")
    parts += [_short(text) for text in opened.after]
    return "".join(parts)


def _short(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(lines[:4]) + ("  …\n" if len(lines) > 4 else "")
