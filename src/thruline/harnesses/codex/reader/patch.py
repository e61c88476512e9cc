"""Patches as this client accounts for them; what their own text says is in `harnesses.patches`."""

from thruline.harnesses.patches import BEGIN, Patch, parse_patch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["BEGIN", "Patch", "parse_patch", "read_changes"]


def read_changes(told: "Any") -> Patch:
    """The patch that the client says it applied: {path: {type, content or unified_diff, move_path}}."""
    changes: list[tuple[str, str]] = []
    before: list[str] = []
    after: list[str] = []
    for path, change in told.items() if isinstance(told, dict) else ():
        if not isinstance(change, dict):
            continue
        kind, content = change.get("type"), change.get("content")
        lines = content.removesuffix("\n").split("\n") if isinstance(content, str) else []
        if kind == "add":
            changes.append((path, "created"))
            after += lines
        elif kind == "delete":
            changes.append((path, "deleted"))
            before += lines
        elif kind == "update":
            moved = change.get("move_path")
            if isinstance(moved, str) and moved:
                changes += [(path, "deleted"), (moved, "created")]
            else:
                changes.append((path, "edited"))
            diff = change.get("unified_diff")
            for line in diff.split("\n") if isinstance(diff, str) else ():
                if line.startswith("+"):
                    after.append(line[1:])
                elif line.startswith("-"):
                    before.append(line[1:])
    return Patch(changes, before, after)
