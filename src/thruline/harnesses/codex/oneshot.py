"""One question to a headless client: nothing to run, nothing to write, no servers, no hooks, no rollout left behind.

The client gets a home of its own, gone with the question. From the user's it has the login and which provider answers
with which model, and nothing else: settings on the command line cannot take a server, an instruction file or a program
to notify out of the user's own, since tables are merged and the rest is read beside them.
"""

import json
import os
import tomllib
from collections.abc import Iterator
from typing import Any

from thruline.harnesses.codex.find import find_homes
from thruline.harnesses.headless import Call, Ended, Reply, Request, shorten

DROP = ("CODEX_SESSION_ID", "CODEX_THREAD_ID", "CODEX_SQLITE_HOME")
PRICED = False  # it tells tokens, never money
_SCHEMA, ANSWER = "schema.json", "answer.txt"
_HOME, _LOGIN = "home", "auth.json"
# What of the user's settings says who answers and how one is logged in there.
_THEIRS = (
    "model",
    "model_provider",
    "model_providers",
    "model_reasoning_effort",
    "openai_base_url",
    "chatgpt_base_url",
    "oss_provider",
    "cli_auth_credentials_store",
    "forced_login_method",
    "forced_chatgpt_workspace_id",
)
# Whatever could act, reach out or add words of its own. What a model's own card adds (a tool for patches) cannot be
# taken out: the sandbox refuses its writing, and nobody can approve it.
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
    "tool_suggest",
    "skill_search",
    "sleep_tool",
)
_SET = (
    "project_doc_max_bytes=0",
    'web_search="disabled"',
    'approval_policy="never"',
    "tools.experimental_request_user_input.enabled=false",
    "skills.include_instructions=false",
)


def build_call(request: Request) -> Call:
    """The command line; the prompt goes in by stdin, the schema and the client's home lie in the folder."""
    argv = [request.program, "exec", "--json", "--ephemeral", "--skip-git-repo-check", "--color", "never"]
    argv += ["--sandbox", "read-only", "--cd", request.folder]
    for setting in (*_SET, *(f"features.{feature}=false" for feature in _OFF)):
        argv += ["-c", setting]
    argv += ["--output-schema", os.path.join(request.folder, _SCHEMA)]
    argv += ["--output-last-message", os.path.join(request.folder, ANSWER)]
    if request.model:
        argv += ["--model", request.model]
    theirs = find_homes(dict(request.env), os.path.expanduser("~"))[0]
    login = os.path.join(theirs, _LOGIN)
    return Call(
        (*argv, "-"),
        request.prompt,
        {"CODEX_HOME": os.path.join(request.folder, _HOME)},
        DROP,
        {_SCHEMA: request.schema, f"{_HOME}/config.toml": _render_settings(os.path.join(theirs, "config.toml"))},
        {f"{_HOME}/{_LOGIN}": login} if os.path.isfile(login) else {},
    )


def _render_settings(path: str) -> str:
    """The few settings of the user's that an own home needs."""
    try:
        with open(path, "rb") as file:
            theirs = tomllib.load(file)
    except (OSError, ValueError):  # none, or one that the client itself would refuse
        return ""
    return "".join(f"{name} = {_render(theirs[name])}\n" for name in _THEIRS if name in theirs)


def _render(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_render(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_render, value)) + "]"
    # The escapes of a JSON string are those of a TOML one, but for signs that JSON writes as two.
    return (
        json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        if isinstance(value, str)
        else str(value).lower()
    )


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
        except (ValueError, RecursionError):
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
