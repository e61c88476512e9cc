"""How a file gets a name that begins with a moment (`stamp.py`): the moment, then words of what it is about."""

import re
import unicodedata
from collections.abc import Container
from datetime import datetime, timedelta


def build_stamped_id(moment: datetime, text: str, most: int, taken: Container[str] = ()) -> str:
    """The id of that second, or of the first one after it that is not `taken`, with the first words of `text`.

    The words are `most` letters long together; a text in letters that no path should hold leaves the time alone.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    slug = ""
    for word in re.findall(r"[a-z0-9]+", plain):
        if len(slug) + len(word) > most:
            break
        slug += f"-{word}"
    while (made := f"{moment:%Y%m%d-%H%M%S}{slug}") in taken:
        moment += timedelta(seconds=1)
    return made
