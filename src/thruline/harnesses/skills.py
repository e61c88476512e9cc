"""The folder of skills that most clients share: `.agents/skills`, in the user's home or in a project."""

import os

from thruline.harnesses.installing import render_skill
from thruline.roster import Entry


def render_shared_skills(roster: list[Entry], top: str) -> dict[str, str]:
    """The files below `top` that offer the roster to every client that reads that folder; a verb is `thruline-VERB`."""
    files = {}
    for entry in roster:
        if entry.kind == "agents":
            continue
        name = entry.name if entry.kind == "skills" else f"thruline-{entry.name}"
        files[os.path.join(top, ".agents", "skills", name, "SKILL.md")] = render_skill(entry, name)
    return files
