"""On a terminal nothing that a repository or a transcript says may act."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import thruline.cli
from tests.redact.planting import fill

pty = pytest.importorskip("pty", reason="terminals of this kind are POSIX")

TITLE, CLEAR = "\x1b]0;owned\x07", "\x1b[2J"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose name, files and folders hold escape sequences."""
    root = tmp_path / f"r{CLEAR}"
    (root / ".agent" / "context").mkdir(parents=True)
    marker = {"schema": 1, "project_id": "x", "created_at": "", "name": f"evil{TITLE}"}
    (root / ".agent" / "context" / "root.json").write_text(json.dumps(marker))
    (root / "f").write_text(f"{CLEAR}boo {TITLE} password={fill('{alnum:16}', 3)}\n")
    return root


def run_on_terminal(root: Path, words: list[str]) -> bytes:
    """What the command prints on a terminal of its own; a question is answered with no."""
    code = "import sys; from thruline.cli.entry import main; sys.exit(main())"
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(root)
        os.execv(sys.executable, [sys.executable, "-c", code, *words])
    os.write(terminal, b"n\n")
    said = b""
    try:
        while piece := os.read(terminal, 65536):
            said += piece
    except OSError:
        pass  # Linux tells the end of a terminal as an error
    os.close(terminal)
    os.waitpid(child, 0)
    return said


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "words",
    [
        ["context", "show"],
        ["context", "show", "--json"],
        ["doctor"],
        ["scrub", "f"],
        ["scrub", "--check", f"no{CLEAR}file"],
        ["config", "path"],
        ["config", "get", f"a.b{TITLE}"],
        ["sessions", "show", f"{TITLE}.jsonl"],
        [f"verb{TITLE}"],
    ],
)
def test_no_escape_sequence_reaches_a_terminal(project: Path, words: list[str]) -> None:
    said = run_on_terminal(project, words).replace(b"\x1b[K", b"").replace(b"\r\x1b[K", b"")
    assert said.strip()
    assert b"\x1b" not in said
    assert b"\x07" not in said.replace(b"^G", b"")


def test_only_what_asks_for_the_bytes_of_a_text_gets_them(project: Path) -> None:
    ask = [sys.executable, "-m", "thruline.cli.entry", "scrub"]
    told = subprocess.run([*ask, "--yes", "f"], cwd=project, capture_output=True)
    assert b"\x1b" not in told.stdout
    assert "⟦U+001B⟧[2Jboo".encode() in told.stdout
    text = f"{CLEAR}boo\r\n{TITLE}".encode()
    assert subprocess.run([*ask, "-"], cwd=project, input=text, capture_output=True).stdout == text


def test_no_door_prints_past_the_one_function_that_makes_text_visible() -> None:
    for path in Path(thruline.cli.__file__).parent.glob("*.py"):
        if path.name not in ("terminal.py", "entry.py"):  # the other prints the version and nothing else
            assert not re.search(r"click\.s?echo\(|sys\.stdout\.write\(|\bprint\(", path.read_text()), path
