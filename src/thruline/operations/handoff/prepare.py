"""`handoff prepare`: a session of any size as a spine, or as chunks of one, with a plan that says which.

The spine is written as it is read, so memory does not grow with the transcript; whether it must be chunked is known
only at its end.
"""

import os

from thruline.disk.atomic import Lock, build_temp_name, is_left_over, make_folders, read_bytes, write_bytes
from thruline.errors import DiskError, NotFound, Refused
from thruline.layout import find_user_paths
from thruline.operations.sessions.locate import Located
from thruline.operations.sessions.reading import Reading
from thruline.operations.sessions.written import check_out
from thruline.scan import scan
from thruline.session.identity import Identity
from thruline.spine.budget import BYTES_PER_TOKEN, CHUNK_TOKENS, DIRECT_TOKENS, estimate_tokens
from thruline.spine.build import SpineBuilder
from thruline.spine.entry import Entry, begins_entry, parse_entries, render_entry

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
    render: "Callable[[Plan], str] | None" = None,
) -> Plan:
    """Writes `spine.txt` (and `chunk-NNN.txt`) into `out`, and last the plan that names them, as `render` makes it.

    Over what an earlier handoff left, but over other files only with `force`. What `scrub` takes out is never on disk.
    """
    _make_folder(out)
    for path in (os.path.join(out, "plan.json"), os.path.join(out, "spine.txt"), *_find_chunks(out)):
        check_out(path, located)  # also with `force`: that is for files that can be made again
    if not force:
        _check_plan(out)
        _check_texts(out)
    identity = Identity()
    reading = Reading(located, tokens=False)
    _drop_left_overs(out)
    made = os.path.join(out, build_temp_name())
    try:
        written = _write_spine(reading, identity, made, progress, scrub)
        user = find_user_paths()
        make_folders(user.cache, 0o700)
        # One at a time: two that write into the same folder would leave one's plan over the other's text.
        with Lock(user.prepare_lock):
            return _put_in_place(
                located, out, made, (identity, reading, *written), (direct_tokens, chunk_tokens), render
            )
    finally:
        if os.path.exists(made):
            os.remove(made)


def _put_in_place(
    located: Located,
    out: str,
    made: str,
    read: "tuple[Identity, Reading, int, int]",
    limits: tuple[int, int],
    render: "Callable[[Plan], str] | None",
) -> Plan:
    identity, reading, entries, turns = read
    direct_tokens, chunk_tokens = limits
    plan_path, spine_path = os.path.join(out, "plan.json"), os.path.join(out, "spine.txt")
    size = os.path.getsize(made)
    direct = estimate_tokens(size) <= direct_tokens
    try:
        # Before the first file that it names is another: who is killed in between leaves no plan, and none that lies.
        if os.path.lexists(plan_path):
            os.remove(plan_path)
        os.replace(made, spine_path)
        chunks = () if direct else tuple(_write_chunks(spine_path, out, chunk_tokens))
        _drop_old_chunks(out, len(chunks))
    except OSError as error:
        raise DiskError(
            f"Cannot write the spine: {error.strerror}.", where=out, next="free space, or another --out"
        ) from None
    plan = Plan(
        mode="direct" if direct else "chunked",
        session=identity.session_id or located.session_id,
        harness=located.harness.name,
        leaf_uuid=identity.last_uuid,
        source_files=tuple(located.shown(path) for path in located.sources().values()),
        spine=spine_path,
        chunks=chunks,
        stats={
            "folder": identity.cwd,
            "transcript_bytes": _measure_read(located),
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
    if render is not None:
        write_bytes(plan_path, render(plan).encode())
    return plan


def _measure_read(located: Located) -> int:
    """The bytes of all that the spine was made from: the session's own files, and those it goes back to."""
    bases = [found.path for found in located.companions if found.kind == "base"]
    return sum([os.path.getsize(path) for path in dict.fromkeys([*bases, *located.files])])


def _check_plan(out: str) -> None:
    path = os.path.join(out, "plan.json")
    try:
        found, _ = scan(read_bytes(path).decode().lstrip(), 0)
    except NotFound:
        return
    except (ValueError, RecursionError, StopIteration):
        found = None
    if not (isinstance(found, dict) and "mode" in found and "session" in found):
        raise _refuse(path)


def _check_texts(out: str) -> None:
    for path in [os.path.join(out, "spine.txt"), *_find_chunks(out)]:
        if os.path.lexists(path) and not _is_spine(path):
            raise _refuse(path)


def _refuse(path: str) -> Refused:
    return Refused(
        f"There is a {os.path.basename(path)} that no handoff wrote; it would be overwritten.",
        where=path,
        next="give another --out, or add --force",
    )


def _find_chunks(out: str) -> list[str]:
    """What is named like a chunk, whoever wrote it."""
    names = [name for name in os.listdir(out) if name.startswith("chunk-") and name.endswith(".txt")]
    return [os.path.join(out, name) for name in names if name[6:-4].isdecimal()]


def _is_spine(path: str) -> bool:
    """Whether a handoff wrote it, as its first line tells: one that was killed leaves no plan that would."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            head = file.read(200)
    except OSError:
        return False  # closed to us: not for us to replace
    return not head or begins_entry(head.decode("utf-8", "replace"))


def _drop_left_overs(out: str) -> None:
    """Removes what killed commands left."""
    for name in os.listdir(out):
        if is_left_over(name):
            try:
                os.remove(os.path.join(out, name))
            except OSError:
                pass  # another command was first


def _make_folder(out: str) -> None:
    try:
        os.makedirs(out, exist_ok=True)
    except OSError as error:
        raise DiskError(f"Cannot make the folder: {error.strerror}.", where=out, next="give another --out") from None


def _write_spine(
    reading: Reading,
    identity: Identity,
    path: str,
    progress: "Callable[[int], None] | None",
    scrub: "Callable[[str], str] | None",
) -> tuple[int, int]:
    builder = SpineBuilder()
    entries = turns = 0
    try:
        with open(path, "x", encoding="utf-8", errors="replace", newline="") as file:
            for found in reading.blocks():
                identity.see_all(found)
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
    except OSError as error:
        raise DiskError(
            f"Cannot write the spine: {error.strerror}.",
            where=os.path.dirname(path),
            next="free space, or another --out",
        ) from None
    return entries, turns


def _read_entries(path: str) -> "Iterator[Entry]":
    with open(path, encoding="utf-8", newline="\n") as file:
        yield from parse_entries(file)


def _write_chunks(spine_path: str, out: str, chunk_tokens: int) -> "Iterator[dict[str, Any]]":
    from thruline.spine.chunk import build_chunks  # here: most sessions need none

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
    for path in _find_chunks(out):
        if int(path[:-4].rpartition("-")[2]) >= count and _is_spine(path):
            os.remove(path)
