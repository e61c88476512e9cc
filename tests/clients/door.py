"""Our door in a client's world without the worker: what it would have left is planted, what is left for it is read."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from tests.clients.ours import find_hooks
from tests.clients.world import World
from thruline.layout import UserPaths
from thruline.operations.hook_entry import write_entry
from thruline.operations.install.line import build_line

PLANTED = "The planted ready text: we chose tabs, and the user said no to spaces."
ANOTHER = "99999999-1111-2222-3333-444455556666"


def open_door(world: World, worker: str = "") -> None:
    """Our door, for every event of the client that we answer; `worker` stands for the environment's interpreter."""
    entry = write_entry(str(world.state))
    stub = Path(entry.script)
    stub.write_text(stub.read_text(encoding="utf-8").replace(repr(sys.executable), repr(worker)), encoding="utf-8")
    world.settings(hooks=build_hooks(world))


def build_hooks(world: World) -> dict[str, str]:
    """Our command lines, by the client's event names."""
    paths = UserPaths(str(world.state), "")
    return {theirs: build_line(paths, world.harness, ours) for theirs, ours in world.events.items()}


def plant(path: str, text: str = PLANTED, **fields: object) -> Path:
    """A ready text at `path`, as the worker leaves it."""
    envelope = {"schema": 1, "id": "planted", "kind": "late", "from": ANOTHER, "pid": 0, "text": text, **fields}
    os.makedirs(os.path.dirname(path), exist_ok=True)
    Path(path).write_text(json.dumps(envelope), encoding="utf-8")
    return Path(path)


def read_spool(world: World) -> list[dict[str, Any]]:
    """The events that were left, in their order."""
    return [json.loads(path.read_bytes()) for path in sorted(Path(find_hooks(world).spool).iterdir())]
