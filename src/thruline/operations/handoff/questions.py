"""The questions of a handoff, filled: from a plan to prompts, for a reader with files or one without tools."""

import json
import os
from collections.abc import Mapping
from typing import Any

from thruline.brief.section import NAMES
from thruline.disk.atomic import read_bytes
from thruline.engines.rules import GitState
from thruline.errors import FormatError, NotFound, UsageError
from thruline.extract.prompt import CHUNK, find_names, read_prompt, render_data, render_prompt
from thruline.extract.question import Question
from thruline.gitfacts import DiffStat, NoAnswer
from thruline.layout import find_root
from thruline.operations.facts import find_session_folder
from thruline.operations.handoff.plan import load_plan
from thruline.operations.handoff.prepare import Plan

_BELOW = "(the text below)"
_NONE = "(none)"
_ABSENT = "(the session's folder is not on this machine)"
_WITH_GIT = ("code_state", "open_threads")


def build_section_questions(plan: Plan, spine: str, root: str, git: GitState, overrides: str) -> list[Question]:
    """The five, each with the spine behind its prompt; those that judge disk have git's answers there too."""
    questions = []
    for name in NAMES:
        values = build_section_values(plan.to_fields(), root, name, spine=_BELOW, sections=_NONE)
        text = render_prompt(read_prompt(name, "inline", overrides), values)
        if name in _WITH_GIT:
            text += render_data("GIT", render_git(git))
        questions.append(Question(name, text + render_data("SPINE", spine)))
    return questions


def build_chunk_questions(plan: Plan, root: str, overrides: str) -> list[Question]:
    """One for each chunk, with its text behind the prompt."""
    prompt = read_prompt(CHUNK, "inline", overrides)
    questions = []
    for chunk in plan.chunks:
        values = build_chunk_values(plan.to_fields(), root, chunk["index"], file=_BELOW, summaries=_NONE)
        text = read_bytes(chunk["path"]).decode("utf-8", "replace")
        questions.append(Question(CHUNK, render_prompt(prompt, values) + render_data("CHUNK", text), chunk["index"]))
    return questions


def fill_prompt(plan_path: str, name: str, *, root: str, spine: str, folder: str, chunk: int, overrides: str) -> str:
    """One prompt for a reader that has files: what `handoff prompt` prints. `spine` replaces the plan's."""
    if name not in find_names():
        raise UsageError(f'There is no section "{name}".', where="--section", next=", ".join(find_names()))
    plan = load_plan(plan_path)
    beside = os.path.dirname(os.path.abspath(plan_path))
    prompt = read_prompt(name, "files", overrides)
    if name != CHUNK:
        reduced = os.path.join(beside, "reduced.txt")
        read = spine or (reduced if plan.get("mode") == "chunked" else str(plan.get("spine", "")))
        if not os.path.isfile(read):
            raise NotFound("There is no spine to read.", where=read, next="thruline handoff reduce, or give --spine")
        return render_prompt(
            prompt,
            build_section_values(plan, root, name, spine=read, sections=folder or os.path.join(beside, "sections")),
        )
    chunks = plan.get("chunks") or []
    if not isinstance(chunks, list) or not all(
        isinstance(one, dict) and isinstance(one.get("path"), str) for one in chunks
    ):
        raise FormatError("The plan names no chunks.", path=plan_path, next="thruline handoff prepare writes one")
    if not 0 <= chunk < len(chunks):
        raise NotFound(f"The plan has no chunk {chunk}.", where=plan_path, next=f"give one of 0 to {len(chunks) - 1}")
    return render_prompt(
        prompt,
        build_chunk_values(
            plan, root, chunk, file=chunks[chunk]["path"], summaries=folder or os.path.join(beside, "summaries")
        ),
    )


def render_git(git: GitState) -> str:
    """Git's answers as plain text, for a reader that cannot ask."""
    if git.absent:
        return git.absent
    if isinstance(git.status, NoAnswer) or git.status is None:
        return "git did not answer."
    branch = git.status.branch
    lines = [f"branch: {branch.name or branch.commit or 'none yet'}", "log:"]
    if not isinstance(git.log, NoAnswer):
        lines += [f"  {commit.id[:12]} {commit.subject}" for commit in git.log]
    lines.append("status:")
    lines += [f"  {one.staged or '.'}{one.unstaged or '.'} {one.path}" for one in git.status.changes]
    lines += [f"  UU {path}" for path in git.status.conflicts] + [f"  ?? {path}" for path in git.status.untracked]
    if isinstance(git.diff, DiffStat):
        lines += ["diff --stat:", *(f"  {one.path} +{one.added or 0} -{one.deleted or 0}" for one in git.diff.files)]
    return "\n".join(lines)


def render_plan(plan: Plan) -> str:
    """`plan.json`."""
    return json.dumps(plan.to_fields(), ensure_ascii=False, indent=2) + "\n"


def build_section_values(plan: Mapping[str, Any], root: str, name: str, *, spine: str, sections: str) -> dict[str, str]:
    """The seven inputs of an extractor."""
    return {
        "SPINE": spine,
        "SOURCE_FILES": json.dumps(list(plan.get("source_files", ())), ensure_ascii=False),
        "SESSION_UUID": str(plan.get("session", "")),
        "LEAF_UUID": str(plan.get("leaf_uuid", "")),
        "REPO_ROOT": _find_root(plan, root),
        "SECTION": name,
        "SECTIONS_DIR": sections,
    }


def build_chunk_values(plan: Mapping[str, Any], root: str, number: int, *, file: str, summaries: str) -> dict[str, str]:
    """The inputs of a chunk's summarizer."""
    return {
        "CHUNK_FILE": file,
        "CHUNK_INDEX": str(number),
        "SESSION_UUID": str(plan.get("session", "")),
        "REPO_ROOT": _find_root(plan, root),
        "SOURCE_FILES": json.dumps(list(plan.get("source_files", ())), ensure_ascii=False),
        "SUMMARIES_DIR": summaries,
    }


def _find_root(plan: Mapping[str, Any], here: str) -> str:
    stats = plan.get("stats")
    told = stats.get("folder") if isinstance(stats, dict) else None
    folder = find_session_folder(told, here) if isinstance(told, str) else here
    return find_root(folder).path if folder else _ABSENT
