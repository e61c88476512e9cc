"""Labelled messages as situations: from the transcripts where there are any, else from the rows themselves."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
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
MADE = Path(__file__).with_name("made.tsv")
# What the agent had just said where a message was made up, taken in turn.
_SAID_BEFORE = {
    "delivery": (
        "Done. I added the helper and updated the two callers. All tests pass.",
        "I've implemented the change in `src/app.ts`.\n\n- new endpoint\n- validation\n- tests",
        "Fixed. The handler now checks the input before it writes.",
        "Updated the component and removed the old styles. Everything is green.",
        "The script is ready: it reads the file, converts each row and writes the result.",
    ),
    "proposal": (
        "There are three options:\n\n1. A queue\n2. A cron job\n3. A trigger\n\nI recommend the first. Which one?",
        "Here is the plan:\n\n1. Extract the client\n2. Add a cache\n3. Migrate the callers\n\nShall I go ahead?",
        "I suggest we split the module and introduce an interface. Would you like me to do that?",
    ),
    "claim": (
        "The issue is that the token expires after a day, so the second request fails.",
        "This happens because the index is rebuilt on every start. It is expected and safe.",
        "Here's how it works: the scheduler reads the table, picks the first row and locks it.",
    ),
    "work": ("Let me look at the other files first.", "Now let me run the tests."),
    "nothing": (),
}
# Features of what is not told of a made-up message must not be learned from its silence.
_UNTOLD = ("answer", "closing", "review.", "heard", "after")

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


def read_made(path: Path = MADE) -> list[Example]:
    """The made-up messages, as three people's; `made` among their features takes up how many are corrections."""
    made = []
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    for number, (variety, follows, text) in enumerate(rows):
        before: tuple[Step, ...] = ()
        texts = _SAID_BEFORE[follows]
        if texts:
            before = (Step("text", texts[number % len(texts)]),)
        if follows == "delivery":
            before = (Step("edit", "src/app.ts", ("src/app.ts",)), *before)
        elif follows == "work":
            before = (*before, Step("read", "src/app.ts"))
        situation = Situation(parts.Said(1, "human", "turn", text), before, first=not before)
        features = build_features(situation)
        told = [name for name in features.situations if not name.startswith(_UNTOLD)]
        label = {"correction": variety != "-", "correction_type": variety if variety != "-" else None}
        features = replace(features, situations=frozenset([*told, "made"]))
        made.append(Example(text, features, f"made {number % 3}", "made", "turn", label))
    return made


def read_examples(shared: Path = SHARED) -> list[Example]:
    """All labelled messages, as features."""
    return [
        Example(situation.said.text, build_features(situation), person, owner, situation.said.kind, row)
        for person, owner, situation, row in [*read_messages(shared), *read_labels(shared)]
    ]
