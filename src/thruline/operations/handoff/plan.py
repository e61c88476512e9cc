"""The plan that `handoff prepare` wrote, read back: it may come from anywhere, so nothing in it is believed."""

import json
import os
import re
from collections.abc import Mapping
from typing import Any

from thruline.disk.atomic import read_bytes
from thruline.errors import FormatError, NotFound, ThrulineError

_NEXT = "thruline handoff prepare writes one"
_CHUNK = re.compile(r"chunk-[0-9]+\.txt")


def load_plan(path: str) -> dict[str, Any]:
    """What `handoff prepare` wrote."""
    try:
        plan = json.loads(read_bytes(path))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"The plan is not JSON: {error}.", path=path, next=_NEXT) from None
    if not isinstance(plan, dict):
        raise FormatError("The plan is no object.", path=path, next=_NEXT)
    files = plan.get("source_files", [])
    if not isinstance(files, list) or not all(isinstance(one, str) for one in files):
        raise FormatError("The plan's source_files are no list of names.", path=path, next=_NEXT)
    return plan


def find_chunks(plan: Mapping[str, Any], path: str) -> list[str]:
    """The paths of a plan's chunks in their order; an error that says what is wrong with them."""
    chunks = plan.get("chunks")
    if not isinstance(chunks, list) or not all(map(_is_chunk, chunks)):
        raise FormatError("The plan names no chunks, each with an index and a path.", path=path, next=_NEXT)
    if not chunks:
        raise NotFound("The plan has no chunks: its spine can be read whole.", where=path, next="use the plan's spine")
    ordered = sorted(enumerate(chunks), key=lambda one: one[1].get("index", one[0]))
    return [chunk["path"] for _, chunk in ordered]


def _is_chunk(chunk: object) -> bool:
    # `True` is a whole number to Python.
    return isinstance(chunk, dict) and isinstance(chunk.get("path"), str) and type(chunk.get("index", 0)) is int


def find_text(plan_path: str, path: str) -> str:
    """Where the text of a chunk is: beside the plan, or where it was written if that is a handoff of the same session.

    "" for any other place: a plan that somebody made may name every file of the user's.
    """
    name = os.path.basename(path.replace("\\", "/"))
    beside = os.path.join(os.path.dirname(os.path.abspath(plan_path)), name)
    if _is_file(beside):
        return beside
    copied = _CHUNK.fullmatch(name) is not None and os.path.isabs(path) and _is_file(path)
    return path if copied and _is_same_handoff(plan_path, os.path.dirname(path)) else ""


def _is_file(path: str) -> bool:
    return not os.path.islink(path) and os.path.isfile(path)


def _is_same_handoff(plan_path: str, folder: str) -> bool:
    try:
        here, there = load_plan(plan_path), load_plan(os.path.join(folder, "plan.json"))
    except ThrulineError:
        return False
    return bool(here.get("session")) and here.get("session") == there.get("session")


def find_read(plan_path: str, summaries_dir: str) -> list[tuple[str, str]]:
    """The files that joining summaries reads, each with what it is: nothing may be written over them."""
    plan = load_plan(plan_path)
    read = [(plan_path, "the plan")]
    read += [(find_text(plan_path, path), "a chunk") for path in find_chunks(plan, plan_path)]
    spine = plan.get("spine")
    folder = os.path.dirname(os.path.abspath(plan_path))
    named = [spine] if isinstance(spine, str) else []
    read += [(path, "the spine") for path in (*named, os.path.join(folder, "spine.txt"))]
    read += [(path, "a transcript of the session") for path in plan.get("source_files", [])]
    if os.path.isdir(summaries_dir):
        read += [(os.path.join(summaries_dir, name), "a summary") for name in os.listdir(summaries_dir)]
    return read
