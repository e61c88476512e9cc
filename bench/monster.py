"""Huge transcripts, made on the spot: deterministic, with marks that tell what a spine must and must not keep.

    python -m bench.monster 100 monster.jsonl [--talky] [--seed 7]

The shape follows what the newest client writes (`type` after `message` on the agent's records, one record per content
block, results with a copy of the payload beside them). Marks are words that stand nowhere else:
`U000012` in the person's 12th message, `A…` in the agent's, `T…` in what tools returned. A right spine holds every U
and A exactly once and no T.
"""

import argparse
import json
import random
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WORDS = tuple(
    "parser cache retry token branch index socket handler queue timeout schema fixture deploy merge lock cursor stream "  # noqa: SIM905
    "buffer header invoice session worker mapping column digest batch replica shard render layout filter signal".split()
)

HUGE = 5 << 20


@dataclass
class Marks:
    """How many marks of each kind were planted."""

    humans: int = 0
    agents: int = 0
    tools: int = 0


@dataclass
class Monster:
    """Makes records until about `size` bytes are written."""

    size: int
    seed: int = 7
    talky: bool = False
    huge_lines: int = 3
    compactions: int = 5
    sidechains: int = 12
    forks: int = 4
    marks: Marks = field(default_factory=Marks)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.session = self._uuid()
        self.parent: str | None = None
        self.clock = 1_780_000_000

    def lines(self) -> Iterator[bytes]:
        """The transcript, one line after another."""
        written = 0
        history: list[bytes] = []
        events = self._events()
        while written < self.size:
            due = next((event for event in list(events) if events[event] <= written), None)
            if due is not None:
                del events[due]
                produced = self._special(due.split("-")[0], history)
            else:
                produced = self._turn()
            for record in produced:
                line = record if isinstance(record, bytes) else _encode(record)
                written += len(line)
                if len(line) < 20_000:
                    history.append(line)
                yield line

    def _events(self) -> dict[str, int]:
        """What happens where, by the number of bytes written before it."""
        events: dict[str, int] = {}
        for kind, count in (
            ("huge", self.huge_lines),
            ("compaction", self.compactions),
            ("sidechain", self.sidechains),
            ("fork", self.forks),
        ):
            for number in range(count):
                events[f"{kind}-{number}"] = int(self.size * (number + 0.5) / max(count, 1))
        return events

    def _special(self, kind: str, history: list[bytes]) -> list[Any]:
        if kind == "huge":
            return self._tool(HUGE)
        if kind == "compaction":
            return self._compaction()
        if kind == "sidechain":
            return self._sidechain()
        # A resumed fork writes earlier records again: same uuid, new session id.
        before, self.session = self.session, self._uuid()
        return [line.replace(before.encode(), self.session.encode()) for line in history[-120:]]

    def _turn(self) -> list[Any]:
        self.marks.humans += 1
        text = f"U{self.marks.humans:06d} {self._prose(self.random.randint(6, 60))}"
        records: list[Any] = [self._record("user", {"message": {"role": "user", "content": text}})]
        for _ in range(self.random.randint(1, 6)):
            records.append(self._agent_text())
            if not self.talky or self.random.random() < 0.3:
                records += self._tool(self._tool_size())
        records.append(self._agent_text())
        return records

    def _tool_size(self) -> int:
        return self.random.randint(100, 1_500) if self.talky else int(self.random.paretovariate(1.1) * 2_200) % 200_000

    def _agent_text(self) -> dict[str, Any]:
        self.marks.agents += 1
        text = f"A{self.marks.agents:06d} {self._prose(self.random.randint(8, 80))}"
        return self._agent_record([{"type": "text", "text": text}])

    def _agent_record(self, content: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
        usage = {
            "input_tokens": 12,
            "output_tokens": 40,
            "cache_read_input_tokens": self.random.randint(1_000, 150_000),
        }
        message = {
            "id": f"msg_{self._uuid()[:13]}",
            "model": "model-x",
            "role": "assistant",
            "content": content,
            "usage": usage,
        }
        return self._record("assistant", {"message": message} | more)

    def _tool(self, size: int) -> list[dict[str, Any]]:
        call_id = "toolu_" + self._uuid().replace("-", "")[:20]
        name = self.random.choice(("Bash", "Read", "Grep", "Edit"))
        path = f"/home/dev/app/src/{self.random.choice(WORDS)}.py"
        command = {
            "Bash": {"command": f"pytest -k {self.random.choice(WORDS)}"},
            "Read": {"file_path": path},
            "Grep": {"pattern": self.random.choice(WORDS), "path": path},
            "Edit": {"file_path": path, "old_string": self._prose(9), "new_string": self._prose(9)},
        }[name]
        call = self._agent_record([{"type": "tool_use", "id": call_id, "name": name, "input": command}])
        self.marks.tools += 1
        payload = f"T{self.marks.tools:06d} " + self._payload(size)
        failed = self.random.random() < 0.05
        content = f"Exit code 1\nassertion failed in {path}" if failed else payload
        block = {"tool_use_id": call_id, "type": "tool_result", "content": content, "is_error": failed}
        result = self._record(
            "user",
            {
                "message": {"role": "user", "content": [block]},
                "toolUseResult": {"stdout": payload, "stderr": "", "interrupted": False},
                "sourceToolAssistantUUID": call["uuid"],
            },
        )
        return [call, result]

    def _compaction(self) -> list[dict[str, Any]]:
        self.parent = None
        boundary = self._record(
            "system",
            {"subtype": "compact_boundary", "content": "Conversation compacted",
             "compactMetadata": {"trigger": "auto", "preTokens": 167_000, "postTokens": 9_000}},
        )  # fmt: skip
        text = "This session is being continued from a previous conversation. " + self._prose(200)
        summary = self._record("user", {"message": {"role": "user", "content": text}, "isCompactSummary": True})
        return [boundary, summary]

    def _sidechain(self) -> list[dict[str, Any]]:
        before = self.parent
        self.parent = None
        aside = {"isSidechain": True, "agentId": self._uuid()[:8]}
        records = [
            self._record("user", {"message": {"role": "user", "content": "Look into " + self._prose(9)}} | aside)
        ]
        for _ in range(6):
            records.append(self._agent_record([{"type": "text", "text": "S" + self._prose(20)}], **aside))
        self.parent = before
        return records

    def _record(self, kind: str, fields: dict[str, Any]) -> dict[str, Any]:
        self.clock += self.random.randint(1, 40)
        record = {"parentUuid": self.parent, "isSidechain": False, **fields, "type": kind, "uuid": self._uuid()}
        record |= {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(self.clock)),
            "userType": "external", "cwd": "/home/dev/app", "sessionId": self.session,
            "version": "2.1.325", "gitBranch": "main",
        }  # fmt: skip
        self.parent = record["uuid"]
        return record

    def _uuid(self) -> str:
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def _prose(self, words: int) -> str:
        return " ".join(self.random.choices(WORDS, k=words))

    def _payload(self, size: int) -> str:
        line = f'{self._prose(8)}: {self.random.random()} "quoted"\t{{}}\n'
        return (line * (size // len(line) + 1))[:size]


def _encode(record: dict[str, Any]) -> bytes:
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def write_monster(path: Path, megabytes: float, *, seed: int = 7, talky: bool = False, huge_lines: int = 3) -> Marks:
    """Writes a transcript of about so many megabytes and returns what was planted in it."""
    monster = Monster(int(megabytes * 1_000_000), seed=seed, talky=talky, huge_lines=huge_lines)
    with path.open("wb") as file:
        file.writelines(monster.lines())
    return monster.marks


def main() -> None:
    """Writes one from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("megabytes", type=float)
    parser.add_argument("path", type=Path)
    parser.add_argument("--talky", action="store_true")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    marks = write_monster(options.path, options.megabytes, seed=options.seed, talky=options.talky)
    sys.stdout.write(f"{options.path}: {marks}\n")


if __name__ == "__main__":
    main()
