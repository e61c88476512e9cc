"""Clients' folders, listed. What is not there, or not ours to read, holds nothing: finding never fails.

But who looks for sessions hears of folders that may not be read, as `closed` ones among what was found.
"""

import os

from thruline.session.found import Found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def list_folder(folder: str, closed: "list[str] | None" = None) -> "list[os.DirEntry[str]]":
    """What lies in the folder, in no order; one that is there and may not be read is added to `closed`."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except PermissionError:
        if closed is not None:
            closed.append(folder)
        return []
    except OSError:
        return []


def is_folder(entry: "os.DirEntry[str]") -> bool:
    """Whether it is a folder, or a link to one."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def find_files(
    folder: str, start: str = "", end: "str | tuple[str, ...]" = ".jsonl", closed: "list[str] | None" = None
) -> "Iterator[os.DirEntry[str]]":
    """What is so named; a folder may be among them, which `describe_file` tells."""
    for entry in list_folder(folder, closed):
        if entry.name.startswith(start) and entry.name.endswith(end):
            yield entry


def describe_file(path: str, session_id: str, kind: str = "session", until: int = 0) -> "Found | None":
    """The file as found; None where it is gone, or no file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    # 0o100000 is a regular file; the module that names it costs more than all of this one.
    if status.st_mode & 0o170000 != 0o100000:
        return None
    return Found(path, session_id, status.st_size, status.st_mtime, kind, until)


def describe_closed(closed: "list[str]") -> "list[Found]":
    """The folders that may not be read, as found."""
    return [Found(folder, "", 0, 0.0, "closed") for folder in closed]


def stem_of(path: str) -> str:
    """The file's name without `.jsonl`, by which clients name a session."""
    return os.path.basename(path).removesuffix(".jsonl")
