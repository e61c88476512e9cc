"""What lies in the homes of clients."""

import json
from pathlib import Path

CLAUDE, CODEX = ".claude/settings.json", ".codex/hooks.json"
THEIRS = {"type": "command", "command": "echo theirs"}


def read_tree(folder: Path, *, without: str = ".local") -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if without not in path.relative_to(folder).parts)
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"/" for path in found}


def find_commands(path: Path) -> dict[str, list[str]]:
    table = json.loads(path.read_text(encoding="utf-8-sig"))["hooks"]
    return {event: [each["command"] for group in groups for each in group["hooks"]] for event, groups in table.items()}
