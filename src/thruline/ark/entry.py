"""What is kept of one session: its files and the blocks they are made of. Values, and their form on disk."""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from thruline.errors import FormatError, Refused

SCHEMA = 2
# An entry with nothing of the second schema is written as it always was: an older thruline can read it.
_PLAIN = 1
_SECOND = ("mark", "runs", "key", "asides", "notes", "lines")


@dataclass(frozen=True, slots=True)
class Source:
    """A file to be kept. `kind` is the caller's word for it; `hidden` the id that is taken out of its bytes.

    A file that `grows` is expected to be added to and nothing else: if it is cut or rewritten, both versions are kept.

    `mark` is what its records carry more than those they are copies of (`marks`), `key` what every record has and no
    note of the client (`asides`). Where no such file exists, `read` gives the bytes instead, out of the file `store`,
    and `changed_ns` when they were last changed: the same moment, the same bytes.
    """

    path: str
    kind: str = ""
    hidden: str = ""
    grows: bool = False
    mark: str = ""
    key: str = ""
    read: Callable[[], Iterable[bytes]] | None = None
    changed_ns: int = 0
    store: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """One file as it was kept.

    `blocks` are digests. `inode`, `device` and `probe` (a digest over samples) tell whether the file of today is this
    one grown longer; `tail` is how much of it the last block holds, which is then read again.

    `runs` tell which lines had the `mark` that was taken out, `notes` which lines lack the `key` and are in `asides`:
    for each block the digest of the notes before its end, "" where there are none. `lines` is how many lines there are
    before what the last block and its notes hold.
    """

    path: str
    kind: str
    hidden: str
    size: int
    mtime_ns: int
    inode: int
    device: int
    probe: str
    blocks: tuple[str, ...]
    tail: int
    mark: str = ""
    runs: tuple[int, ...] = ()
    key: str = ""
    asides: tuple[str, ...] = ()
    notes: tuple[int, ...] = ()
    lines: int = 0

    def digests(self) -> set[str]:
        """Every block it needs."""
        return {digest for digest in (*self.blocks, *self.asides) if digest}

    @property
    def mtime(self) -> float:
        """When it was last written, as os.stat says it."""
        # Not divided: that rounds otherwise than the system does, and times are compared.
        return self.mtime_ns // 10**9 + 1e-9 * (self.mtime_ns % 10**9)


@dataclass(frozen=True, slots=True)
class Entry:
    """One session: the name its client gave it, on the shelf of that client.

    `earlier` are files that were cut or rewritten since they were kept, as they were before.
    """

    shelf: str
    name: str
    archived: float
    members: tuple[Member, ...]
    earlier: tuple[Member, ...] = ()

    def digests(self) -> set[str]:
        """Every block it needs."""
        return {digest for member in (*self.members, *self.earlier) for digest in member.digests()}

    @property
    def size(self) -> int:
        """The bytes of its files."""
        return sum(member.size for member in self.members)

    @property
    def mtime(self) -> float:
        """When its first file, the session's own, was last written."""
        return self.members[0].mtime if self.members else 0.0


def render_entry(entry: Entry) -> bytes:
    """One line of JSON and, below it, that line's digest."""
    fields = asdict(entry)
    files = [*fields["members"], *fields["earlier"]]
    schema = SCHEMA if any(file["mark"] or file["key"] for file in files) else _PLAIN
    for file in files if schema == _PLAIN else ():
        for name in _SECOND:
            del file[name]
    line = json.dumps({"ark": schema, **fields}, ensure_ascii=True, separators=(",", ":")).encode()
    return line + b"\n" + hashlib.sha256(line).hexdigest().encode() + b"\n"


def parse_entry(data: bytes, path: str) -> Entry:
    """What `render_entry` was given; FormatError where a single bit differs."""
    line, _, check = data.partition(b"\n")
    if hashlib.sha256(line).hexdigest().encode() != check.strip():
        raise FormatError(
            "This entry of the ark is damaged.",
            path=path,
            line=1,
            next="put that file back from a backup, or forget it",
        )
    try:
        fields: dict[str, Any] = json.loads(line)
        if fields.pop("ark") > SCHEMA:
            raise Refused("A newer thruline wrote this entry of the ark.", where=path, next="upgrade thruline")
        for name in ("members", "earlier"):
            fields[name] = tuple(_parse_member(member) for member in fields[name])
        return Entry(**fields)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FormatError("This is no entry of the ark.", path=path, line=1, next="forget it") from None


def _parse_member(fields: dict[str, Any]) -> Member:
    lists = ("blocks", "runs", "asides", "notes")
    return Member(**fields | {name: tuple(fields.get(name, ())) for name in lists})
