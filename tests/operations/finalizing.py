"""A session full of corrections, sections as a model writes them, and the brief of both."""

import json
from pathlib import Path

from tests.harnesses.claude_code.conftest import Transcript
from thruline.brief.pointer import place
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import Claim, Section
from thruline.operations.handoff.finalize import Finalized, finalize
from thruline.operations.sessions.locate import locate

CORRECTIONS = [
    "No, don't add a pause. We tried that in spring.",
    "That is wrong, the cursor is inclusive.",
    "Why keep every id? It must run in constant memory.",
    "Stop touching export_legacy.py, two customers depend on it.",
    "Never change the column order, old consumers read by position.",
]


def write_talk(folder: Path) -> Transcript:
    transcript = Transcript(folder / "5e551011-0000-4000-8000-000000000001.jsonl")
    for number, correction in enumerate(CORRECTIONS):
        transcript.user(f"{correction} Look at part {number}.")
        transcript.agent(f"Understood, part {number} is done differently now.")
    return transcript


RULES = {
    "dead_ends": Section(
        "dead_ends",
        tuple(
            Claim("Answered with a rule:", (Quote(text, place(2 * number + 1)),), keep=True, weight=0.8)
            for number, text in enumerate(CORRECTIONS)
        ),
    ),
    "basics": Section("basics", (Claim("In `/home/dev/shop`.", pointers=(place(1),)),)),
}


def write(folder: Path, contents: dict[str, object]) -> Path:
    folder.mkdir()
    for name, content in contents.items():
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        (folder / f"{name}.json").write_bytes(raw)
    return folder


def make(talk: Transcript, folder: Path, rules: dict[str, Section] | None = None) -> Finalized:
    located = locate(str(talk.path), folder=str(folder))
    return finalize(located, str(folder), root=str(folder), rules=RULES if rules is None else rules)


def answer(name: str, content: str, pointers: object = ()) -> dict[str, object]:
    return {"section": name, "content": content, "pointers": list(pointers)}  # type: ignore[call-overload]
