"""The patch language that more than one client gives its model: which files a patch names, and what it does to them."""

from zlib import crc32

from thruline.session.symbols import compare_symbols

BEGIN = "*** Begin Patch"

_ADD, _UPDATE, _DELETE, _MOVE = "*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "


class Patch:
    """What a patch does: (path, created|edited|deleted) in its order, and CRC-32 of the lines taken out and put in.

    `symbols` are the definitions among those lines, where it is a patch of one file: of several, nobody could tell
    which file has which.
    """

    __slots__ = ("after", "before", "changes", "symbols")

    def __init__(self, changes: "list[tuple[str, str]]", before: "list[str]", after: "list[str]") -> None:
        self.changes = changes
        self.before = _digest(before)
        self.after = _digest(after)
        path = changes[0][0] if len(changes) == 1 else ""
        self.symbols = compare_symbols("\n".join(before), "\n".join(after), path)

    def action(self) -> str:
        """The action of a call that applies it."""
        kinds = {how for _, how in self.changes}
        return "write" if kinds == {"created"} else "delete" if kinds == {"deleted"} else "edit"


def _digest(lines: "list[str]") -> int:
    return crc32("\n".join(lines).encode("utf-8", "replace")) if lines else 0


def parse_patch(text: str) -> Patch:
    """The patch that `text` holds."""
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
