"""The names of entries: which sessions the ark has, without opening one.

Every list of sessions comes through here, so it imports nothing but `os`.
"""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

END = ".json"


def find_names(folder: str) -> "Iterator[tuple[str, str, str]]":
    """(shelf, name, path) of every entry below `folder`; nothing is opened."""
    for shelf in list_names(folder):
        for file in list_names(os.path.join(folder, shelf)):
            if file.endswith(END) and not file.startswith("."):
                try:
                    yield unquote(shelf), unquote(file[: -len(END)]), f"{folder}{os.sep}{shelf}{os.sep}{file}"
                except ValueError:
                    continue  # no name that we gave


def read_stamp(path: str) -> str:
    """What is another one after every change of the entry at `path`: it is replaced, never written into."""
    try:
        status = os.stat(path)
    except OSError:
        return ""
    return f"{status.st_ino} {status.st_size} {status.st_mtime_ns}"


# What may stand in a file name everywhere. A dot in front has a meaning of its own, to the system and to us.
_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_~.")


def quote(text: str) -> str:
    """`text` as a file name."""
    data = text.encode("utf-8", "surrogateescape")
    return "".join(
        chr(byte) if byte in _PLAIN and (at or byte != ord(".")) else f"%{byte:02X}" for at, byte in enumerate(data)
    )


def unquote(text: str) -> str:
    """The text that a file name stands for; ValueError where it stands for none."""
    if "%" not in text and text.isascii():
        return text
    first, *rest = text.split("%")
    data = first.encode() + b"".join(bytes.fromhex(part[:2]) + part[2:].encode() for part in rest)
    return data.decode("utf-8", "surrogateescape")


def list_names(folder: str) -> "list[str]":
    """What lies in `folder`, sorted; nothing where there is none."""
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
