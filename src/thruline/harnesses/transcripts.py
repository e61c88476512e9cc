"""Transcripts of every client that has a reader: finding them, recognising one, opening it.

What a client can do is which files its folder has, so a client joins here by having `find.py` and `reader/`.
"""

import os

from thruline.errors import DiskError, NotFound, Refused, ThrulineError
from thruline.harnesses.capability import find_able, has, load
from thruline.session.commands import may_commit
from thruline.session.file_changes import may_change_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedReader
    from typing import Any

    from thruline.harnesses.contract import Reader
    from thruline.harnesses.registry import Harness
    from thruline.session.found import Found

_HEAD = 64 << 10
_END = 4 << 10
_BLOCK = 1 << 20

# How a compressed file begins, and what unpacks it.
_PACKED = ((b"\x28\xb5\x2f\xfd", "zstd -d"), (b"\x1f\x8b", "gzip -dk"))


def find_readable() -> "list[Harness]":
    """The clients whose transcripts we can read."""
    return find_able("reader")


def find_transcripts(environment: "dict[str, str]", home: str, harness: str = "") -> "Iterator[tuple[Harness, Found]]":
    """Every session file of every readable client (or of one), in no order; nothing is opened."""
    for known in find_readable():
        if harness and known.name != harness:
            continue
        for found in load(known, "find").find_transcripts(environment, home):
            yield known, found


def find_companions(harness: "Harness", path: str) -> "list[Found]":
    """The other files of the session at `path`."""
    return list(load(harness, "find").find_companions(path))


def find_bases(harness: "Harness", path: str) -> "list[Found]":
    """What the session at `path` was forked from, where its file does not repeat that; the oldest first."""
    find = load(harness, "find")
    return list(find.find_bases(path)) if hasattr(find, "find_bases") else []


def find_sidecars(harness: "Harness", path: str) -> "list[Found]":
    """Files of the session at `path` that no reader needs, and that belong to it all the same."""
    return list(load(harness, "sidecars").find_sidecars(path)) if has(harness, "sidecars") else []


def read_head(harness: "Harness", path: str) -> "dict[str, str]":
    """What the beginning and the end of a transcript tell, such as `cwd`; {} where it cannot be read."""
    return dict(load(harness, "find").read_head(path))


def read_folder(harness: "Harness", path: str) -> str:
    """The folder that the session at `path` began in; "" where no record tells.

    The head is enough nearly always. A first prompt that is longer than it hides the rest of its own record.
    """
    folder = read_head(harness, path).get("cwd", "")
    return folder or _read_first_folder(harness, path)


def _read_first_folder(harness: "Harness", path: str) -> str:
    from thruline.session.parts import Changed  # here: the head told it already

    try:
        for found in open_reader(harness, path, tokens=False).blocks():
            for part in found:
                if type(part) is Changed and part.name == "cwd" and part.value:
                    return part.value
    except (OSError, ThrulineError):
        pass  # as with a head that cannot be read
    return ""


def read_retention(environment: "dict[str, str]", home: str) -> "list[tuple[Harness, str, float]]":
    """Folders whose transcripts a client deletes by itself, and after how many days; other clients are not in it."""
    return [
        (harness, folder, days)
        for harness in find_able("retention")
        for folder, days in load(harness, "retention").read_retention(environment, home)
    ]


def is_stored(harness: "Harness", path: str) -> bool:
    """Whether the client keeps the session at `path` in no file of lines, so that `read_lines` must make them."""
    return has(harness, "store") and bool(load(harness, "store").is_stored(path))


def find_stored(path: str) -> "Harness | None":
    """The client whose store has a session under this path, where there is no such file."""
    known = [harness for harness in find_readable() if is_stored(harness, path)]
    return next((harness for harness in known if load(harness, "store").is_there(path)), None)


def describe_stored(harness: "Harness", path: str) -> "Found":
    """How large a session in a store is, and when it was last changed."""
    found: Found = load(harness, "store").describe(path)
    return found


def read_lines(harness: "Harness", path: str) -> "Iterator[bytes]":
    """A stored session as canonical lines, read from its store."""
    yield from load(harness, "store").read_lines(path)


def read_copying(harness: "Harness", path: str) -> "tuple[str, str]":
    """What the client adds to the end of every record that a fork at `path` copied, and what tells records from notes.

    Each is "" where there is no such thing.
    """
    if not has(harness, "copied"):
        return "", ""
    copied = load(harness, "copied")
    return copied.read_mark(path), copied.RECORD_KEY


def is_there(harness: "Harness", path: str) -> bool:
    """Whether the client still has the file, or the session in its store, of that path."""
    return bool(load(harness, "store").is_there(path)) if is_stored(harness, path) else os.path.lexists(path)


def find_session_id(harness: "Harness", path: str) -> str:
    """The id of the session that the file at `path` holds, from its name."""
    name: str = load(harness, "find").session_id_of(path)
    return name


def recognise(path: str) -> "Harness":
    """Which client wrote the file at `path`; an error that says what was looked for where none did."""
    _check_openable(path)
    try:
        with open(path, "rb") as file:
            empty = os.fstat(file.fileno()).st_size == 0
            head = _read_odd(file) if empty else _read_head(file)
    except OSError as error:
        raise DiskError(
            f"Cannot read the transcript: {error.strerror}.", where=path, next="check its permissions"
        ) from None
    for harness in find_readable():
        if load(harness, "find").recognise(path, head):
            return harness
    for magic, program in _PACKED:
        if head.startswith(magic):
            raise Refused("The file is compressed.", where=path, next=f"unpack it with {program}, then give the result")
    names = ", ".join(harness.title for harness in find_readable())
    what = "The file is empty." if not head else "No known client wrote this file."
    raise Refused(what, where=path, next=f"give a transcript of {names}; thruline sessions list shows them")


def _read_head(file: "BufferedReader") -> bytes:
    # Clients that write a record's words before what it is put that behind a first prompt of any length: its end is
    # part of the head.
    head = tail = file.read(_HEAD)
    while tail and b"\n" not in tail:
        last = tail[-_END:]
        tail = file.read(_HEAD)
        if not tail or b"\n" in tail:
            return head + (last + tail.partition(b"\n")[0])[-_END:]
    return head


def _read_odd(file: "BufferedReader") -> bytes:
    # Some files of the system look regular and say that they are empty; one of them makes its reader wait for ever.
    from select import select

    return file.read1(_HEAD) if os.name == "nt" or select([file], [], [], 0)[0] else b""


def _check_openable(path: str) -> None:
    if not os.path.lexists(path):
        raise NotFound("There is no such transcript.", where=path, next="thruline sessions list")
    if os.path.isdir(path):
        raise Refused("A folder is not a transcript.", where=path, next="give a file in it, or a session id")
    if not os.path.isfile(path):
        raise Refused("This is not a regular file.", where=path, next="give a transcript file or a session id")


def may_change(harness: "Harness", path: str) -> bool:
    """Whether the transcript at `path` may hold a call that changes files or commits; most subagents only look.

    Told by signs that the client's reader knows (`CHANGING`, `COMMAND`), without decoding a line.
    """
    reader = load(harness, "reader")
    signs: tuple[bytes, ...] = getattr(reader, "CHANGING", ())
    if not signs:
        return True
    with open(path, "rb") as file:
        held = b""
        while block := file.read(_BLOCK):
            held += block
            if any(sign in held for sign in signs) or _has_changing(held, reader.COMMAND):
                return True
            held = held[held.rfind(b"\n") + 1 :]  # a command may go on in the next block
    return False


def _has_changing(lines: bytes, mark: bytes) -> bool:
    """Whether a command behind one of the marks may change something; its text is looked at as it is written."""
    at = lines.find(mark)
    while at >= 0:
        start = lines.find(b'"', at + len(mark))
        end = lines.find(b'"', start + 1)
        while end > 0 and _is_escaped(lines, end):
            end = lines.find(b'"', end + 1)
        command = lines[start + 1 : end if end > 0 else len(lines)].decode("utf-8", "replace")
        if may_commit(command) or may_change_files(command) or ("git" in command and "push" in command):
            return True
        at = lines.find(mark, max(end, at + 1))
    return False


def _is_escaped(lines: bytes, at: int) -> bool:
    before = lines[max(0, at - 64) : at]
    return (len(before) - len(before.rstrip(b"\\"))) % 2 == 1


def open_reader(harness: "Harness", path: str, **options: "Any") -> "Reader":
    """A reader over one file of that client."""
    reader: Reader = load(harness, "reader").Reader(path, **options)
    return reader
