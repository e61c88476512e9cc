"""What templates tell a model to run."""

import re
from pathlib import Path

import thruline.inject
from thruline.cli.table import COMMANDS

TEMPLATES = Path(thruline.inject.__file__).parent / "templates"


def test_every_command_that_a_template_names_exists() -> None:
    names = {name.split(" ")[0] for name in COMMANDS}
    named = {
        (path.name, word)
        for path in TEMPLATES.glob("*.md")
        for word in re.findall(r"`thruline ([a-z]+)", path.read_text(encoding="utf-8"))
    }
    assert {each for each in named if each[1] not in names} == set()
