"""What `make demo` shows: a recorded session explained, on sample data of this repository and nothing else."""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = Path("samples/orders-export/session.jsonl")


def run(arguments: list[str], home: str, *, first: int = 0) -> None:
    """Shows a command line, runs it in a home of its own, and prints its output (the first lines, if asked)."""
    print(f"\n$ thruline {shlex.join(arguments)}", flush=True)
    environment = {"HOME": home, "PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8", "NO_COLOR": "1"}
    command = [str(Path(sys.executable).with_name("thruline")), *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False)
    lines = done.stdout.splitlines()
    print("\n".join(lines[:first] if first else lines))
    if first and len(lines) > first:
        print(f"… {len(lines) - first} more lines")
    if done.returncode:
        sys.exit(f"{done.stderr}make demo failed: exit {done.returncode}")


def main() -> None:
    """The brief of a recorded session, its proof, one pointer opened, and the line to type for one's own."""
    print(f"{SAMPLE} was recorded with a real client: a wrong first guess, two corrections, two rules, and work")
    print("left open. This is what the next session would start from, without a model:")
    with tempfile.TemporaryDirectory() as home:
        brief = Path(home) / "brief.md"
        run(["handoff", str(SAMPLE)], home)
        run(["handoff", str(SAMPLE), "--out", str(brief)], home)
        run(["verify", str(brief)], home)
        run(["sessions", "open", str(SAMPLE), "L52", "--around", "1"], home, first=16)
    print("\nFor your own last session in a project, go there and type:\n")
    print(f"  {shlex.quote(str(Path(sys.executable).with_name('thruline')))} handoff latest")


if __name__ == "__main__":
    main()
