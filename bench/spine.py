"""A session as a spine: time beside a bare json.loads loop, and memory as the transcript grows.

Whole processes throughout, from a wheel as a user has it. Peers that a user would run instead are measured
on the same file where they can be installed; a row says so where one could not.
"""

import json
import os
import shutil
import subprocess
import sys
import uuid
from pathlib import Path

from bench import Context, Row
from bench.hotpath import install_wheel
from bench.monster import Marks, write_monster
from bench.race import Command, Entrant, race

SHARED = Path(__file__).resolve().parents[2] / "shared" / "corpus-compacted"
LOADS = "import json,sys\nfor line in open(sys.argv[1],'rb'):\n    try: json.loads(line)\n    except ValueError: pass\n"
SPINE_BAR = 0.8
MEMORY_BAR = 96.0
# Since 20 it is a native program in a package of its own, which registries can lack for the newest version.
CCUSAGE = ("latest", "20.0.24", "18.0.11")


def run(context: Context) -> list[Row]:
    """All tables of this bench as one list of rows."""
    size = 10 if context.quick else 100
    rounds = max(3, min(context.rounds, 7))
    monster = context.folder / "monster.jsonl"
    marks = write_monster(monster, size)
    rows = race_spine(context, monster, f"{size} MB", rounds, bar=SPINE_BAR)
    check_marks(context.folder / "out", marks)
    talky = context.folder / "talky.jsonl"
    write_monster(talky, size, talky=True)
    rows += race_spine(context, talky, f"{size} MB, three quarters talk", rounds, bar=None)
    if real := write_real_shaped(context.folder / "real.jsonl", size):
        rows += race_spine(context, real, f"{size} MB of real records", rounds, bar=SPINE_BAR)
    rows += measure_growth(context)
    rows += measure_peers(context, monster)
    return rows


def find_program(context: Context) -> str:
    """`thruline` as a user has it: from a wheel, with its dependencies."""
    if not (context.folder / "env").exists():
        install_wheel(context.folder, dependencies=True)
    return str(context.folder / "env" / "bin" / "thruline")


def prepare_argv(context: Context, path: Path) -> list[str]:
    """The command line that writes the spine of `path`, whole."""
    out = str(context.folder / "out")
    return [find_program(context), "handoff", "prepare", str(path), "--out", out, "--direct", "1000000000"]


def environment(context: Context) -> dict[str, str]:
    """A home of its own for every process."""
    home = context.folder / "home"
    home.mkdir(exist_ok=True)
    return {"HOME": str(home), "PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"}


def race_spine(context: Context, path: Path, what: str, rounds: int, *, bar: float | None) -> list[Row]:
    """Spine against json.loads over the same file."""
    env = environment(context)
    floor = f"json.loads loop, {what}"
    return race(
        [
            Entrant(floor, Command([sys.executable, "-I", "-c", LOADS, str(path)], env=env)),
            Entrant(f"spine written, {what}", Command(prepare_argv(context, path), env=env), bar),
        ],
        rounds=rounds,
    )


def check_marks(out: Path, marks: Marks) -> None:
    """A fast spine that lost a word would be no result at all."""
    spine = (out / "spine.txt").read_text()
    for letter, count in (("U", marks.humans), ("A", marks.agents)):
        wrong = [n for n in range(1, count + 1) if spine.count(f"{letter}{n:06d} ") != 1]
        if wrong:
            raise RuntimeError(
                f"{len(wrong)} texts are not exactly once in the spine, the first {letter}{wrong[0]:06d}"
            )
    if any(f"T{n:06d} " in spine for n in range(1, marks.tools + 1)):
        raise RuntimeError("a tool payload reached the spine")


def write_real_shaped(path: Path, size: int) -> Path | None:
    """A file of real records, their ids made unique in every copy; None without the corpus beside the project."""
    sources = sorted(file for file in SHARED.glob("*.jsonl") if file.name != "manifest.jsonl")
    if not sources:
        return None
    written, copy = 0, 0
    with path.open("wb") as out:
        while written < size * 1_000_000:
            for source in sources:
                for raw in source.read_bytes().splitlines():
                    # With a line end of its own: the last record of a file may lack it, and none is glued to the next.
                    written += out.write(_renumber(raw, copy) + b"\n")
                if written >= size * 1_000_000:
                    break
            copy += 1
    return path


def _renumber(raw: bytes, copy: int) -> bytes:
    # Only the two ids that make a record itself; the shape of the line stays as the client wrote it.
    for key in (b'"uuid":"', b'"parentUuid":"'):
        at = raw.find(key)
        if copy and at >= 0:
            begin = at + len(key)
            old = raw[begin : begin + 36]
            new = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{copy}{old!r}")).encode()
            raw = raw[:begin] + new + raw[begin + 36 :]
    return raw


def measure_growth(context: Context) -> list[Row]:
    """Time per megabyte and peak memory from 1 MB to 1 GB; one line of 95 MB at the end."""
    rows = []
    for size in (1, 10) if context.quick else (1, 10, 100, 1000):
        path = context.folder / "grown.jsonl"
        write_monster(path, size)
        seconds, peak = measure(prepare_argv(context, path), environment(context))
        note = f"{seconds:.2f} s, {size / seconds:.0f} MB/s"
        rows.append(Row(f"peak memory, {size:,} MB", peak, "MiB", bar=MEMORY_BAR, note=note))
    if not context.quick:
        huge = context.folder / "huge.jsonl"
        write_monster(huge, 1)
        lines = huge.read_bytes().splitlines(keepends=True)
        record = json.loads(lines[-1]) | {"toolUseResult": "x" * 95_000_000, "uuid": str(uuid.UUID(int=7, version=4))}
        huge.write_bytes(b"".join([*lines, json.dumps(record).encode(), b"\n"]))
        _, peak = measure(prepare_argv(context, huge), environment(context))
        rows.append(
            Row("peak memory, one line of 95 MB", peak, "MiB", bar=MEMORY_BAR + 95, note="the line itself is 91")
        )
    return rows


def measure(argv: list[str], env: dict[str, str]) -> tuple[float, float]:
    """(seconds, peak MiB) of one process; it is spawned, so the peak is its own."""
    code = (
        "import os,sys,time\nt=time.perf_counter()\n"
        "pid=os.posix_spawn(sys.argv[1],sys.argv[1:],os.environ,file_actions=[(os.POSIX_SPAWN_OPEN,1,os.devnull,1,0)])\n"
        "_,status,usage=os.wait4(pid,0)\nprint(time.perf_counter()-t,usage.ru_maxrss/1024)\nsys.exit(status!=0)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, *argv], env=env, capture_output=True, text=True, check=True
    )
    seconds, peak = done.stdout.split()
    return float(seconds), float(peak)


def measure_peers(context: Context, monster: Path) -> list[Row]:
    """What a user would run instead on the same file, once each."""
    if context.quick:
        return []
    ours, peak = measure(prepare_argv(context, monster), environment(context))
    rows = [Row("once: thruline handoff prepare", ours, "s", note=f"{peak:.0f} MiB")]
    home = context.folder / "peer" / "projects" / "p"
    home.mkdir(parents=True)
    shutil.copy(monster, home / "0a1b2c3d-1111-4222-8333-444455556666.jsonl")
    for name, argv, env in _peers(context, home):
        try:
            seconds, peak = measure(argv, environment(context) | env)
        except (subprocess.CalledProcessError, OSError) as error:
            rows.append(Row(f"once: {name}", 0.0, "s", note=f"did not run: {type(error).__name__}"))
            continue
        row = Row(
            f"once: {name}", seconds, "s", "once: thruline handoff prepare", seconds / ours, note=f"{peak:.0f} MiB"
        )
        rows.append(row)
    return rows


def _peers(context: Context, home: Path) -> list[tuple[str, list[str], dict[str, str]]]:
    peers: list[tuple[str, list[str], dict[str, str]]] = []
    venv = context.folder / "peers"
    uv = [sys.executable, "-m", "uv", "--quiet"]
    made = subprocess.run([*uv, "venv", "--python", sys.executable, str(venv)], check=False, capture_output=True)
    install = [*uv, "pip", "install", "--python", str(venv), "claude-code-log"]
    if made.returncode == 0 and subprocess.run(install, check=False, capture_output=True).returncode == 0:
        argv = [str(venv / "bin" / "claude-code-log"), str(home), "--format", "md"]
        peers.append(("claude-code-log to markdown", [*argv, "-o", str(context.folder / "peer.md")], {}))
    ccusage = install_ccusage(context.folder / "npm")
    if ccusage is not None:
        version, argv = ccusage
        where = {"CLAUDE_CONFIG_DIR": str(home.parents[1])}
        peers.append((f"ccusage {version} session, which counts tokens only", [*argv, "session", "--offline"], where))
    return peers


def install_ccusage(folder: Path) -> tuple[str, list[str]] | None:
    """(version, command line) of the newest ccusage that runs here; None where none does."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        return None
    for version in CCUSAGE:
        install = [npm, "install", "--silent", "--prefix", str(folder / version), f"ccusage@{version}"]
        program = folder / version / "node_modules" / ".bin" / "ccusage"
        if subprocess.run(install, check=False, capture_output=True).returncode == 0:
            argv = [node, str(program.resolve())]
            asked = subprocess.run([*argv, "--version"], check=False, capture_output=True, text=True)
            if asked.returncode == 0:
                return asked.stdout.split()[-1], argv
    return None
