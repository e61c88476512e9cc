"""`handoff prepare`: a session of any size as a spine, or as chunks of one, with a plan that says which.

The spine is written as it is read, so memory does not grow with the transcript; whether it must be chunked is known
only at its end.
"""

import os

from thruline.disk.atomic import read_bytes, write_bytes
from thruline.errors import DiskError, NotFound, Refused
from thruline.operations.sessions.locate import Located
from thruline.operations.sessions.reading import Reading
from thruline.scan import scan
from thruline.session.summary import Summary
from thruline.spine.budget import BYTES_PER_TOKEN, CHUNK_TOKENS, DIRECT_TOKENS, estimate_tokens
from thruline.spine.build import SpineBuilder
from thruline.spine.chunk import build_chunks
from thruline.spine.entry import Entry, parse_entries, render_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


class Plan:
    """What `plan.json` holds. No dataclass, for the quick lane."""

    __slots__ = ("chunks", "harness", "leaf_uuid", "mode", "session", "source_files", "spine", "stats")

    def __init__(
        self,
        *,
        mode: str,
        session: str,
        harness: str,
        leaf_uuid: str,
        source_files: tuple[str, ...],
        spine: str,
        chunks: "tuple[dict[str, Any], ...]",
        stats: "dict[str, Any]",
    ) -> None:
        self.mode = mode
        self.session = session
        self.harness = harness
        self.leaf_uuid = leaf_uuid
        self.source_files = source_files
        self.spine = spine
        self.chunks = chunks
        self.stats = stats

    def to_fields(self) -> "dict[str, Any]":
        """The document, its fields in the order of the file."""
        return {
            "mode": self.mode,
            "session": self.session,
            "harness": self.harness,
            "leaf_uuid": self.leaf_uuid,
            "source_files": self.source_files,
            "spine": self.spine,
            "chunks": self.chunks,
            "stats": self.stats,
        }


def prepare(
    located: Located,
    out: str,
    *,
    direct_tokens: int = DIRECT_TOKENS,
    chunk_tokens: int = CHUNK_TOKENS,
    force: bool = False,
    progress: "Callable[[int], None] | None" = None,
    scrub: "Callable[[str], str] | None" = None,
) -> Plan:
    """Writes `spine.txt` (and `chunk-NNN.txt`) into `out` and returns the plan, which is written last.

    Over an earlier plan of ours, but over another's only with `force`. What `scrub` takes out is never on disk.
    """
    _make_folder(out)
    if not force:
        _check_plan(out)
    spine_path = os.path.join(out, "spine.txt")
    summary = Summary()
    reading = Reading(located)
    entries, turns = _write_spine(reading, summary, spine_path, progress, scrub)
    size = os.path.getsize(spine_path)
    direct = estimate_tokens(size) <= direct_tokens
    chunks = () if direct else tuple(_write_chunks(spine_path, out, chunk_tokens))
    plan = Plan(
        mode="direct" if direct else "chunked",
        session=summary.session_id or located.session_id,
        harness=located.harness.name,
        leaf_uuid=summary.last_uuid,
        source_files=tuple(located.shown(path) for path in located.sources().values()),
        spine=spine_path,
        chunks=chunks,
        stats={
            "folder": summary.cwd,
            "transcript_bytes": sum(os.path.getsize(path) for path in located.files),
            "spine_bytes": size,
            "spine_tokens_estimate": estimate_tokens(size),
            "entries": entries,
            "turns": turns,
            "records": reading.counts,
            "problems": [
                {"file": located.shown(problem.path), "line": problem.line, "kind": problem.kind, "what": problem.what}
                for problem in reading.problems
            ],
        },
    )
    _drop_old_chunks(out, len(chunks))
    return plan


def write_plan(plan: Plan, out: str, text: str) -> str:
    """Writes the rendered plan beside what it names; last, so a plan never names what is not there."""
    path = os.path.join(out, "plan.json")
    write_bytes(path, text.encode())
    return path


def _check_plan(out: str) -> None:
    path = os.path.join(out, "plan.json")
    try:
        found, _ = scan(read_bytes(path).decode().lstrip(), 0)
    except NotFound:
        return
    except (ValueError, RecursionError, StopIteration):
        found = None
    if not (isinstance(found, dict) and "mode" in found and "session" in found):
        raise Refused(
            "There is a plan.json that no handoff wrote; it would be overwritten.",
            where=path,
            next="give another --out, or add --force",
        )


def _make_folder(out: str) -> None:
    try:
        os.makedirs(out, exist_ok=True)
    except OSError as error:
        raise DiskError(f"Cannot make the folder: {error.strerror}.", where=out, next="give another --out") from None


def _write_spine(
    reading: Reading,
    summary: Summary,
    path: str,
    progress: "Callable[[int], None] | None",
    scrub: "Callable[[str], str] | None",
) -> tuple[int, int]:
    builder = SpineBuilder()
    entries = turns = 0
    temporary = path + ".part"
    try:
        with open(temporary, "w", encoding="utf-8", errors="replace", newline="") as file:
            for found in reading.blocks():
                summary.see_all(found)
                ready = builder.see_all(found)
                entries += len(ready)
                turns += sum([entry.turn for entry in ready])
                text = "".join([render_entry(entry) for entry in ready])
                file.write(text if scrub is None else scrub(text))
                if progress is not None:
                    progress(found[-1].line)
            ready = builder.finish()
            entries += len(ready)
            text = "".join([render_entry(entry) for entry in ready])
            file.write(text if scrub is None else scrub(text))
        os.replace(temporary, path)
    except OSError as error:
        raise DiskError(
            f"Cannot write the spine: {error.strerror}.", where=path, next="free space, or another --out"
        ) from None
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)
    return entries, turns


def _read_entries(path: str) -> "Iterator[Entry]":
    with open(path, encoding="utf-8", newline="\n") as file:
        yield from parse_entries(file)


def _write_chunks(spine_path: str, out: str, chunk_tokens: int) -> "Iterator[dict[str, Any]]":
    for number, chunk in enumerate(build_chunks(_read_entries(spine_path), chunk_tokens * BYTES_PER_TOKEN)):
        path = os.path.join(out, f"chunk-{number:03d}.txt")
        data = chunk.text.encode()
        write_bytes(path, data)
        yield {
            "index": number,
            "path": path,
            "first": chunk.first,
            "last": chunk.last,
            "bytes": len(data),
            "tokens_estimate": estimate_tokens(len(data)),
        }


def _drop_old_chunks(out: str, count: int) -> None:
    # Left by an earlier, longer run into the same folder; the plan would not name them, but a person might read them.
    number = count
    while os.path.exists(path := os.path.join(out, f"chunk-{number:03d}.txt")):
        os.remove(path)
        number += 1
