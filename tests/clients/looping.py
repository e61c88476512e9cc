"""Loops in worlds of real clients: how one is started, read, and commanded from a terminal beside the client."""

import html
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.clients.heard import read_last
from tests.clients.world import Command, World
from thruline.artifacts.loop import Loop
from thruline.layout import ProjectPaths, build_project_paths, find_root
from thruline.operations.loops.store import read_loop
from thruline.operations.stamped import find_stamped_ids

THRULINE = str(Path(sys.executable).parent / "thruline")
PROMPT = "Port the next module."
PROMISE = "All of it: <promise>ALL PORTED</promise>"
PATIENCE = 60.0
# A plain sleep is refused by one client.
WAIT = Command("timeout 60 tail -f README.md")
# What lets a client act headless, and Codex run hooks that nobody reviewed.
PASS = {"claude-code": "--dangerously-skip-permissions", "codex": "--dangerously-bypass-hook-trust"}


def start(*options: str) -> Command:
    """The turn in which the agent starts the loop, in the shell of its own tools."""
    return Command(f"{THRULINE} loop start '{PROMPT}' --promise 'ALL PORTED' {' '.join(options)}")


def find_paths(world: World) -> ProjectPaths:
    return build_project_paths(find_root(str(world.project)), str(world.state))


def read_only_loop(world: World) -> Loop:
    [loop_id] = find_stamped_ids(find_paths(world).loops)
    return read_loop(find_paths(world), loop_id)


def build_environment(world: World) -> dict[str, str]:
    """What a terminal beside the client has: the client by its name, and our state."""
    return {**world.shell(), "XDG_CONFIG_HOME": str(world.root / "xdg")}


def command(world: World, *words: str) -> subprocess.CompletedProcess[str]:
    """`thruline …` in a terminal of its own."""
    line = [THRULINE, "-C", str(world.project), *words]
    return subprocess.run(line, env=build_environment(world), capture_output=True, text=True, timeout=PATIENCE * 2)


def run_well(world: World, *words: str) -> str:
    done = command(world, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def count_prompts(world: World) -> int:
    """How often the model was given the loop's prompt, by the last request; a client may repeat each one."""
    sent = html.unescape(read_last(world))  # one client puts it into a tag of its own
    return len(set(re.findall(r"thruline: loop \S+, iteration (\d+)[^>]*-->\n" + PROMPT, sent)))


def wait_for_requests(world: World, number: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while len(world.requests()) < number:
        assert time.monotonic() < deadline, f"{len(world.requests())} requests instead of {number}"
        time.sleep(0.05)


def begin(world: World, prompt: str, resume: str = "") -> "subprocess.Popen[bytes]":
    """A client at work."""
    return world.start(world.build_words(prompt, resume=resume))


def read_human(world: World, transcript: Path) -> str:
    """The words that our reader takes for a person's."""
    rows: Any = json.loads(run_well(world, "sessions", "messages", str(transcript), "--by", "human", "--json"))
    return json.dumps(rows)
