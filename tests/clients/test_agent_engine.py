"""The agent engine in the real client: extractors in one block, each with the declared inputs and nothing else.

The model is scripted, but it works as one would: it reads what our command printed, and spawns what that names.
"""

import json
import os
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clients.ours import run_thruline
from tests.clients.world import MakeWorld, World
from tests.engines.loopback import Asked, Bad, Calls, Server
from tests.sample import SAMPLE
from thruline.brief.section import NAMES
from thruline.extract.prompt import CHUNK_INPUTS, INPUTS, read_prompt, render_instruction
from thruline.layout import UserPaths

pytestmark = [pytest.mark.client, pytest.mark.usefixtures("crowd")]

INVENTED = "we always wanted the pause back"
TASK = re.compile(r"agent ([\w-]+)\n((?:  [A-Z_]+: .*\n?)+)")
THEN = re.compile(r"then run\n  (thruline .+)")
# What the command's own text tells a model to run for a REF; without it nothing is prepared here.
FIRST = re.compile(r"`(thruline handoff prepare )REF( --tasks)`")


class Model:
    """Follows the command; `options` are added to `prepare`, so that a short session is cut as well."""

    def __init__(self, options: str = "") -> None:
        self.options = options
        self.agents: dict[str, list[Asked]] = {}
        self.blocks: list[int] = []
        self.brief = ""
        self.then = ""
        self._together: dict[int, threading.Barrier] = {}

    def answer(self, asked: Asked) -> Calls | str | Bad:
        system = json.dumps(asked.body.get("system", ""), ensure_ascii=False)
        if "You extract one section of a brief" in system or "You read piece CHUNK_INDEX" in system:
            return self._work(asked)
        if not any(tool["name"] == "Bash" for tool in asked.body.get("tools", [])):
            return "A title"
        return self._lead(asked)

    def _lead(self, asked: Asked) -> Calls | str:
        said = read_last(asked)
        tasks, then = TASK.findall(said), THEN.findall(said)
        if "/thruline:handoff" not in json.dumps(asked.body["messages"]):
            return "Hello."
        if not any(message["role"] == "assistant" for message in asked.body["messages"]):
            told = FIRST.search(said)
            if told is None or "ONE block" not in said:
                return "The command does not say how."
            return run(f"{told.group(1)}{SAMPLE}{told.group(2)} {self.options}")
        if tasks:
            self.then = then[0]
            self.blocks.append(len(tasks))
            calls = [
                ("Agent", {"subagent_type": f"thruline:{name}", "description": name, "prompt": clean(lines)})
                for name, lines in tasks
            ]
            self._together[len(calls)] = threading.Barrier(len(calls))
            return Calls("All of them.", tuple(calls))
        if self.then:
            line, self.then = self.then, ""
            return run(line)
        self.brief = said
        return "Shown."

    def _work(self, asked: Asked) -> Calls | str | Bad:
        given = read_inputs(asked)
        name = given.get("SECTION") or f"chunk {given['CHUNK_INDEX']}"
        turns = self.agents.setdefault(name, [])
        turns.append(asked)
        if len(turns) > 1:
            return "Written."
        together = self._together[self.blocks[-1]]
        together.wait(60)  # nobody is answered before all of the block have asked
        if name == "basics":
            return "I would rather not."
        if name.startswith("chunk"):
            value: dict[str, Any] = {"chunk_index": int(given["CHUNK_INDEX"]), "summary": f"SUMMARY-{name}"}
            value["key_pointers"] = []
            path = os.path.join(given["SUMMARIES_DIR"], f"chunk-{given['CHUNK_INDEX']}.json")
        else:
            said = f'The user: "{INVENTED}" (`transcript:L3`).' if name == "dead_ends" else ""
            value = {"section": name, "content": f"ANSWER-OF-{name} (`transcript:L23`). {said}", "pointers": []}
            path = os.path.join(given["SECTIONS_DIR"], f"{name}.json")
        return Calls("", (("Write", {"file_path": path, "content": json.dumps(value) + "\n"}),))


def run(line: str) -> Calls:
    return Calls("", (("Bash", {"command": line, "description": "x"}),))


def clean(lines: str) -> str:
    return "\n".join(line.strip() for line in lines.strip().splitlines())


def read_last(asked: Asked) -> str:
    """What was said since the model's last message: a tool's result, what a person typed, what the client adds."""
    messages = asked.body["messages"]
    spoke = [at for at, message in enumerate(messages) if message["role"] == "assistant"]
    return "\n".join(map(read_text, messages[spoke[-1] + 1 if spoke else 0 :]))


def read_text(message: dict[str, Any]) -> str:
    content = message["content"]
    blocks = content if isinstance(content, list) else [{"text": content}]
    found = [block.get("text") or block.get("content") or "" for block in blocks]
    return "\n".join(one if isinstance(one, str) else "\n".join(part.get("text", "") for part in one) for one in found)


def read_inputs(asked: Asked) -> dict[str, str]:
    """The lines of inputs in the first message of an agent."""
    return dict(re.findall(r"^([A-Z_]+): (.*)$", read_text(asked.body["messages"][0]), re.MULTILINE))


@pytest.fixture
def lead(claude_world: MakeWorld) -> Iterator[Any]:
    """Runs the command in an installed client with a model, and returns its world."""
    servers: list[Server] = []

    def start(model: Model) -> World:
        world: World = claude_world("unused")
        run_thruline(world, "install", "--harness", world.harness, "--yes")
        server = Server(model.answer)
        servers.append(server)
        bin_folder = str(Path(sys.executable).parent)
        variables = world.variables()
        variables |= {"ANTHROPIC_BASE_URL": server.url, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}
        world.variables = lambda: variables  # type: ignore[method-assign]
        world.ask("Hello.")  # the older client takes a plugin in the session after
        done = world.ask(f"/thruline:handoff {SAMPLE}")
        assert done.code == 0, done.stderr + done.stdout
        return world

    yield start
    for server in servers:
        server.close()


@pytest.mark.feature("F001-14", via="client")
@pytest.mark.feature("F001-15", via="client")
@pytest.mark.feature("F001-31", via="client")
def test_five_extractors_run_in_one_block_blind_to_each_other_and_the_brief_is_proved(lead: Any) -> None:
    model = Model()
    world = lead(model)
    assert model.blocks == [5]
    assert sorted(model.agents) == sorted(NAMES)
    for name, turns in model.agents.items():
        assert tuple(read_inputs(turns[0])) == INPUTS
        body = json.dumps(turns[0].body, ensure_ascii=False)
        assert "ANSWER-OF" not in body
        assert "writes some orders twice" not in body, "the session's words come from the file alone"
        instruction = render_instruction(read_prompt(name, "agent"))
        assert json.dumps(instruction.strip(), ensure_ascii=False)[1:200] in body
    assert "ANSWER-OF-convergence" in model.brief
    assert INVENTED not in model.brief
    assert "basics: there is no file" in model.brief
    assert "## Basics" in model.brief
    assert not list(Path(UserPaths(str(world.state), "").cache, "handoff").glob("*"))


@pytest.mark.feature("F001-09", via="client")
def test_a_long_session_is_summarized_in_one_block_before_the_five(lead: Any) -> None:
    model = Model("--direct 100 --budget 500")
    lead(model)
    chunks = [name for name in model.agents if name.startswith("chunk")]
    assert len(chunks) >= 3
    assert model.blocks == [len(chunks), 5]
    for name in chunks:
        first = model.agents[name][0]
        assert tuple(read_inputs(first)) == CHUNK_INPUTS
        assert "SUMMARY-" not in json.dumps(first.body)
    assert "ANSWER-OF-convergence" in model.brief
