"""A world for Codex; places and settings as in the facts taken from the pinned version."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.clients.model import RESPONSES, Turn
from tests.clients.world import Said, World

CONFIG = """\
model = "gpt-5.5"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

# What would call the vendor in the background, or outlive the test; no test is about it.
[features]
daemon_auto_start = false
apps = false
plugins = false
remote_plugin = false
plugin_discovery_prefetch = false

[model_providers.stub]
name = "Stub"
base_url = "{url}/v1"
env_key = "STUB_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
"""


class CodexWorld(World):
    """One Codex with everything it writes under `config`."""

    harness = "codex"
    program = "codex"
    unseen = ("client_metadata",)
    passing = re.compile(r"Chunk ID: \w+|Wall time: [\d.]+ seconds")
    events = {  # noqa: RUF012 - a table
        "SessionStart": "session_start",
        "SessionEnd": "session_end",
        "UserPromptSubmit": "prompt",
        "Stop": "turn_end",
        "PostToolUse": "tool_done",
        "PreCompact": "before_compact",
        "PostCompact": "after_compact",
        "SubagentStart": "subagent_start",
        "SubagentStop": "subagent_end",
    }

    def __init__(self, binary: Path, root: Path, turns: Sequence[Said]) -> None:
        super().__init__(binary, root, RESPONSES, turns)

    def build_command_turn(self, line: str) -> Turn:
        return {"text": "Let me see.", "tools": [{"name": "exec_command", "args": {"cmd": line}}]}

    def settings(self, hooks: dict[str, str] | None = None) -> None:
        (self.config / "config.toml").write_text(CONFIG.format(url=self.model.url), encoding="utf-8")
        table = {
            event: [{"hooks": [{"type": "command", "command": line, "timeout": 10}]}]
            for event, line in (hooks or {}).items()
        }
        (self.config / "hooks.json").write_text(json.dumps({"hooks": table}), encoding="utf-8")

    def variables(self) -> dict[str, str]:
        return {"CODEX_HOME": str(self.config), "STUB_KEY": "dummy"}

    def build_words(self, prompt: str, *, resume: str = "", session: str = "") -> list[str]:
        assert not session, "this client chooses its ids itself"
        # Trust is given by a person in the interactive client; here we are that person.
        which = ["resume", resume] if resume else []
        return ["exec", "--json", "--dangerously-bypass-hook-trust", *which, prompt]

    def requests(self) -> list[dict[str, Any]]:
        return [record["body"] for record in self.model.records() if record["path"].endswith("/responses")]

    def transcripts(self) -> list[Path]:
        return sorted((self.config / "sessions").glob("*/*/*/rollout-*.jsonl"))

    def read_session_id(self, transcript: Path) -> str:
        first = json.loads(transcript.read_text(encoding="utf-8").splitlines()[0])
        return str(first["payload"]["id"])

    def let_in(self) -> None:
        config = self.config / "config.toml"
        if "trust_level" not in config.read_text():
            config.write_text(config.read_text() + f'\n[projects."{self.project}"]\ntrust_level = "trusted"\n')
