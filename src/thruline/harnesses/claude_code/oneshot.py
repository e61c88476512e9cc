"""One question to a headless client: no tools, no hooks, no settings, no transcript left behind.

`--bare` asks with a key alone and is the barest there is; people who are logged in have no key, and `--safe-mode` keeps
their login while it leaves out everything of theirs that could answer too.
"""

import json
from typing import Any

from thruline.extract.question import SYSTEM
from thruline.harnesses.headless import Call, Ended, Reply, Request, shorten

# Seen by every child of a running client; with them an inner one would take itself for a part of the outer.
DROP = ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT")
# One question is one request: no title for a session that nobody will list, no telemetry for it.
GIVE = {"DISABLE_NON_ESSENTIAL_MODEL_CALLS": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
PRICED = True  # it tells what an answer cost
_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX")


def build_call(request: Request) -> Call:
    """The command line; the prompt goes in by stdin, where no limit of a command line applies."""
    keyed = any(request.env.get(name) for name in _KEYS)
    argv = [request.program, "-p", "--bare" if keyed else "--safe-mode", "--tools", "", "--no-session-persistence"]
    argv += ["--strict-mcp-config", "--system-prompt", SYSTEM, "--output-format", "json"]
    argv += ["--json-schema", request.schema]
    if request.model:
        argv += ["--model", request.model]
    return Call(tuple(argv), request.prompt, GIVE, DROP)


def read_reply(ended: Ended) -> Reply:
    """What came back on stdout: one JSON object, whatever the exit status."""
    result = _parse(ended.stdout)
    if result is None:
        return Reply(problem=f"no answer: exit {ended.code}, {shorten(ended.stderr or ended.stdout) or 'silent'}")
    usage = result.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    cached = _count(usage, "cache_read_input_tokens")
    models = result.get("modelUsage")
    dollars = result.get("total_cost_usd")
    told = Reply(
        model=next(iter(models), "") if isinstance(models, dict) else "",
        read=_count(usage, "input_tokens") + cached + _count(usage, "cache_creation_input_tokens"),
        written=_count(usage, "output_tokens"),
        cached=cached,
        dollars=float(dollars) if isinstance(dollars, (int, float)) else None,
    )
    answer = result.get("structured_output")
    if isinstance(answer, dict):
        return _with(told, text=json.dumps(answer, ensure_ascii=False))
    text = result.get("result")
    text = text if isinstance(text, str) else ""
    # An API error is told as a success with `is_error`; its text is the client's, not the model's.
    if result.get("is_error") or ended.code:
        return _with(told, problem=f"failed: {shorten(text) or f'exit {ended.code}'}")
    return _with(told, text=text) if text.strip() else _with(told, problem="empty: the client answered nothing")


def _with(reply: Reply, *, text: str = "", problem: str = "") -> Reply:
    return Reply(text, problem, reply.model, reply.read, reply.written, reply.cached, reply.dollars)


def _parse(stdout: str) -> dict[str, Any] | None:
    try:
        value = json.loads(stdout)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list):  # a client told to be verbose prints all of its events
        value = next((one for one in reversed(value) if isinstance(one, dict) and one.get("type") == "result"), None)
    return value if isinstance(value, dict) else None


def _count(usage: dict[str, Any], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and value > 0 else 0
