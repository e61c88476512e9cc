"""Every command that the README shows prints what it says; `…` stands for what is left out."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"```\n\$ (thruline [^\n]+)\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)


def to_pattern(shown: str) -> str:
    """The shown output as an expression: a line `…` is any lines, `…` inside a line any rest of it."""
    lines = []
    for line in shown.splitlines():
        lines.append(r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"\n")
    return "".join(lines) + r"(?:.*\n)*" if shown.rstrip().endswith("…") else "".join(lines)


def test_the_readme_shows_three_commands() -> None:
    assert len(BLOCKS) >= 3


@pytest.mark.parametrize(("command", "shown"), BLOCKS, ids=[command for command, _ in BLOCKS])
def test_a_command_of_the_readme_prints_what_it_says(command: str, shown: str, home: Path) -> None:
    program, *arguments = command.split()
    assert program == "thruline"
    done = subprocess.run(
        [sys.executable, "-m", "thruline.cli.entry", *arguments],
        cwd=ROOT,
        env={**os.environ, "HOME": str(home)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert re.fullmatch(to_pattern(shown), done.stdout), done.stdout
