"""The roster as it is installed: what it takes from the prompts is filled in, the user's own where there are some."""

import os
from dataclasses import replace

from thruline.extract.prompt import read_prompt, render_instruction
from thruline.layout import UserPaths
from thruline.roster import Entry, read_roster

HOLE = "${PROMPT}"


def build_roster(user: UserPaths) -> list[Entry]:
    """Every entry; an agent that stands for a prompt has it as its body."""
    overrides = os.path.join(user.config, "prompts")
    return [_fill(entry, overrides) for entry in read_roster()]


def _fill(entry: Entry, overrides: str) -> Entry:
    if not entry.prompt:
        return entry
    return replace(
        entry, body=entry.body.replace(HOLE, render_instruction(read_prompt(entry.prompt, "agent", overrides)))
    )
