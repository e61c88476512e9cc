"""Briefs that were made already, in the project's cache folder; a session that grew since is a miss.

One file a session and engine; its key (leaf, versions, budget) stands inside, so a newer brief replaces an older one
and nothing piles up.
"""

import json
import os
from dataclasses import asdict, dataclass

from thruline.disk.atomic import read_bytes, write_bytes
from thruline.disk.inside import check_inside
from thruline.errors import ThrulineError
from thruline.layout import ProjectPaths

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Key:
    """What a brief depends on: another value of any of these is another brief.

    `size` is that of the transcript: some records carry no uuid, so a session may grow and keep its leaf. `digest`
    tells the transcript by its ends; a key that has one may be asked for without its leaf, which only reading tells.
    """

    session: str
    leaf: str
    size: int
    engine: str
    rules: str
    prompts: str
    budget: int
    digest: str = ""


def find_cached(paths: ProjectPaths, session: str, engine: str) -> str:
    """Where the brief of a session by an engine is kept."""
    name = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in f"{session}-{engine}")
    return os.path.join(paths.briefs, f"{name[:120]}.json")


def read_cached(paths: ProjectPaths, key: Key) -> str | None:
    """The brief made for exactly this key, or None."""
    try:
        value = json.loads(read_bytes(find_cached(paths, key.session, key.engine)))
    except (ThrulineError, ValueError):
        return None  # a cache that cannot be read is a miss
    if not isinstance(value, dict) or value.get("schema") != SCHEMA or not _fits(value.get("key"), key):
        return None
    brief = value.get("brief")
    return brief if isinstance(brief, str) else None


def write_cached(paths: ProjectPaths, key: Key, brief: str) -> str:
    """Keeps a brief, mode 0600: it quotes what was said. Returns where."""
    path = find_cached(paths, key.session, key.engine)
    if paths.marked:
        check_inside(paths.root, path)
    value = {"schema": SCHEMA, "key": asdict(key), "brief": brief}
    write_bytes(path, json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n", mode=0o600)
    return path


def _fits(kept: object, key: Key) -> bool:
    wanted = asdict(key)
    if key.digest and not key.leaf and isinstance(kept, dict):
        wanted["leaf"] = kept.get("leaf")
    return kept == wanted
