"""Where a handoff with a model works: a folder of the user's own cache, named by its session so that `forget` finds it.

What lies there ends in a prompt, so it is scrubbed as it is written; a killed process leaves it behind, and the next
handoff takes it away.
"""

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from thruline.disk.atomic import make_folders
from thruline.disk.owner import is_running
from thruline.redact import redact

_OWNED = re.compile(r"\.p(\d+)\.\w+\Z")


def is_id(text: str) -> bool:
    """Whether a record's or a session's id is one: a transcript may write anything there."""
    return 0 < len(text) <= 128 and text.isascii() and all(c.isalnum() or c in "-_.:" for c in text)


def name_folder(session: str) -> str:
    """The id as a folder's name, or a digest of what is no id."""
    if is_id(session) and session.strip("."):
        return session.replace(":", "-")
    return hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()


@contextmanager
def open_workplace(cache: str, session: str) -> Iterator[str]:
    """An empty folder of this process, gone when it is left."""
    make_folders(cache, 0o700)
    drop_orphans(cache)
    folder = tempfile.mkdtemp(prefix=f"{name_folder(session)}.p{os.getpid()}.", dir=cache)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def drop_orphans(cache: str) -> None:
    """Removes the folders of processes that are no more."""
    for name in os.listdir(cache):
        owner = _OWNED.search(name)
        if owner and is_running(int(owner.group(1))) is False:
            shutil.rmtree(os.path.join(cache, name), ignore_errors=True)


def scrub(text: str) -> str:
    """A text as it may lie in a workplace."""
    return redact(text).text
