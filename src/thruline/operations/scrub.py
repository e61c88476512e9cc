"""Takes the secrets out of one file: first what would change, then, if the caller was told yes, the change."""

import os
import stat
from dataclasses import dataclass
from difflib import unified_diff

from thruline.disk.atomic import read_bytes, write_bytes
from thruline.errors import Conflict, NotFound, Refused
from thruline.redact import Secret, redact

LARGEST = 512 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Scrub:
    """What scrubbing `path` would do. `before` and `after` are bytes; `receipt` counts by rule, without values."""

    path: str
    before: bytes
    after: bytes
    receipt: dict[str, int]
    diff: str


def build_scrub(path: str, data: bytes) -> Scrub:
    """What scrubbing `data` would do; bytes that are not UTF-8 and line ends stay as they are."""
    text = data.decode("utf-8", "surrogateescape")
    result = redact(text)
    after = result.text.encode("utf-8", "surrogateescape") if result.places else data
    return Scrub(path, data, after, result.receipt, _render_diff(path, text, result.places, result.text))


def read_scrub(path: str) -> Scrub:
    """What scrubbing the file at `path` would do."""
    return build_scrub(path, _read(path))


def write_scrub(scrub: Scrub) -> None:
    """Writes what `scrub` promised, unless the file changed since."""
    if _read(scrub.path) != scrub.before:
        raise Conflict(
            f"{os.path.basename(scrub.path)} changed while you looked at it; nothing was written.",
            where=scrub.path,
            next=f"thruline scrub {scrub.path}",
        )
    write_bytes(scrub.path, scrub.after)


def _read(path: str) -> bytes:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        raise NotFound(f"There is no file {os.path.basename(path)}.", where=path, next="check the path") from None
    except OSError as error:
        raise Refused(f"Cannot look at {path}: {error.strerror}.", where=path, next="check the path") from None
    if stat.S_ISLNK(found.st_mode):
        target = os.path.realpath(path)
        raise Refused(
            "This is a link; scrub changes only the file you name.", where=path, next=f"thruline scrub {target}"
        )
    if not stat.S_ISREG(found.st_mode):
        raise Refused("This is not a file.", where=path, next="name one file, or use - to scrub standard input")
    if found.st_size > LARGEST:
        raise Refused(
            f"This file has {found.st_size >> 20} MiB; scrub takes up to {LARGEST >> 20}.",
            where=path,
            next="split it by lines and scrub the parts",
        )
    return read_bytes(path)


def _render_diff(path: str, text: str, places: tuple[Secret, ...], scrubbed: str) -> str:
    """The change as a unified diff in which a secret shows its first three characters and its length, no more."""
    if not places:
        return ""
    parts: list[str] = []
    at = 0
    for place in places:
        shown = text[place.start : place.start + 3] if place.end - place.start > 8 else ""
        parts += (text[at : place.start], f"{shown}…({place.end - place.start} characters)")
        at = place.end
    masked = "".join([*parts, text[at:]])
    rows = unified_diff(
        masked.split("\n"), scrubbed.split("\n"), f"{path} (secrets masked)", f"{path} (scrubbed)", n=1, lineterm=""
    )
    return "\n".join(rows)
