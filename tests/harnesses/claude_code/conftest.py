"""A transcript written record by record, as the client writes it: each record names the one before."""

import json
from pathlib import Path
from typing import Any

import pytest


class Transcript:
    """Writes one file. Every method adds one record and returns its uuid; `line` is the last line written."""

    def __init__(self, path: Path, session: str = "5e551011-0000-4000-8000-000000000001") -> None:
        self.path = path
        self.session = session
        self.line = 0
        self.tip: str | None = None
        self.number = 0
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")

    def raw(self, data: bytes) -> None:
        with self.path.open("ab") as file:
            file.write(data)
        self.line += data.count(b"\n")

    def note(self, **record: Any) -> None:
        self.raw(json.dumps({**record, "sessionId": self.session}, separators=(",", ":")).encode() + b"\n")

    def record(self, kind: str, parent: str | None = "tip", **fields: Any) -> str:
        self.number += 1
        uuid = fields.pop("uuid", f"{self.number:08x}-1111-4111-8111-{self.number * 7919:012x}")
        record = {
            "parentUuid": self.tip if parent == "tip" else parent,
            "isSidechain": False,
            "userType": "external",
            "cwd": "/home/dev/shop",
            "sessionId": self.session,
            "version": "2.1.197",
            "gitBranch": "main",
            "type": kind,
            **fields,
            "uuid": uuid,
            "timestamp": f"2026-11-01T10:{self.number // 60:02d}:{self.number % 60:02d}.000Z",
        }
        self.raw(json.dumps(record, separators=(",", ":")).encode() + b"\n")
        if not record["isSidechain"]:
            self.tip = uuid
        return uuid

    def user(self, content: Any, **fields: Any) -> str:
        return self.record("user", message={"role": "user", "content": content}, **fields)

    def agent(self, *blocks: Any, message_id: str = "", output: int = 5, **fields: Any) -> str:
        message = {
            "id": message_id or f"msg_{self.number}",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-5",
            "content": [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks],
            "usage": {
                "input_tokens": 10,
                "cache_creation_input_tokens": 200,
                "cache_read_input_tokens": 3000,
                "output_tokens": output,
            },
        }
        return self.record("assistant", message=message, **fields)

    def call(self, call_id: str, name: str, **given: Any) -> str:
        return self.agent({"type": "tool_use", "id": call_id, "name": name, "input": given})

    def result(self, call_id: str, content: Any, *, error: bool = False, result: Any = None, **fields: Any) -> str:
        block = {"type": "tool_result", "tool_use_id": call_id, "content": content}
        if error:
            block["is_error"] = True
            result = f"Error: {content}" if result is None else result
        extra = fields.pop("beside", [])
        return self.user([block, *extra], toolUseResult=result if result is not None else {"stdout": content}, **fields)

    def queue(self, operation: str, content: Any = None) -> None:
        held = {} if content is None else {"content": content}
        self.note(type="queue-operation", operation=operation, timestamp="2026-11-01T10:00:00.000Z", **held)


@pytest.fixture
def transcript(tmp_path: Path) -> Transcript:
    """An empty transcript in the folder of a project."""
    session = "5e551011-0000-4000-8000-000000000001"
    return Transcript(tmp_path / "projects" / "-home-dev-shop" / f"{session}.jsonl", session)
