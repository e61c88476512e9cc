"""Rollouts to read, recorded ones and such as a test writes."""

import json
from pathlib import Path
from typing import Any

from thruline.harnesses.codex.reader import Reader
from thruline.session.parts import Call, Part, Result, Said

HERE = Path(__file__).parent
NEW = next(HERE.glob("samples/*01a1e232*.jsonl"))
OLD = next(HERE.glob("samples/*019cb000*.jsonl"))
FORK = next(HERE.glob("relatives/*7346*.jsonl"))


def read(path: Path, **options: Any) -> list[Part]:
    return list(Reader(str(path), **options))


def of(kind: type[Part], parts: list[Part]) -> list[Any]:
    return [part for part in parts if type(part) is kind]


THREAD = "01a1e232-0000-7000-8000-000000000000"


def write(path: Path, *records: tuple[str, dict[str, Any]], thread: str = THREAD) -> Path:
    """A rollout of these (type, payload) behind a first record."""
    first = ("session_meta", {"id": thread, "cwd": "/w", "cli_version": "0.128.0"})
    lines = [{"timestamp": "t", "type": kind, "payload": payload} for kind, payload in (first, *records)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def event(kind: str, **payload: Any) -> tuple[str, dict[str, Any]]:
    return "event_msg", {"type": kind, **payload}


def human(parts: list[Part]) -> list[tuple[str, str]]:
    return [(part.kind, part.text) for part in of(Said, parts) if part.by == "human"]


def client(parts: list[Part]) -> list[tuple[str, str]]:
    return [(part.kind, part.text.split("\n")[0]) for part in of(Said, parts) if part.by == "client"]


def actions(parts: list[Part]) -> list[tuple[str, str, str, int | None]]:
    ends = {part.call_id: part for part in of(Result, parts)}
    return [
        (call.action, call.target, ends[call.call_id].outcome, ends[call.call_id].exit_status)
        for call in of(Call, parts)
    ]
