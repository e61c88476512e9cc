"""Loops in the foreground of a session whose hooks are run for real."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.hooks.conftest import HARNESS, SESSION, Hook
from thruline.artifacts.loop import LONGEST_SLUG, Loop, parse_loop, render_loop
from thruline.artifacts.loop_leave import write_leave
from thruline.artifacts.loop_pointer import Pointer, parse_pointer, render_pointer
from thruline.artifacts.slug import build_stamped_id
from thruline.layout import ProjectPaths, build_project_paths, find_root

MOMENT = datetime(2026, 11, 16, 10, 0, tzinfo=UTC)
PROMPT = "Make all the tests pass.\n\n## Not a heading\n```\nnor a fence\n```"

SPOILED = (
    "paused", "cancelled", "newer", "no schema", "another id", "no front matter", "open front matter", "binary",
    "gone", "a folder", "a pipe", "a link", "huge", "unreadable pointer", "a list", "a path", "a pointer to a pipe",
    "a number", "no session",
)  # fmt: skip


def find_paths(hook: Hook) -> ProjectPaths:
    return build_project_paths(find_root(str(hook.project)), str(hook.state))


def plant(hook: Hook, session: str = SESSION, prompt: str = PROMPT, *, front: bool = True, **fields: Any) -> str:
    """A loop as `loop start` leaves it, in the foreground of `session`."""
    paths = find_paths(hook)
    loop_id = build_stamped_id(MOMENT, prompt, LONGEST_SLUG)
    os.makedirs(paths.loops, exist_ok=True)
    os.makedirs(paths.indexes, exist_ok=True)
    name = f"{HARNESS}:{session}"
    Path(paths.build_loop(loop_id)).write_bytes(render_loop(loop_id, MOMENT, prompt, session=name, **fields))
    old = Path(paths.active_loop)
    pointer = parse_pointer(old.read_bytes()) if old.exists() else Pointer("", {}, {})
    old.write_bytes(render_pointer(pointer.put(session if front else "", loop_id)))
    write_leave(hook.here.build_loop_leave(loop_id), fields.get("until", ""))
    return loop_id


def read(hook: Hook, loop_id: str) -> Loop:
    path = find_paths(hook).build_loop(loop_id)
    return parse_loop(Path(path).read_bytes(), path)


def read_pointer(hook: Hook) -> Pointer:
    return parse_pointer(Path(find_paths(hook).active_loop).read_bytes())


def stop(hook: Hook, said: str = "Not yet.", session: str = SESSION, **options: Any) -> str:
    """The prompt that the end of a turn is answered with; empty where the session may stop."""
    fields = options.pop("fields", {})
    harness = options.pop("harness", HARNESS)
    payload = hook.build(session, last_assistant_message=said, hook_event_name="Stop", **fields)
    done = hook.run(harness, "turn_end", payload=payload, **options)
    assert (done.returncode, done.stderr) == (0, b"")
    if not done.stdout:
        return ""
    answer = json.loads(done.stdout)
    assert answer.pop("decision") == "block"
    return str(answer.pop("reason")) if not answer.keys() - {"reason"} else ""


def spoil(hook: Hook, loop_id: str, how: str) -> None:
    paths = find_paths(hook)
    path, pointer = Path(paths.build_loop(loop_id)), Path(paths.active_loop)
    text = path.read_text()
    changes = {
        "paused": lambda: path.write_text(text.replace("status: active", "status: paused")),
        "cancelled": lambda: path.write_text(text.replace("status: active", "status: cancelled")),
        "newer": lambda: path.write_text(text.replace("schema: 1", "schema: 2")),
        "no schema": lambda: path.write_text(text.replace("schema: 1\n", "")),
        "another id": lambda: path.write_text(text.replace(f"id: {loop_id}", "id: 20261116-100000-x")),
        "no front matter": lambda: path.write_text("# hello"),
        "open front matter": lambda: path.write_text("---\nstatus: active\n"),
        "binary": lambda: path.write_bytes(os.urandom(500)),
        "gone": path.unlink,
        "a folder": lambda: (path.unlink(), path.mkdir()),
        "a pipe": lambda: (path.unlink(), os.mkfifo(path)),
        "a link": lambda: (path.rename(hook.project / "elsewhere.md"), path.symlink_to(hook.project / "elsewhere.md")),
        "huge": lambda: path.write_text(text + "x" * (2 << 20)),
        "unreadable pointer": lambda: pointer.write_text("{"),
        "a list": lambda: pointer.write_text("[]"),
        "a path": lambda: pointer.write_text(json.dumps({"sessions": {SESSION: f"../loops/{loop_id}"}})),
        "a pointer to a pipe": lambda: (pointer.unlink(), os.mkfifo(pointer)),
        "a number": lambda: pointer.write_text(json.dumps({"sessions": {SESSION: 7}})),
        "no session": lambda: pointer.write_text(json.dumps({"active_loop_id": loop_id})),
    }
    changes[how]()
