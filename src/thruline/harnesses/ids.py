"""Ids of records and threads as numbers: a session of a gigabyte has a quarter of a million of them."""

from zlib import crc32

_PRIME = (1 << 61) - 1  # a number modulo a prime keeps something of every digit


def _modulo(number: int) -> int:
    return number % _PRIME


# The hash of a number, unlike that of a text, is the same in every process: on 64 bits just this modulo, but quicker.
_fold = hash if hash(_PRIME + 1) == 1 else _modulo


def key_of(uuid: str) -> int:
    """A record's id as a number under 64 bits; the same for the same text in every process."""
    try:
        return _fold(int(uuid.replace("-", ""), 16))
    except ValueError:
        raw = uuid.encode("utf-8", "replace")
        return _fold(crc32(raw) << 32 | crc32(raw, 0x9E3779B9))
