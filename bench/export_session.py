"""A session that a client exported as one JSON document, as parts: for measuring on a client that has no reader yet."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from thruline.session import parts
from thruline.session.commands import may_commit, parse_commits

_ACTIONS = {"bash": "run", "write": "write", "edit": "edit", "apply_patch": "edit", "read": "read"}
_PATCHED = re.compile(r"\*\*\* (Add|Update|Delete) File: (.+)")
_HOW = {"Add": "created", "Update": "edited", "Delete": "deleted"}


def read_export(path: Path) -> Iterator[parts.Part]:
    """The parts of an export; a line is the ordinal of its message."""
    document = json.loads(path.read_text(encoding="utf-8"))
    info = document["info"]
    yield parts.Changed(1, "cwd", info.get("directory", ""))
    yield parts.Changed(1, "title", info.get("title", ""))
    for number, message in enumerate(document["messages"], 1):
        human = message["info"]["role"] == "user"
        for part in message["parts"]:
            if part.get("type") == "text" and part.get("text", "").strip() and not part.get("synthetic"):
                by, kind = ("human", "turn") if human else ("agent", "text")
                yield parts.Said(number, by, kind, part["text"], uuid=part.get("id", ""))
            elif part.get("type") == "tool":
                yield from _read_tool(number, part)


def _read_tool(number: int, part: dict[str, Any]) -> Iterator[parts.Part]:
    state, name = part.get("state", {}), part["tool"]
    given = state.get("input") or {}
    path, command = given.get("filePath", ""), given.get("command", "")
    target = command or path or given.get("description", "")
    yield parts.Call(number, part["callID"], name, _ACTIONS.get(name, "other"), target, paths=(path,) if path else ())
    done = state.get("status") == "completed"
    changes: tuple[tuple[str, str], ...] = ()
    if done and name in ("write", "edit"):
        changes = ((path, "created" if name == "write" else "edited"),)
    elif done and name == "apply_patch":
        changes = tuple((file, _HOW[how]) for how, file in _PATCHED.findall(given.get("patchText", "")))
    commits = parse_commits(state.get("output") or "") if may_commit(command) else ()
    outcome = parts.OK if done else parts.ERROR
    yield parts.Result(number, part["callID"], outcome, 0, changes=changes, commits=commits)
