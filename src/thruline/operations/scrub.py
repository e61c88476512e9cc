"""Takes the secrets out of one file: first what would change, then, if the caller was told yes, the change."""

import os
import re
import stat
from dataclasses import dataclass
from difflib import unified_diff

from thruline.disk.atomic import read_bytes, write_bytes
from thruline.errors import Conflict, NotFound, Refused
from thruline.redact import Secret, redact

LARGEST = 512 * 1024 * 1024
_SAMPLE = 1 << 16
# Sixteen characters in a row with NULs between them are text of two or four bytes a character, whatever is around it.
_WIDE = re.compile(rb"(?:[\x20-\x7e]\x00{1,3}){16}")


@dataclass(frozen=True, slots=True)
class Scrub:
    """What scrubbing `path` would do. `before` and `after` are bytes; `receipt` counts by rule, without values."""

    path: str
    before: bytes
    after: bytes
    receipt: dict[str, int]
    diff: str


def build_scrub(path: str, data: bytes, *, entropy: bool = True) -> Scrub:
    """What scrubbing `data` would do; its encoding, bytes that are no text and line ends stay as they are."""
    wide = _find_wide_encoding(data)
    made = [_scrub_as(encoding, path, data, entropy) for encoding in (wide, "utf-8") if encoding]
    # A mark at the start may also be two stray bytes: the reading that finds more is the right one.
    best = max(made, key=lambda each: sum(each.receipt.values()))
    if not wide and _WIDE.search(data):
        raise Refused(
            "Parts of this are in UTF-16 or UTF-32, where secrets cannot be found among other bytes.",
            where=path,
            next="save it as UTF-8 and scrub that",
        )
    return best


def _find_wide_encoding(data: bytes) -> str:
    # By its mark or, as most text is ASCII, by the NULs on one side of its pairs.
    if data.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        return ""
    if data.startswith(b"\xff\xfe"):
        return "utf-16-le"
    if data.startswith(b"\xfe\xff"):
        return "utf-16-be"
    sample = data[:_SAMPLE]
    pairs = len(sample) // 2
    high, low = sample[0::2].count(0), sample[1::2].count(0)
    if low * 5 > pairs and high * 50 <= pairs:
        return "utf-16-le"
    if high * 5 > pairs and low * 50 <= pairs:
        return "utf-16-be"
    return ""


def _scrub_as(encoding: str, path: str, data: bytes, entropy: bool) -> Scrub:
    errors = "surrogateescape" if encoding == "utf-8" else "surrogatepass"
    odd = len(data) % 2 if encoding != "utf-8" else 0  # half a character at the end is kept as it is
    text = data[: len(data) - odd].decode(encoding, errors)
    result = redact(text, entropy=entropy)
    after = result.text.encode(encoding, errors) + data[len(data) - odd :] if result.places else data
    return Scrub(path, data, after, result.receipt, _render_diff(path, text, result.places, result.text))


def read_scrub(path: str, *, entropy: bool = True) -> Scrub:
    """What scrubbing the file at `path` would do."""
    return build_scrub(path, _read(path), entropy=entropy)


def write_scrub(scrub: Scrub) -> int:
    """Writes what `scrub` promised, unless the file changed since; returns how many other names keep the old content.

    Those are hard links: the new content is a new file under the one name that was given.
    """
    if _read(scrub.path) != scrub.before:
        raise Conflict(
            f"{os.path.basename(scrub.path)} changed while you looked at it; nothing was written.",
            where=scrub.path,
            next=f"thruline scrub {scrub.path}",
        )
    links = os.lstat(scrub.path).st_nlink
    write_bytes(scrub.path, scrub.after)
    return max(links - 1, 0)


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
    """The change as a unified diff in which a long secret shows two characters and about its length, a short none."""
    if not places:
        return ""
    parts: list[str] = []
    at = 0
    for place in places:
        parts += (text[at : place.start], _mask(text[place.start : place.end]))
        at = place.end
    masked = "".join([*parts, text[at:]])
    rows = unified_diff(
        masked.split("\n"), scrubbed.split("\n"), f"{path} (secrets masked)", f"{path} (scrubbed)", n=1, lineterm=""
    )
    return "\n".join(rows)


def _mask(secret: str) -> str:
    # Enough to know which one it is, too little to shorten a search for it.
    if len(secret) < 20:
        return "…(less than 20 characters)"
    return f"{secret[:2]}…(about {round(len(secret), -1)} characters)"
