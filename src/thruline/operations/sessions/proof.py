"""Whether a file is still the one that was read up to some place, and has only grown."""

import zlib

# Most transcripts are less than two of these, and so are looked at whole: a word may have been masked anywhere. Of a
# longer one that then grew, what was changed in place in the middle is not seen; all of it would take longer to read.
_SAMPLE = 4 << 20


def prove_read(path: str, offset: int) -> int:
    """A check of what was read: a file written anew under the same inode is not one that grew."""
    with open(path, "rb") as file:
        head = file.read(min(offset, _SAMPLE))
        file.seek(max(0, offset - _SAMPLE))
        return zlib.crc32(file.read(min(offset, _SAMPLE)), zlib.crc32(head))
