"""What a session waits for: every hook event, and the start of the command, both installed from a wheel."""

import json
import os
import subprocess
import sys
from pathlib import Path

from bench import Context, Row
from bench.race import Command, Entrant, race

REPOSITORY = Path(__file__).parent.parent
SESSION = "0a1b2c3d-1111-2222-3333-444455556666"
HARNESS = "some-client"
HOOK_BAR = 1.5
START_BAR = 2.0
PROBE = """
import json
from thruline.hooks.door import HANDLERS
from thruline.operations.hook_entry import write_entry
import sys
entry = write_entry(sys.argv[1])
print(json.dumps([entry.python, entry.script, list(HANDLERS)]))
"""
# The stub of a handler that spools, as those of turn_end and tool_done will: the door's table, with one line changed.
SPOOLING = "    main.__globals__['HANDLERS']['tool_done'] = spool\n    main("
SPOOL = """\
    from thruline.hooks.spool import write_event

    def spool(event, paths):
        write_event(paths.spool, {**event, "payload": None})
        return b""

"""


def run(context: Context) -> list[Row]:
    """Every event against a bare interpreter, beside a hook as people usually write one."""
    environment = install_wheel(context.folder)
    state = context.folder / "state"
    made = subprocess.check_output([environment / "bin" / "python", "-c", PROBE, state], cwd=context.folder, text=True)
    python, script, events = json.loads(made)
    ready = state / "ready" / HARNESS / f"{SESSION}.json"
    ready.parent.mkdir(parents=True)
    ready.write_text(json.dumps({"hookSpecificOutput": {"additionalContext": "What you learned. " * 500}}))
    spooling = context.folder / "spooling.py"
    spooling.write_text(Path(script).read_text().replace("    main(", SPOOL + SPOOLING))

    def hook(event: str, session: str = "another-session", *, size: int = 500, stub: str = script) -> Command:
        return Command([python, "-I", "-S", stub, HARNESS, event], build_payload(session, size))

    plain = str(environment / "bin" / "python")  # an environment of its own, as such a hook would have
    peer = str(REPOSITORY / "bench" / "peers" / "plain_hook.py")
    log = str(context.folder / "peer.jsonl")
    entrants = [
        Entrant("python -I -S -c pass", Command([python, "-I", "-S", "-c", "pass"])),
        *(Entrant(event, hook(event), HOOK_BAR, "nothing to do") for event in events),
        Entrant("session_start, ready text", hook("session_start", SESSION), HOOK_BAR, "prints 9 KB"),
        Entrant("tool_done, large payload", hook("tool_done", size=60_000), HOOK_BAR, "reads 60 KB"),
        Entrant("tool_done, spooled", hook("tool_done", stub=str(spooling)), HOOK_BAR, "one file written"),
        Entrant(
            "thruline --version",
            Command([str(environment / "bin" / "thruline"), "--version"]),
            START_BAR,
            "uv's launcher",
        ),
        Entrant(
            "peer: json + argparse",
            Command([plain, "-I", peer, "tool_done", "--log", log], build_payload(SESSION, 500)),
            note="bench/peers/plain_hook.py",
        ),
    ]
    rows = race(entrants, rounds=context.rounds)
    troubles = state / "logs" / "hook-errors.jsonl"
    if troubles.exists():
        raise RuntimeError("a hook that failed was raced:\n" + troubles.read_text()[:2000])
    return rows


def build_payload(session: str, size: int) -> bytes:
    """A tool event as clients send them, with `size` characters of output."""
    payload = {
        "session_id": session,
        "cwd": os.getcwd(),
        "tool_name": "Bash",
    }
    return json.dumps({**payload, "tool_input": {"command": "make"}, "tool_response": "line\n" * (size // 6)}).encode()


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
