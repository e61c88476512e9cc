"""A world for Claude Code; places and variables as in the facts taken from the pinned version."""

import json
import re
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.clients.model import MESSAGES, Turn
from tests.clients.world import Said, World

KEY = "sk-test-000"


class ClaudeWorld(World):
    """One Claude Code with everything it writes under `config`."""

    harness = "claude-code"
    program = "claude"
    unseen = ("metadata",)
    events = {  # noqa: RUF012 - a table
        "SessionStart": "session_start",
        "SessionEnd": "session_end",
        "UserPromptSubmit": "prompt",
        "Stop": "turn_end",
        "PostToolUse": "tool_done",
        "PostToolUseFailure": "tool_failed",
        "PreCompact": "before_compact",
        "PostCompact": "after_compact",
        "SubagentStart": "subagent_start",
        "SubagentStop": "subagent_end",
    }

    def __init__(self, binary: Path, root: Path, turns: Sequence[Said]) -> None:
        super().__init__(binary, root, MESSAGES, turns)

    def build_command_turn(self, line: str) -> Turn:
        return {"text": "Let me see.", "tools": [{"name": "Bash", "input": {"command": line, "description": "x"}}]}

    def settings(self, hooks: dict[str, str] | None = None) -> None:
        table = {event: [{"hooks": [{"type": "command", "command": line}]}] for event, line in (hooks or {}).items()}
        (self.config / "settings.json").write_text(json.dumps({"hooks": table}), encoding="utf-8")

    def variables(self) -> dict[str, str]:
        return {
            "CLAUDE_CONFIG_DIR": str(self.config),
            "CLAUDE_CODE_TMPDIR": str(self.temporary),
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": self.model.url,
            "DISABLE_AUTOUPDATER": "1",
            "IS_SANDBOX": "1",  # else root may not skip permissions
        }

    def build_words(self, prompt: str, *, resume: str = "", session: str = "") -> list[str]:
        which = ["--resume", resume] if resume else ["--session-id", session or str(uuid.uuid4())]
        return ["-p", prompt, *which, "--dangerously-skip-permissions"]

    def requests(self) -> list[dict[str, Any]]:
        return [record["body"] for record in self.model.records() if record["lane"] == "main"]

    def transcripts(self) -> list[Path]:
        folder = re.sub(r"[^A-Za-z0-9]", "-", str(self.project))
        return sorted((self.config / "projects" / folder).glob("*.jsonl"))

    def read_session_id(self, transcript: Path) -> str:
        return transcript.stem

    def let_in(self) -> None:
        path = self.config / ".claude.json"
        known = json.loads(path.read_text()) if path.exists() else {}
        known |= {"hasCompletedOnboarding": True, "theme": "dark"}
        known["customApiKeyResponses"] = {"approved": [KEY[-20:]], "rejected": []}
        here = known.setdefault("projects", {}).setdefault(str(self.project), {})
        here |= {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        path.write_text(json.dumps(known))
