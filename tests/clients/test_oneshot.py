"""Headless clients as engines: real ones, asked five at once, answering well and badly."""

import json
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clients.codex import CONFIG
from tests.clients.door import open_door
from tests.clients.ours import PROGRAM
from tests.clients.world import MakeWorld, World
from tests.engines import loopback
from tests.engines.loopback import Asked, Bad, Decide, Server
from tests.sample import SAMPLE
from thruline.brief.section import NAMES

pytestmark = [pytest.mark.client, pytest.mark.usefixtures("crowd")]

INVENTED = "we always wanted the pause back"


@pytest.fixture
def serve() -> Iterator[Any]:
    servers: list[Server] = []

    def start(answer: Decide) -> Server:
        servers.append(Server(answer))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def say(asked: Asked, content: str = "The exporter was at fault (`transcript:L23`).") -> dict[str, Any]:
    return {"section": asked.section, "content": content, "pointers": []}


def handoff(
    world: World, server: Server, *words: str, before: str = "", behind: str = "", **env: str
) -> "subprocess.CompletedProcess[str]":
    """`thruline handoff` in the client's world, with its model at our server; the rest is the user's own settings."""
    config = world.config / "config.toml"
    if config.exists():
        config.write_text(before + CONFIG.format(url=server.url) + behind, encoding="utf-8")
    given = world.shell() | {"ANTHROPIC_BASE_URL": server.url} | env
    engine = ["--engine", f"command:{world.harness}"]
    return subprocess.run(
        [PROGRAM, "handoff", str(SAMPLE), *engine, *words],
        cwd=world.project,
        env=given,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def files_of(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_five_are_asked_at_once_and_leave_no_transcript(client_world: MakeWorld, serve: Any) -> None:
    world = client_world("unused")
    open_door(world)
    together = threading.Barrier(5)

    def answer(asked: Asked) -> dict[str, Any]:
        together.wait(60)  # nobody is answered before all five have asked
        return say(asked)

    server = serve(answer)
    done = handoff(world, server, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert set(told["sections"].values()) == {f"command:{world.harness}+rules"}
    assert told["failures"] == []
    assert sorted(asked.section for asked in server.requests) == sorted(NAMES)
    assert world.transcripts() == []
    assert not (world.state / "spool").exists()
    assert world.project_files() == {"README.md": b"# demo\n"}
    assert not list(world.temporary.glob("thruline-ask-*"))


def test_a_malformed_a_hanging_a_refusing_and_an_inventing_answer_cost_only_themselves(
    client_world: MakeWorld, serve: Any
) -> None:
    world = client_world("unused")

    def answer(asked: Asked) -> dict[str, Any] | str | Bad:
        if asked.section == "basics":
            return Bad(text="not JSON at all")
        if asked.section == "code_state":
            return Bad(hang=60)
        if asked.section == "open_threads":
            return Bad(status=400, text="I will not do that.")
        if asked.section == "dead_ends":
            return say(asked, f'The user: "{INVENTED}" (`transcript:L3`). Also no (`transcript:L99999`).')
        return say(asked)

    server = serve(answer)
    done = handoff(world, server, "--json", THRULINE_MODELS_TIMEOUT_SECONDS="12")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert {one["asked"] for one in told["failures"]} == {"basics", "code_state", "open_threads"}
    assert told["sections"]["convergence"] == f"command:{world.harness}+rules"
    assert [told["sections"][name] for name in ("basics", "code_state", "open_threads")] == ["rules"] * 3
    assert INVENTED not in told["brief"]
    assert "L99999" not in told["brief"]
    assert told["quotes"]["missing"] >= 1
    alone = subprocess.run(
        [PROGRAM, "handoff", str(SAMPLE), "--json"],
        cwd=world.project,
        env=world.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    mined = json.loads(alone.stdout)["sections"]["dead_ends"]
    words = [quote["text"] for claim in mined for quote in claim["quotes"] if quote["by"] == "human"]
    assert words
    assert all(one in told["brief"] for one in words)
    assert "code_state: timeout" in done.stderr


def test_a_child_that_a_client_leaves_behind_is_ended_with_it(client_world: MakeWorld, tmp_path: Path) -> None:
    world = client_world("unused")
    note = tmp_path / "pid"
    program = world.root / "programs" / world.program
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nsleep 600 &\necho $! > {note}\nsleep 600\n")
    program.chmod(0o755)
    server = Server(say)
    try:
        done = handoff(world, server, "--json", THRULINE_MODELS_TIMEOUT_SECONDS="1")
    finally:
        server.close()
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout)["sections"].values()) == {"rules"}
    status = Path(f"/proc/{note.read_text().strip()}/stat")
    assert not status.exists() or status.read_text().split()[2] == "Z"


def plant(path: Path, note: Path) -> str:
    """A program that notes that it ran."""
    path.write_text(f'#!/bin/sh\necho "$@" >> {note}\n', encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_nothing_of_the_user_s_reaches_a_question_and_no_tool_that_could_act(
    client_world: MakeWorld, serve: Any, tmp_path: Path
) -> None:
    world = client_world("unused")
    note = tmp_path / "ran"
    program = plant(tmp_path / "planted", note)
    server_table = {"mcpServers": {"planted": {"command": program}}}
    for folder in (world.config, world.root, world.project):
        for name in ("AGENTS.md", "CLAUDE.md"):
            (folder / name).write_text("PLANTED-WORDS\n", encoding="utf-8")
        for name in (".mcp.json", ".claude.json"):
            (folder / name).write_text(json.dumps(server_table), encoding="utf-8")
    skill = world.config / "skills" / "planted" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: planted\ndescription: PLANTED-WORDS\n---\nDo it.\n", encoding="utf-8")
    server = serve(say)
    kept = files_of(world.config)
    done = handoff(
        world,
        server,
        "--json",
        before=f'notify = ["{program}"]\ndeveloper_instructions = "PLANTED-WORDS"\n',
        behind=f'\n[mcp_servers.planted]\ncommand = "{program}"\n[mcp_servers."odd name"]\ncommand = "{program}"\n',
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["failures"] == []
    assert not note.exists(), note.read_text()
    assert len(server.requests) == 5
    for asked in server.requests:
        assert "PLANTED-WORDS" not in json.dumps(asked.body)
        names = {tool.get("name") or tool["type"] for tool in asked.body.get("tools", [])}
        assert names <= {"StructuredOutput", "apply_patch"}, names
    if world.harness == "codex":
        assert files_of(world.config) == kept, "the client worked in a home of its own"


def test_the_one_tool_that_no_setting_takes_away_can_write_nothing(
    codex_world: MakeWorld, serve: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = codex_world("unused")
    target = tmp_path / "written.txt"
    patch = f"*** Begin Patch\n*** Add File: {target}\n+planted\n*** End Patch\n"
    speak = loopback._WIRES["/responses"]

    def call_first(body: dict[str, Any], said: Any) -> Any:
        whole, events = speak(body, said)
        if "custom_tool_call_output" not in json.dumps(body):
            call = {"type": "custom_tool_call", "id": "c_1", "call_id": "c1", "name": "apply_patch", "input": patch}
            whole["output"] = [call]
            events[1] = (events[1][0], {"type": events[1][0], "output_index": 0, "item": call})
        return whole, events

    monkeypatch.setitem(loopback._WIRES, "/responses", call_first)
    server = serve(say)
    done = handoff(world, server, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["failures"] == []
    told = [json.dumps(asked.body) for asked in server.requests if "custom_tool_call_output" in json.dumps(asked.body)]
    assert len(told) == 5, "each was told how its patch went"
    assert not target.exists()
