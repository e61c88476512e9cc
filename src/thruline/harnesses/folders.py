"""Clients' folders, listed. What is not there, or not ours to read, holds nothing: finding never fails."""

import os

from thruline.session.found import Found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def list_folder(folder: str) -> "list[os.DirEntry[str]]":
    """What lies in the folder, in no order."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def is_folder(entry: "os.DirEntry[str]") -> bool:
    """Whether it is a folder, or a link to one."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def find_files(folder: str, start: str = "", end: "str | tuple[str, ...]" = ".jsonl") -> "Iterator[os.DirEntry[str]]":
    """What is so named; a folder may be among them, which `describe_file` tells."""
    for entry in list_folder(folder):
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


def stem_of(path: str) -> str:
    """The file's name without `.jsonl`, by which clients name a session."""
    return os.path.basename(path).removesuffix(".jsonl")
