"""How a plan of changes to settings is shown: a diff of what is a person's, names of what is ours."""

import difflib
import json
import os
from typing import Any

from thruline.cli.words import render_line
from thruline.operations.install.planning import FileChange, Plan

LONGEST = 400  # characters of a line that a person still reads


def render_plan(plan: Plan) -> str:
    """The plan as text; empty where there is nothing to change or to say."""
    rows: list[str] = []
    for each in plan.changes:
        if each.kind in ("settings", "client") and each.before != each.after:
            rows += render_diff(each, spread=True)
    for verb, chosen in (("write", _pick(plan, written=True)), ("remove", _pick(plan, written=False))):
        for folder, names in _group(chosen).items():
            rows.append(f"{verb}  {render_line(folder)}{os.sep}  {', '.join(names)}")
    rows += [f"keep   a backup: {render_line(each.path)}" for each in plan.changes if each.kind == "backup"]
    rows += [f"note   {render_line(note)}" for note in plan.notes]
    return "\n".join(rows) or "Nothing has to be changed."


def render_diff(change: FileChange, *, spread: bool = False) -> list[str]:
    """A unified diff of one settings file; with `spread` one that holds all in a line is shown over several."""
    before, after = ((data or b"").decode("utf-8", "replace") for data in (change.before, change.after))
    if spread and max(map(len, [*before.splitlines(), *after.splitlines()]), default=0) > LONGEST:
        before, after = _spread(before), _spread(after)
    old = change.path if change.before is not None else os.devnull
    new = change.path if change.after is not None else os.devnull
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), old, new, lineterm="")
    # A byte-order mark or another end of line is no line of its own, and is kept anyway.
    return [line.rstrip("\r\n") for line in lines]


def _spread(text: str) -> str:
    """The same JSON with a line for each value; other text as it is."""
    try:
        return json.dumps(json.loads(text.removeprefix("\ufeff")), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return text


def build_fields(plan: Plan, *, done: bool) -> dict[str, Any]:
    """The plan for programs."""
    return {
        "done": done,
        "changed": plan.changed,
        "harnesses": list(plan.harnesses),
        "scope": plan.scope,
        "files": [
            {
                "path": each.path,
                "kind": each.kind,
                "harness": each.harness,
                "diff": "\n".join(render_diff(each)) if each.kind in ("settings", "client") else "",
            }
            for each in plan.changes
            if each.before != each.after
        ],
        "notes": list(plan.notes),
        "next": list(plan.next),
        "stays": list(plan.stays),
    }


def _pick(plan: Plan, *, written: bool) -> list[str]:
    return [
        each.path
        for each in plan.changes
        if each.kind == "file" and each.before != each.after and (each.after is not None) == written
    ]


def _group(paths: list[str]) -> dict[str, list[str]]:
    # By the folder that holds them all, or all but their own: a folder each for skills.
    groups: dict[str, list[str]] = {}
    for path in sorted(paths):
        folder, name = os.path.split(path)
        if name == "SKILL.md":
            folder, name = os.path.dirname(folder), os.path.basename(folder)
        groups.setdefault(folder, []).append(name)
    return groups
