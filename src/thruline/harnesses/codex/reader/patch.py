"""Patches: which files one names and what it does to them, from the patch's text or from the client's own account."""

from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BEGIN = "*** Begin Patch"

_ADD, _UPDATE, _DELETE, _MOVE = "*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "


class Patch:
    """What a patch does: (path, created|edited|deleted) in its order, and CRC-32 of the lines taken out and put in."""

    __slots__ = ("after", "before", "changes")

    def __init__(self, changes: "list[tuple[str, str]]", before: "list[str]", after: "list[str]") -> None:
        self.changes = changes
        self.before = _digest(before)
        self.after = _digest(after)

    def action(self) -> str:
        """The action of a call that applies it."""
        kinds = {how for _, how in self.changes}
        return "write" if kinds == {"created"} else "delete" if kinds == {"deleted"} else "edit"


def _digest(lines: "list[str]") -> int:
    return crc32("\n".join(lines).encode("utf-8", "replace")) if lines else 0


def parse_patch(text: str) -> Patch:
    """The patch that `text` holds, in the client's own patch language."""
    changes: list[tuple[str, str]] = []
    before: list[str] = []
    after: list[str] = []
    at = text.find(BEGIN)
    for line in text[max(at, 0) :].split("\n"):
        if line.startswith("*** "):
            if line.startswith(_ADD):
                changes.append((line[len(_ADD) :].strip(), "created"))
            elif line.startswith(_DELETE):
                changes.append((line[len(_DELETE) :].strip(), "deleted"))
            elif line.startswith(_UPDATE):
                changes.append((line[len(_UPDATE) :].strip(), "edited"))
            elif line.startswith(_MOVE) and changes:
                changes[-1] = (changes[-1][0], "deleted")
                changes.append((line[len(_MOVE) :].strip(), "created"))
        elif line.startswith("+"):
            after.append(line[1:])
        elif line.startswith("-"):
            before.append(line[1:])
    return Patch(changes, before, after)


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
