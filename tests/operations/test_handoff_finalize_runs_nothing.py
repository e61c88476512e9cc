"""`handoff finalize` reads sections that somebody else wrote, and runs nothing of them: watched from inside Python.

An audit hook sees every process, socket and browser that Python code starts, however it is done. It cannot be taken
off again, so each run is a process of its own.
"""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harnesses.claude_code.conftest import Transcript
from thruline.brief.section import NAMES

# What starts a program or reaches another machine; `ctypes` would do both behind Python's back.
WATCHED = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "os.fork",
           "os.forkpty", "pty.spawn", "webbrowser.open", "urllib.Request", "socket.", "ctypes.", "ftplib.", "smtplib.",
           "http.client.", "_posixsubprocess.")  # fmt: skip
CHILD = """
import json, os, sys
seen = []
watched = tuple(json.loads(sys.argv[1]))
sys.addaudithook(lambda event, given: seen.append([event, repr(given)]) if event.startswith(watched) else None)
from thruline.cli.door import run
import subprocess
code = run(json.loads(sys.argv[2]))
if len(sys.argv) > 3:
    os.system(sys.argv[3])
with open("seen.json", "w") as file:
    json.dump(seen, file)
sys.exit(code)
"""
# Questions that git answers without writing anything; `config` only with an option that reads.
ASKED = {"status", "log", "diff", "diff-index", "rev-parse", "cat-file", "show", "ls-files", "config"}
READING = {"--get", "--get-all", "--get-regexp", "--list", "-l"}


def touch(mark: Path) -> list[str]:
    """Ways to leave a mark, as far as a section can write them."""
    name = str(mark)
    return [
        f"$(touch {name})",
        f"`touch {name}`",
        f"- run `touch {name}` first (`transcript:L1`)",
        f"; touch {name} ;",
        f"```bash\ntouch {name}\n```",
        f"```python\nimport os; os.system('touch {name}')\n```",
        f"!touch {name}",
        f"{{{{ ''.__class__.__mro__[1].__subclasses__() }}}} touch {name}",
        f"[build](command:touch%20{name}) ![x](https://example.invalid/x) <script src='//example.invalid'></script>",
        f"- it was done (`commit:$(touch {name})`)",
        f"- it was done (`commit:--output={name}`)",
        f"- it was done (`commit:1234567:--upload-pack=touch {name}`)",
        f"- see (`file:|touch {name}`) and (`file:/dev/stdin`) and (`file:../../../../etc/passwd:L1`)",
        f"%{{touch {name}}} %(touch {name}) ${{IFS}}touch {name} \x00touch {name}",
    ]


def write(folder: Path, mark: Path) -> Path:
    """All five sections, each with all of it in its content and its pointers, and programs beside them."""
    folder.mkdir()
    ways = touch(mark)
    pointers = [{"type": kind, "ref": way, "note": way} for kind in ("transcript", "commit", "file") for way in ways]
    for name in NAMES:
        value = {"section": name, "content": "\n\n".join(ways), "pointers": pointers}
        (folder / f"{name}.json").write_text(json.dumps(value))
    for name in ("run.sh", "sitecustomize.py", "basics.json.py", "conftest.py"):
        (folder / name).write_text(f"#!/bin/sh\ntouch {mark}\n")
        (folder / name).chmod(0o755)
    return folder


def watch(folder: Path, arguments: list[str], *more: str) -> tuple[list[list[str]], subprocess.CompletedProcess[str]]:
    """What a run of the command started, and how it ended."""
    command = [sys.executable, "-c", CHILD, json.dumps(WATCHED), json.dumps(arguments), *more]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, env=dict(os.environ))
    return json.loads((folder / "seen.json").read_text()), done


def find_question(given: str) -> str:
    """The verb of a git command line, as the audit hook was told it."""
    argv = ast.literal_eval(given)[1]
    assert os.path.basename(argv[0]) in ("git", "git.exe"), argv
    assert "config" not in argv or READING & set(argv), argv
    words = iter(argv[1:])
    for word in words:
        if word in ("-C", "-c", "--git-dir", "--work-tree"):
            next(words)
        elif not word.startswith("-") or word == "--version":
            return str(word)
    raise AssertionError(argv)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository that the session worked in, so that git has something to be asked about."""
    folder = tmp_path / "shop"
    folder.mkdir()
    for argv in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "First"]):
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@example.invalid", *argv], cwd=folder, check=True
        )
    return folder


@pytest.mark.parametrize("poisoned", [False, True])
def test_nothing_in_a_section_is_run_and_of_git_only_questions_are_asked(
    tmp_path: Path, project: Path, poisoned: bool
) -> None:
    mark = tmp_path / "mark"
    talk = Transcript(tmp_path / "t" / "5e551011-0000-4000-8000-000000000001.jsonl")
    ways = "\n".join(touch(mark)) if poisoned else "Please fix the export."
    talk.user(ways, cwd=str(project))
    talk.agent(ways)
    sections = write(tmp_path / "s", mark)
    seen, done = watch(
        tmp_path, ["handoff", "finalize", "--session", str(talk.path), "--sections", str(sections), "-C", str(project)]
    )
    assert done.returncode == 0, done.stderr
    assert "## Convergence" in done.stdout
    assert {event for event, _ in seen} <= {"subprocess.Popen", "os.posix_spawn"}, seen
    asked = [find_question(given) for _, given in seen]
    assert asked, "git was never asked: the watch proves nothing"
    assert set(asked) <= ASKED
    assert not mark.exists()


def test_the_watch_sees_what_is_run(tmp_path: Path) -> None:
    seen, _ = watch(tmp_path, ["--version"], f"touch {tmp_path}/mark")
    assert "os.system" in {event for event, _ in seen}
    assert (tmp_path / "mark").exists()
