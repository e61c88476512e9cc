"""What may be a file's name on every system: a project's key, and the ids that others chose."""

import os


def build_project_key(project_id: str, real_root: str) -> str:
    """A file name that no two projects, clones or worktrees share, and that a person can recognise."""
    name = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in os.path.basename(real_root))
    digest = 0xCBF29CE484222325  # FNV-1a: hashlib would cost a hook eleven modules
    for byte in f"{project_id}\0{real_root}".encode("utf-8", "surrogatepass"):
        digest = ((digest ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{name[:40].strip('-') or 'root'}-{digest:016x}"


def is_safe_name(text: str) -> bool:
    """Whether `text` can be one component of a path on every system: letters, digits, `_`, and `-` and `.` within.

    One that begins with `-` would be a flag to the first program that is given it.
    """
    return (
        0 < len(text) <= 128
        and text.isascii()
        and text.replace("-", "").replace("_", "").replace(".", "").isalnum()
        and text[0] not in "-."
        and text[-1] != "."
        and ".." not in text
    )


def is_safe_id(text: str) -> bool:
    """Whether `text` can name a session's files. Some names of up to four letters are devices on Windows."""
    return len(text) > 4 and is_safe_name(text)
