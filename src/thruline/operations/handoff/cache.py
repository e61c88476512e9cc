"""Briefs that were made already, in the project's cache folder; a session that grew since is a miss.

One file a session and engine; its key (leaf, versions, budget) stands inside, so a newer brief replaces an older one
and nothing piles up.
"""

import json
import os

from thruline.disk.atomic import Lock, append_line, make_folders, read_bytes, write_bytes
from thruline.disk.faults import build_disk_error
from thruline.disk.inside import check_inside
from thruline.errors import NotFound, ThrulineError
from thruline.layout import ProjectPaths, find_user_paths
from thruline.value import dataclass

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Key:
    """What a brief depends on: another value of any of these is another brief.

    `size` is that of the session's files: some records carry no uuid, so a session may grow and keep its leaf, and its
    subagents' files grow beside it. `digest` tells the transcript by its ends; a key that has one may be asked for
    without its leaf, which only reading tells. `path` is where a brief says that its words stand. `stamp` is another
    after any writing of any of the files: what was taken out of a transcript must not come back out of here.
    """

    session: str
    leaf: str
    size: int
    engine: str
    rules: str
    prompts: str
    budget: int
    digest: str = ""
    path: str = ""
    stamp: str = ""


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


def read_cached_session(path: str) -> str:
    """Whose brief the file at `path` holds; "" for any other file."""
    try:
        return str(json.loads(read_bytes(path))["key"]["session"])
    except (ThrulineError, ValueError, KeyError, TypeError):
        return ""


def write_cached(paths: ProjectPaths, key: Key, brief: str) -> str:
    """Keeps a brief, mode 0600: it quotes what was said. Returns where."""
    path = find_cached(paths, key.session, key.engine)
    if paths.marked:
        check_inside(paths.root, path)
        # Noted before it is there: `forget` must find it, wherever it is called.
        note_place(key.session, path)
    value = {"schema": SCHEMA, "key": _tell(key), "brief": brief}
    write_bytes(path, json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n", mode=0o600)
    return path


def keep_brief(paths: ProjectPaths, key: Key, brief: str) -> tuple[str, str]:
    """Where the brief is kept now, or why it is not: what was made is not lost because no file can be written."""
    try:
        return write_cached(paths, key, brief), ""
    except ThrulineError as error:
        return "", f"The brief is not kept in the cache. {error.what} ({error.where})"


def note_place(session: str, path: str) -> None:
    """Notes that a project's own tree has a brief or a packet of the session; nothing where that is known."""
    file = find_user_paths().brief_places
    line = json.dumps({"session": session, "path": path})
    try:
        make_folders(os.path.dirname(file), 0o700)
    except OSError as error:
        raise build_disk_error(error, "make", os.path.dirname(file)) from None
    with Lock(file + ".lock"):
        if line not in _read_lines(file):
            append_line(file, line.encode(), mode=0o600)


def find_places(session: str) -> list[str]:
    """Where briefs and packets of the session were put in projects' own trees."""
    return [place for name, place in map(_parse_place, _read_lines(find_user_paths().brief_places)) if name == session]


def drop_places(session: str) -> None:
    """Forgets where those are."""
    file = find_user_paths().brief_places
    with Lock(file + ".lock"):
        left = [line for line in _read_lines(file) if _parse_place(line)[0] != session]
        write_bytes(file, "".join(line + "\n" for line in left).encode(), mode=0o600)


def _read_lines(file: str) -> list[str]:
    try:
        return read_bytes(file).decode("utf-8", "replace").splitlines()
    except NotFound:
        return []


def _parse_place(line: str) -> tuple[str, str]:
    try:
        value = json.loads(line)
        return str(value["session"]), str(value["path"])
    except (ValueError, KeyError, TypeError):
        return "", ""  # a line that was torn


def _tell(key: Key) -> dict[str, object]:
    return {name: getattr(key, name) for name in Key.__match_args__}


def _fits(kept: object, key: Key) -> bool:
    wanted = _tell(key)
    if key.digest and not key.leaf and isinstance(kept, dict):
        wanted["leaf"] = kept.get("leaf")
    return kept == wanted
