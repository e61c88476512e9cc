"""A compaction driven in the real client: a session with planted facts, a scripted summary, and what the model hears.

The session is written as the client writes one, so that sixty facts do not need sixty turns. The summary drops half of
them and says a third of the rest in other words; which, a seed decides. Everything after that is the client's own.

Everything the model is sent counts, whoever put it there: a fact that the summary kept and that stands a second time
anywhere in the request was repeated. Where a person asks for the compaction, the client puts what hooks print before it
into the conversation; it does not where the window was full.
"""

import csv
import json
import os
import random
import re
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.clients.heard import find_strings, read_strings
from tests.clients.world import World
from tests.engines.loopback import Asked, Calls, Server
from tests.work.shop import wait_for_worker
from thruline.layout import HookPaths

PLANTED = Path(__file__).with_name("planted.tsv")
BEFORE = "Where do we stand?"
GO_ON = "Go on with the work, please."
ASKS_FOR_SUMMARY = "create a detailed summary of"
MANUAL, AUTO = "manual", "auto"
# The smallest window that the client takes, and tokens that fill it.
WINDOW = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000"}
FULL = 95_000
ANSWER = "Noted; I will keep to that."
TOLD = re.compile(r"thruline, for information: the summary.*?(?=\n\n|\Z|\n</)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Planted:
    """One fact as a person said it (or a command that ran), and the same in other words."""

    kind: str
    fact: str
    other: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """One compaction. `alone` is what the summary has of the facts, `present` what the model was sent by the second
    request after it, `repeated` what stood there again though the summary had it."""

    kept: int
    alone: int
    present: int
    repeated: int
    told_bytes: int
    asked_to_keep: int


def read_planted() -> list[Planted]:
    """The facts of `planted.tsv`."""
    with PLANTED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    return [Planted(*row) for row in rows]


class Script:
    """The model: what it writes as a summary, and what it is sent after that."""

    def __init__(self, seed: int) -> None:
        self.work = "true"  # the command that it runs between the two requests
        self.facts = read_planted()
        chance = random.Random(seed)
        order = chance.sample(range(len(self.facts)), len(self.facts))
        self.kept = order[: len(order) // 2]
        wordy = [at for at in self.kept if self.facts[at].other]
        self.reworded = set(wordy[: len(self.kept) // 3])
        self.summary = "The user works on a shop.\n" + "".join(f"- {self.choose_words(at)}\n" for at in self.kept)
        self.asked = ""
        self.after: list[list[str]] = []

    def choose_words(self, at: int) -> str:
        """How the summary says a fact that it keeps."""
        return self.facts[at].other if at in self.reworded else self.facts[at].fact

    def answer(self, asked: Asked) -> Calls | str:
        messages = asked.body["messages"]
        asks = [said for message in messages[-3:] if ASKS_FOR_SUMMARY in (said := read_strings(message))]
        if asks:
            self.asked = "\n".join(asks)
            return f"<analysis>All was read.</analysis>\n<summary>\n{self.summary}</summary>"
        if not self.asked or GO_ON not in json.dumps(messages, ensure_ascii=False):
            return "In the middle of it."
        self.after.append([*find_strings([asked.body.get("system", ""), messages])])
        if len(self.after) == 1:
            return Calls("", (("Bash", {"command": self.work, "description": "Works"}),))
        return "Done."


def drive(world: World, seed: int, hooks: HookPaths | None = None, trigger: str = MANUAL) -> Outcome:
    """Plants the facts, has the client compact, and reads what the model was sent in the two requests after it."""
    script = Script(seed)
    server = Server(script.answer)
    try:
        variables = {**world.variables(), "ANTHROPIC_BASE_URL": server.url}
        world.variables = lambda: variables  # type: ignore[method-assign]
        session = write_session(world, script.facts)
        ask(world, BEFORE, session)
        if hooks is not None:
            wait_for_worker(hooks)  # a person takes longer than that to type the next words
            script.work = build_work(hooks.build_late(world.harness, session), hooks.injected)
        if trigger == MANUAL:
            ask(world, "/compact", session)
        else:
            fill(world, session)
            variables |= WINDOW
        ask(world, GO_ON, session)
    finally:
        server.close()
    return judge(script)


def build_work(late: str, told: str) -> str:
    """A command that takes as long as our worker to say what was lost, on this machine today; most take longer."""
    return f"timeout 20 sh -c 'until [ -e {late} ] || grep -qs \"lost \" {told}; do sleep 0.05; done'"


def ask(world: World, words: str, session: str) -> None:
    """One turn of the session."""
    run = world.ask(words, resume=session)
    assert run.code == 0, run.stderr + run.stdout


def fill(world: World, session: str) -> None:
    """The session's last answer took so many tokens that the client compacts before the next one."""
    (path,) = [each for each in world.transcripts() if each.stem == session]
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    last = next(row for row in reversed(rows) if row["type"] == "assistant")
    last["message"]["usage"]["input_tokens"] = FULL
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def judge(script: Script) -> Outcome:
    """What became of the facts."""
    assert script.asked, "the client asked for no summary"
    assert len(script.after) >= 2, "the model was not asked twice after the compaction"
    heard = flatten("\n".join(script.after[1]))
    told = next((found[0] for text in script.after[1] if (found := TOLD.search(text))), "")
    if os.environ.get("SHOW"):
        print(told)
    kept = {at: flatten(script.choose_words(at)) for at in script.kept}
    alone = sum(words in heard for words in kept.values())
    lost = [flatten(fact.fact) for at, fact in enumerate(script.facts) if at not in kept]
    return Outcome(
        len(kept),
        alone,
        alone + sum(words in heard for words in lost),
        sum(heard.count(flatten(script.facts[at].fact)) > (at not in script.reworded) for at in kept),
        len(told.encode()),
        sum(flatten(fact.fact) in flatten(script.asked) for fact in script.facts),
    )


def flatten(text: str) -> str:
    """One kind of blank."""
    return re.sub(r"[ \t]+", " ", text)


def write_session(world: World, facts: list[Planted]) -> str:
    """The transcript of a session in which people said the facts, two a turn, and ran the commands twice each."""
    session, folder = str(uuid.uuid4()), re.sub(r"[^A-Za-z0-9]", "-", os.path.realpath(world.project))
    rows: list[dict[str, Any]] = []

    def add(kind: str, content: Any, **more: Any) -> None:
        message: dict[str, Any] = {"role": kind, "content": content}
        if kind == "assistant":
            usage = {"input_tokens": 900, "output_tokens": 20}
            message |= {"id": f"msg_{len(rows)}", "type": "message", "model": "claude-opus-4-8", "usage": usage}
        rows.append(
            {
                "type": kind,
                "uuid": str(uuid.uuid4()),
                "parentUuid": rows[-1]["uuid"] if rows else None,
                "sessionId": session,
                "timestamp": f"2026-11-16T01:{len(rows) // 60:02d}:{len(rows) % 60:02d}.000Z",
                "cwd": str(world.project),
                "version": "2.1.197",
                "isSidechain": False,
                "userType": "external",
                "message": message,
                **more,
            }
        )

    def run(command: str) -> None:
        call = f"toolu_{len(rows)}"
        add("assistant", [{"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}}])
        result = {"stdout": "ok", "stderr": "", "interrupted": False}
        add("user", [{"type": "tool_result", "tool_use_id": call, "content": "ok"}], toolUseResult=result)

    spoken = [fact.fact for fact in facts if fact.kind != "command"]
    commands = [fact.fact for fact in facts if fact.kind == "command"]
    for at in range(0, len(spoken), 2):
        add("user", " ".join(spoken[at : at + 2]), promptSource="sdk")
        if commands and at % 4 == 0:
            command = commands[(at // 4) % len(commands)]
            run(command)
            run(command)
        add("assistant", [{"type": "text", "text": ANSWER}])
    path = world.config / "projects" / folder / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return session
