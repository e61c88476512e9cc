"""One question to a headless client: nothing to run, nothing to write, no hooks, no rollout left behind.

The client's own settings stay in force, since they say which provider answers and how one is logged in.
"""

import json
import os
from collections.abc import Iterator
from typing import Any

from thruline.harnesses.headless import Call, Ended, Reply, Request, shorten

DROP = ("CODEX_SESSION_ID", "CODEX_THREAD_ID")
_SCHEMA, ANSWER = "schema.json", "answer.txt"
# Whatever could act, reach out or add words of its own; the sandbox alone would let it read what it is told to read.
_OFF = (
    "hooks",
    "shell_tool",
    "unified_exec",
    "apps",
    "plugins",
    "multi_agent",
    "goals",
    "view_image",
    "image_generation",
    "shell_snapshot",
)
_SET = ("project_doc_max_bytes=0", "mcp_servers={}", 'web_search="disabled"', "include_apply_patch_tool=false")


def build_call(request: Request) -> Call:
    """The command line; the prompt goes in by stdin, the schema lies in the folder."""
    argv = [request.program, "exec", "--json", "--ephemeral", "--skip-git-repo-check", "--color", "never"]
    argv += ["--sandbox", "read-only", "--cd", request.folder]
    for setting in (*_SET, *(f"features.{feature}=false" for feature in _OFF)):
        argv += ["-c", setting]
    argv += ["--output-schema", os.path.join(request.folder, _SCHEMA)]
    argv += ["--output-last-message", os.path.join(request.folder, ANSWER)]
    if request.model:
        argv += ["--model", request.model]
    return Call((*argv, "-"), request.prompt, {}, DROP, {_SCHEMA: request.schema})


def read_reply(ended: Ended) -> Reply:
    """The last message from its file; tokens and errors from the events."""
    usage: dict[str, Any] = {}
    errors = []
    for event in _parse(ended.stdout):
        kind = event.get("type")
        if kind == "turn.completed" and isinstance(event.get("usage"), dict):
            usage = event["usage"]
        elif kind == "error" and isinstance(event.get("message"), str):
            errors.append(event["message"])
        elif kind == "turn.failed" and isinstance(event.get("error"), dict):
            errors.append(str(event["error"].get("message", "")))
    text = _read(os.path.join(ended.folder, ANSWER))
    problem = ""
    if ended.code:
        problem = f"failed: {shorten(errors[-1] if errors else ended.stderr) or f'exit {ended.code}'}"
    elif not text.strip():
        problem = "empty: the client answered nothing"
    return Reply(
        "" if problem else text,
        problem,
        read=_count(usage, "input_tokens"),
        written=_count(usage, "output_tokens"),
        cached=_count(usage, "cached_input_tokens"),
    )


def _parse(stdout: str) -> Iterator[dict[str, Any]]:
    for line in stdout.splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue  # a warning between the events
        if isinstance(value, dict):
            yield value


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _count(usage: dict[str, Any], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and value > 0 else 0
