"""What is waited for many times a day: a list of sessions that did not change, and the new end of a long one.

Whole processes, the command from a wheel as a user has it.
"""

import marshal
import os
import subprocess
import sys
import time
import uuid
from pathlib import Path

from bench import Context, Row
from bench.monster import write_monster
from bench.race import Command, Entrant, race
from bench.spine import environment, find_program

TAIL_BAR, LIST_BAR = 3.0, 4.0
TAIL_BYTES = 256 * 1024
SESSIONS = 2000
PACKETS = 1000
RESTED = 2.5  # seconds until the command trusts the times of a config file

# What a worker does when a session grew: state in, tail read and folded, state out. It ends at once, so nothing is
# looked through for garbage.
TAIL = """
import gc, marshal, sys
gc.disable()
sys.path.append(sys.argv[1])
from thruline.session.summary import Summary
from thruline.spine.build import SpineBuilder
from thruline.spine.entry import render_entry
Reader = getattr(__import__(sys.argv[2] + ".reader", fromlist=["Reader"]), "Reader")
with open(sys.argv[4], "rb") as file:
    fields, checkpoint = marshal.loads(file.read())  # load would read it in thousands of pieces
summary, builder = Summary.from_fields(fields), SpineBuilder()
reader = Reader(sys.argv[3], live=True, checkpoint=checkpoint)
text = []
for found in reader.blocks():
    summary.see_all(found)
    text += [render_entry(entry) for entry in builder.see_all(found)]
text += [render_entry(entry) for entry in builder.finish()]
with open(sys.argv[5], "wb") as file:
    file.write(marshal.dumps([summary.to_fields(), reader.checkpoint()]))
with open(sys.argv[5] + ".txt", "w") as file:
    file.write("".join(text))
gc.freeze()
"""


def run(context: Context) -> list[Row]:
    """Both tables of this bench as one list of rows."""
    return race_list(context) + race_packets(context) + race_tail(context)


def race_list(context: Context) -> list[Row]:
    """`sessions list` over two thousand sessions that did not change, against `--version`."""
    count = SESSIONS // 10 if context.quick else SESSIONS
    small = context.folder / "small.jsonl"
    write_monster(small, 0.02)
    thruline = find_program(context)
    bare = write_sessions(context.folder / "home", small.read_text(), count)
    # A user as they are after some months: settings of their own, and a quarter of the sessions only in the ark.
    kept = write_sessions(context.folder / "kept", small.read_text(), count)
    config = Path(kept["HOME"]) / ".config" / "thruline" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("[ark]\nenabled = true\n")
    subprocess.run([thruline, "archive", "--all"], env=kept, check=True, capture_output=True)
    for path in sorted(Path(kept["HOME"]).glob(".claude/projects/many/*.jsonl"))[: count // 4]:
        path.unlink()
    shown = [thruline, "sessions", "list", "--all", "--limit", "20"]
    everything = [thruline, "sessions", "list", "--all"]
    time.sleep(RESTED)
    for env in (bare, kept):
        subprocess.run(shown, env=env, check=True, capture_output=True)
    note = f"{count:,} sessions"
    return race(
        [
            Entrant("thruline --version", Command([thruline, "--version"], env=bare)),
            Entrant("sessions list, nothing new", Command(shown, env=bare), LIST_BAR, f"{note}, 20 shown"),
            Entrant("sessions list --json", Command([*shown, "--json"], env=bare), note=f"{note}, 20 shown"),
            Entrant(
                "with a config file and an ark", Command(shown, env=kept), note=f"{note}, a quarter only in the ark"
            ),
            Entrant("all of them shown", Command(everything, env=bare), note=note),
            Entrant(
                "the same by way of click", Command([*everything, "--limit", "+20"], env=bare), note=f"{note}, 20 shown"
            ),
        ],
        rounds=context.rounds,
    )


def race_packets(context: Context) -> list[Row]:
    """`packet list` over a thousand packets, against `--version`."""
    count = PACKETS // 10 if context.quick else PACKETS
    home, project = context.folder / "packets-home", context.folder / "packets-project"
    packets = project / ".agent" / "context" / "packets"
    home.mkdir()
    packets.mkdir(parents=True)
    (packets.parent / "root.json").write_text('{"schema": 1, "project_id": "0b7e5c1a-6a34-4b0e-9d0f-1c2d3e4f5a6b"}')
    example = (Path(__file__).parents[1] / "docs" / "formats" / "packet.md").read_text().split("```")[1]
    for number in range(count):
        made = f"20261116-{number // 3600:02}{number // 60 % 60:02}{number % 60:02}-packet-{number}"
        text = example.partition("\n")[2].replace("20261116-091000-finish-the-export", made)
        (packets / f"{made}.md").write_text(text)
    thruline = find_program(context)
    env = {"HOME": str(home), "PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"}
    shown = [thruline, "-C", str(project), "packet", "list"]
    subprocess.run(shown, env=env, check=True, capture_output=True)
    return race(
        [
            Entrant("thruline --version", Command([thruline, "--version"], env=env)),
            Entrant("packet list", Command(shown, env=env), LIST_BAR, f"{count:,} packets, all shown"),
        ],
        rounds=context.rounds,
    )


def write_sessions(home: Path, text: str, count: int) -> dict[str, str]:
    """A home with so many sessions; the environment of a process that lives there."""
    folder = home / ".claude" / "projects" / "many"
    folder.mkdir(parents=True)
    for number in range(count):
        (folder / f"{uuid.UUID(int=number, version=4)}.jsonl").write_text(text)
    return {"HOME": str(home), "PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"}


def race_tail(context: Context) -> list[Row]:
    """The last 256 KB of a long session, state read and written, against a bare interpreter."""
    from thruline.harnesses.transcripts import open_reader, recognise
    from thruline.session.summary import Summary

    long, short = context.folder / "long.jsonl", context.folder / "short.jsonl"
    write_monster(long, 10 if context.quick else 100, huge_lines=0)
    harness = recognise(str(long))
    data = long.read_bytes()
    cut = data.rindex(b"\n", 0, len(data) - TAIL_BYTES) + 1
    short.write_bytes(data[:cut])
    summary = Summary()
    reader = open_reader(harness, str(short), live=True)
    for found in reader.blocks():
        summary.see_all(found)
    state = context.folder / "state"
    state.write_bytes(marshal.dumps([summary.to_fields(), reader.checkpoint()]))
    python = os.path.realpath(sys.executable)
    source = str(Path(__file__).resolve().parents[1] / "src")
    script = context.folder / "tail.py"
    script.write_text(TAIL)
    argv = [
        python,
        "-I",
        "-S",
        str(script),
        source,
        harness.package,
        str(long),
        str(state),
        str(context.folder / "after"),
    ]
    env = environment(context)
    return race(
        [
            Entrant("python -I -S -c pass", Command([python, "-I", "-S", "-c", "pass"], env=env)),
            Entrant(
                "tail of 256 KB", Command(argv, env=env), TAIL_BAR, f"of {len(data) / 1e6:.0f} MB, state read and kept"
            ),
        ],
        rounds=context.rounds,
    )
