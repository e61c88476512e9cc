"""What a session waits for: every hook event, and the start of the command, both installed from a wheel.

Processor time, not the clock's: these are milliseconds, and on a busy machine others' work would be counted as ours.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path

from bench import Context, Row
from bench.race import WARM_UP, Command, Entrant, race, read_processor_time

REPOSITORY = Path(__file__).parent.parent
PEERS = REPOSITORY / "bench" / "peers"
SESSION = "0a1b2c3d-1111-2222-3333-444455556666"
HOOK_BAR = 1.5
START_BAR = 2.0
# A memory plugin that many people run. Its hooks want a runtime of their own (Bun) and a server: where that is missing
# they give up early, and even so far they are the floor of what they cost.
MEMORY = "claude-mem@13.25.3"

PROBE = """
import json, sys
from thruline.harnesses.telling import find_tellable
from thruline.hooks.handlers import HANDLERS
from thruline.layout import HookPaths, build_project_key
from thruline.operations.hook_entry import write_entry
state, project = sys.argv[1:]
entry = write_entry(state)
harness = find_tellable()[0].name
here = HookPaths(state, build_project_key("", project))
texts = {"start": here.build_start(harness), "late": here.build_late(harness, "SESSION")}
texts["keep"] = here.build_keep(harness, "SESSION")
print(json.dumps([entry.python, entry.script, sys.executable, harness, list(HANDLERS), texts]))
""".replace("SESSION", SESSION)

# Fifty sessions of one project, each with a loop of its own.
LOOPS = """
import os, sys
state, project = sys.argv[1:]
os.environ["THRULINE_HOME"] = state
from thruline.harnesses.telling import find_tellable
from thruline.layout import build_project_paths, find_root
from thruline.operations.loops.verbs import Wish, start_loop
from thruline.operations.sessions.current import Current
paths = build_project_paths(find_root(project), state)
for number in range(50):
    wish = Wish(f"Do the work of number {number}. " * 20, promises=("DONE",))
    start_loop(paths, wish, Current(find_tellable()[0].name, f"looping-{number:06d}"))
"""


def run(context: Context) -> list[Row]:
    """Every event against a bare interpreter, beside hooks as people usually write them."""
    environment = install_wheel(context.folder)
    state, project = context.folder / "state", context.folder / "project" / "src"
    project.mkdir(parents=True)
    (project.parent / ".git").mkdir()
    (project.parent / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    root = os.path.realpath(project.parent)
    python = environment / "bin" / "python"
    made = subprocess.check_output([python, "-c", PROBE, state, root], cwd=context.folder, text=True)
    link, script, worker, harness, events, texts = json.loads(made)
    # The worker itself would race with the rest for minutes; what a hook waits for is that it was started.
    stub = Path(script)
    stub.write_text(stub.read_text().replace(repr(worker), repr(shutil.which("true"))))
    quiet, told = build_payload(project, "another-session", source="compact"), build_payload(project, SESSION)
    again = build_payload(project, SESSION, source="resume")
    late = [build_payload(project, f"session-{number:06d}") for number in range(context.rounds + WARM_UP)]
    for number in range(len(late)):
        write_ready(texts["late"].replace(SESSION, f"session-{number:06d}"))
    write_ready(texts["start"])
    write_ready(texts["keep"])

    def hook(event: str, payload: bytes = quiet) -> Command:
        return Command([link, "-I", "-S", script, harness, event], payload)

    line = shlex.join([link, "-I", "-S", script, harness, "tool_done"])
    in_shell = Command([str(shutil.which("sh")), "-c", line], quiet)

    looped, marked = context.folder / "looped", context.folder / "marked"
    for each in (looped, marked):
        (each / ".git").mkdir(parents=True)
        (each / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        if each == marked:
            (each / ".agent" / "context").mkdir(parents=True)
            (each / ".agent" / "context" / "root.json").write_text("{}")
        subprocess.run([sys.executable, "-c", LOOPS, state, os.path.realpath(each)], cwd=context.folder, check=True)
    beside, inside = build_payload(looped, "another-session"), build_payload(looped, "looping-000007")
    entrants = [
        Entrant("python -I -S -c pass", Command([link, "-I", "-S", "-c", "pass"])),
        *(Entrant(event, hook(event), HOOK_BAR, describe(event)) for event in events),
        Entrant("session_start, 9 KB told", hook("session_start", told), HOOK_BAR),
        Entrant("session_start, resumed, 9 KB told", hook("session_start", again), HOOK_BAR),
        Entrant("prompt, 9 KB told", InTurn(hook("prompt", payload) for payload in late), HOOK_BAR),
        Entrant("before_compact, 9 KB told", hook("before_compact", told), HOOK_BAR),
        Entrant("turn_end, beside 50 loops", hook("turn_end", beside), HOOK_BAR, "in none of them: may stop"),
        Entrant("turn_end, in one of 50 loops", hook("turn_end", inside), HOOK_BAR, "counts, writes its file, goes on"),
        Entrant(
            "turn_end, in one of 50 loops, marked project",
            hook("turn_end", build_payload(marked, "looping-000007")),
            HOOK_BAR,
            "the same, its files below the project",
        ),
        Entrant("tool_done, 60 KB read", hook("tool_done", build_payload(project, SESSION, 60_000)), HOOK_BAR),
        Entrant("tool_done, in a client's shell", in_shell, note="the installed line"),
        Entrant(
            "thruline --version",
            Command([str(environment / "bin" / "thruline"), "--version"]),
            START_BAR,
            "uv's launcher",
        ),
        Entrant(
            "peer: json + argparse",
            Command([str(python), "-I", str(PEERS / "plain_hook.py"), "x", "--log", os.devnull], quiet),
            note="bench/peers/plain_hook.py",
        ),
        *build_peers(context.folder, quiet),
    ]
    rows = race(entrants, rounds=context.rounds, clock=read_processor_time)
    troubles = state / "logs" / "hook-errors.jsonl"
    if troubles.exists():
        raise RuntimeError("a hook that failed was raced:\n" + troubles.read_text()[:2000])
    return rows


class InTurn:
    """One command after another: a text that is told once has to be another's each time."""

    def __init__(self, commands: Iterable[Command]) -> None:
        self.commands = iter(list(commands))

    def __call__(self) -> None:
        next(self.commands)()


def write_ready(path: str, text: str = "What you learned. " * 500) -> None:
    """A text as the worker leaves it."""
    envelope = {"schema": 1, "id": "1", "kind": "late", "from": "other", "pid": 0, "text": text}
    os.makedirs(os.path.dirname(path), exist_ok=True)
    Path(path).write_text(json.dumps(envelope))


def describe(event: str) -> str:
    """What an event does where nothing lies ready for its session."""
    if event in ("session_start", "session_end", "turn_end", "before_compact", "after_compact"):
        return "spools, starts the worker"
    return "spools"


def build_payload(folder: Path, session: str, size: int = 500, source: str = "startup") -> bytes:
    """An event as clients send them, with `size` characters of output."""
    payload = {
        "session_id": session,
        "transcript_path": f"/home/dev/sessions/{session}.jsonl",
        "cwd": str(folder),
        "source": source,
        "agent_type": "worker",
        "last_assistant_message": "Done: the guard is in place and the tests pass.",
        "tool_name": "Edit",
        "tool_input": {"file_path": str(folder / "a.py"), "old_string": "x", "new_string": "y"},
    }
    return json.dumps({**payload, "tool_response": "line\n" * (size // 6)}).encode()


def build_peers(folder: Path, payload: bytes) -> list[Entrant]:
    """Hooks in Node, where it is there."""
    node, bash, npm = shutil.which("node"), shutil.which("bash"), shutil.which("npm")
    if not node or not bash:
        return []
    plain = Command([node, str(PEERS / "plain_hook.mjs"), "x", os.devnull], payload)
    peers = [Entrant("peer: Node", plain, note="bench/peers/plain_hook.mjs")]
    fetch = [str(npm), "pack", "--silent", "--pack-destination", str(folder), MEMORY]
    if not npm or subprocess.run(fetch, cwd=folder, capture_output=True).returncode:
        print(f"{MEMORY} could not be fetched: left out")
        return peers
    with tarfile.open(folder / (MEMORY.replace("@", "-") + ".tgz")) as archive:
        archive.extractall(folder / "memory", filter="data")
    plugin = folder / "memory" / "package" / "plugin"
    hooks = json.loads((plugin / "hooks" / "hooks.json").read_text())["hooks"]
    line = hooks["PostToolUse"][0]["hooks"][0]["command"]
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "CLAUDE_PLUGIN_ROOT": str(plugin)}
    script = f"({line}) 2>/dev/null; exit 0"
    return [
        *peers,
        Entrant(f"peer: {MEMORY}", Command([bash, "-c", script], payload, env), note="gives up without Bun"),
    ]


def install_wheel(folder: Path, *, dependencies: bool = False) -> Path:
    """An environment made by uv with our wheel in it, compiled: what a user has after the first run."""
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder / "dist", REPOSITORY]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = (folder / "dist").glob("thruline-*.whl")
    uv = [sys.executable, "-m", "uv", "--quiet"]
    subprocess.run([*uv, "venv", "--python", sys.executable, folder / "env"], check=True)
    # Neither hooks nor --version import a dependency, and without them the bench needs no package index.
    alone = [] if dependencies else ["--no-deps"]
    install = [*uv, "pip", "install", "--python", folder / "env", *alone, "--compile-bytecode", wheel]
    subprocess.run(install, check=True)
    return folder / "env"
