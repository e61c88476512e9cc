"""Labelled messages as situations: from the transcripts where there are any, else from the rows themselves."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from thruline.harnesses.transcripts import open_reader, recognise
from thruline.session import parts
from thruline.signals.features import build_features
from thruline.signals.situation import BEFORE, Situation, SituationBuilder, Step
from tools.train.fit import Example

SHARED = Path(__file__).resolve().parents[3] / "shared"

_ACTIONS = {
    "Bash": "run", "Edit": "edit", "MultiEdit": "edit", "NotebookEdit": "edit", "Write": "write", "Read": "read",
    "Grep": "search", "Glob": "search", "Task": "delegate", "Agent": "delegate", "AskUserQuestion": "ask",
    "ExitPlanMode": "plan", "TodoWrite": "tasks", "TaskCreate": "tasks", "TaskUpdate": "tasks", "WebFetch": "fetch",
    "WebSearch": "fetch",
}  # fmt: skip
_CALL = re.compile(r"\[(\w+) \{(.*)", re.DOTALL)
_PATH = re.compile(r'"(?:file_path|path)": "([^"]+)')
_COMMAND = re.compile(r'"command": "((?:[^"\\]|\\.)*)')
_HOME = re.compile(r"/(?:Users|home)/([\w.-]+)")


def parse_step(text: str) -> Step:
    """A step from a row's `before`: a text, or `[Tool {…` cut somewhere."""
    call = _CALL.match(text)
    if call is None:
        return Step("text", text)
    action, body = _ACTIONS.get(call[1], "other"), call[2]
    path, command = _PATH.search(body), _COMMAND.search(body)
    target = (command or path)[1] if (command or path) else body  # type: ignore[index]
    return Step(action, target, (path[1],) if path else ())


def read_situations(path: Path) -> Iterator[Situation]:
    """Every human message of a transcript with what was before and after it."""
    builder = SituationBuilder()
    for part in open_reader(recognise(str(path)), str(path)):
        done = builder.see(part)
        if done is not None:
            yield done
    last = builder.finish()
    if last is not None:
        yield last


def _read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read_messages(shared: Path = SHARED) -> list[tuple[str, str, Situation, dict[str, Any]]]:
    """(person, owner, situation, label) of `corpus-messages`; the person is told by the home folder of the session."""
    sessions: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in _read_lines(shared / "corpus-messages" / "messages.jsonl"):
        sessions[row["session"]].append(row)
    homes: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    whole: dict[tuple[str, int], Situation] = {}
    for path in sorted((shared / "corpus-compacted").glob("*-*.jsonl")):
        for situation in read_situations(path):
            whole[path.stem, situation.said.line] = situation
    out = []
    for session, rows in sessions.items():
        rows.sort(key=lambda row: row["line"])
        for at, row in enumerate(rows):
            for home in _HOME.findall(" ".join(row["before"]) + row["text"]):
                homes[row["author"]][home] += 1
            known = whole.get((session, row["line"]))
            if known is None or known.said.text[:60].strip() != row["text"][:60].strip():
                known = _build(rows, at)
            out.append((row["author"], "messages", known, row))
    names = {author: max(sorted(found), key=found.__getitem__) for author, found in homes.items()}
    few = {author for author in names if sum(1 for author_, *_ in out if author_ == author) < 12}
    return [
        ("few" if author in few or author not in names else names[author], owner, situation, row)
        for author, owner, situation, row in out
    ]


def _build(rows: list[dict[str, Any]], at: int) -> Situation:
    # The next row's `before` is the end of the answer to this one; it is the whole of it where it is not full.
    row = rows[at]
    said = parts.Said(row["line"], "human", row["kind"], row["text"], uuid=row["uuid"] or "")
    before = tuple([parse_step(text) for text in row["before"]])
    made = Situation(said, before, rows[at - 1]["text"] if at else "", first=not at and not before)
    answer = rows[at + 1]["before"] if at + 1 < len(rows) else None
    made.answered = answer is not None and len(answer) < BEFORE
    for text in answer or ():
        made.answer(parse_step(text))
    return made


def read_labels(shared: Path = SHARED) -> list[tuple[str, str, Situation, dict[str, Any]]]:
    """(person, owner, situation, label) of `corpus`, copies left out."""
    files: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in _read_lines(shared / "corpus" / "labels.jsonl"):
        if not row["duplicate_of"]:
            files[row["file"]].append(row)
    out = []
    for file, rows in files.items():
        path = shared / "corpus" / file
        owner = file.split("/")[0]
        home = re.search(r'"cwd":"/(?:Users|home)/([\w.-]+)', path.read_text(encoding="utf-8")[:400_000])
        person = home[1] if home and not owner.startswith("daaain") else owner
        lines: dict[int, list[Situation]] = defaultdict(list)
        for situation in read_situations(path):
            lines[situation.said.line].append(situation)
        for row in rows:
            here = lines[row["line"]]
            exact = [situation for situation in here if not row["uuid"] or situation.said.uuid == row["uuid"]]
            if exact or here:
                out.append((person, owner, (exact or here)[0], row))
    return out


def read_examples(shared: Path = SHARED) -> list[Example]:
    """All labelled messages, as features."""
    return [
        Example(situation.said.text, build_features(situation), person, owner, situation.said.kind, row)
        for person, owner, situation, row in [*read_messages(shared), *read_labels(shared)]
    ]
