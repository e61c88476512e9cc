"""The status line against a bare interpreter, whatever the transcript's size, and beside one that many people use.

Processor time of all that was started and waited for, as in `hotpath`.
"""

import json
import os
import shutil
import subprocess
import tarfile
from dataclasses import replace
from pathlib import Path

from bench import Context, Row
from bench.hotpath import install_wheel
from bench.race import Command, Entrant, race, read_processor_time

SESSION = "0a1b2c3d-1111-2222-3333-444455556666"
LINE_BAR = 1.5
PEER = "ccstatusline@2.2.30"
PEER_BAR = 1 / 20
MEGABYTES = 100

PROBE = """
import json, sys
from thruline.harnesses.installing import find_installers
from thruline.layout import HookPaths, build_project_key
from thruline.operations.hook_entry import write_entry
state, project, session = sys.argv[1:]
entry = write_entry(state)
harness, module = next((each.name, module) for each, module in find_installers() if module.STATUS_SLOT)
here = HookPaths(state, build_project_key("", project))
payloads = [json.dumps(module.build_status_payload(project, session, percent)) for percent in (42, 74)]
print(json.dumps([entry.python, entry.script, harness, here.build_status(harness, session), here.config, payloads]))
"""


def run(context: Context) -> list[Row]:
    """Our line as a session works and when it is nearly full, and the peer's."""
    environment = install_wheel(context.folder, dependencies=True)
    state, project = context.folder / "state", context.folder / "project"
    project.mkdir()
    subprocess.run(["git", "init", "-q", project], check=True)
    root = os.path.realpath(project)
    made = subprocess.check_output(
        [environment / "bin" / "python", "-c", PROBE, state, root, SESSION], cwd=context.folder, text=True
    )
    link, script, harness, status, config, (usual, full) = json.loads(made)
    write(status, {"schema": 1, "branch": "main", "dirty": 3, "task": "fix the export", "loop": "loop 2/9"})
    write(config, {"schema": 1, "settings": {"context.threshold": 70}})
    large = write_transcript(context.folder / f"{SESSION}.jsonl", 1 if context.quick else MEGABYTES)

    def line(payload: str) -> Command:
        given = {**json.loads(payload), "transcript_path": str(large)}
        return Command([link, "-I", "-S", script, harness, "statusline"], json.dumps(given).encode())

    size = f"{large.stat().st_size / 1e6:.0f} MB of transcript"
    entrants = [
        Entrant("python -I -S -c pass", Command([link, "-I", "-S", "-c", "pass"])),
        Entrant("our line", line(usual), LINE_BAR, size),
        Entrant("our line, warning", line(full), LINE_BAR, size),
        *build_peer(context.folder, json.dumps({**json.loads(usual), "transcript_path": str(large)}).encode()),
    ]
    rows = race(entrants, rounds=context.rounds, clock=read_processor_time)
    troubles = state / "logs" / "hook-errors.jsonl"
    if troubles.exists():
        raise RuntimeError("a line that failed was raced:\n" + troubles.read_text()[:2000])
    return [*rows, *compare(rows)]


def compare(rows: list[Row]) -> list[Row]:
    """Our line as a share of the peer's."""
    by_name = {row.name: row for row in rows}
    peer = by_name.get(f"peer: {PEER}")
    if peer is None:
        return []
    ours = by_name["our line"]
    return [
        replace(ours, name="our line beside the peer's", floor=peer.name, ratio=ours.value / peer.value, bar=PEER_BAR)
    ]


def write(path: str, value: object) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    Path(path).write_text(json.dumps(value))


def write_transcript(path: Path, megabytes: int) -> Path:
    """A session of that size, in a form that the peer reads too."""
    usage = {"input_tokens": 900, "output_tokens": 20, "cache_read_input_tokens": 60_000}
    message = {"id": "msg_1", "role": "assistant", "model": "m", "usage": usage, "content": [{"text": "x" * 2_000}]}
    row = {"type": "assistant", "sessionId": SESSION, "timestamp": "2026-11-16T01:00:00.000Z", "message": message}
    data = json.dumps(row).encode() + b"\n"
    with path.open("wb") as file:
        for _ in range(megabytes * 1_000_000 // len(data) + 1):
            file.write(data)
    return path


def build_peer(folder: Path, payload: bytes) -> list[Entrant]:
    """The peer from npm, where there is one, with its settings as they come."""
    node, npm = shutil.which("node"), shutil.which("npm")
    fetch = [str(npm), "pack", "--silent", "--pack-destination", str(folder), PEER]
    if not node or not npm or subprocess.run(fetch, cwd=folder, capture_output=True).returncode:
        print(f"{PEER} could not be fetched: left out")
        return []
    with tarfile.open(folder / (PEER.replace("@", "-") + ".tgz")) as archive:
        archive.extractall(folder / "peer", filter="data")
    home = folder / "peer-home"
    home.mkdir()
    env = {"PATH": os.environ["PATH"], "HOME": str(home)}
    script = str(folder / "peer" / "package" / "dist" / "ccstatusline.js")
    return [Entrant(f"peer: {PEER}", Command([node, script], payload, env), note="its settings as they come")]
