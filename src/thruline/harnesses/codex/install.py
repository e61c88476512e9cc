"""How this client is told of us: hooks in hooks.json, commands as skills in the folder that it shares with others.

Facts, from runs of the version under test: a hook runs only after a person trusted it in the client's own dialog, and
`exec` says nothing of one that is skipped. Trust is kept in config.toml under file, event and both indexes, as a hash
of the whole definition; so ours is appended behind everybody else's and never changes. We never write that hash: the
review is the user's. More than 3 s at the end of a session are cut, with a warning.
"""

import hashlib
import json
import os
from typing import Any

from thruline.harnesses.codex import wire
from thruline.harnesses.codex.find import find_homes
from thruline.harnesses.installing import (
    PROJECT,
    SHARED,
    USER,
    Handler,
    Line,
    Remark,
    Surface,
    Wish,
    build_hook_wishes,
    take_table,
)
from thruline.harnesses.skills import render_shared_skills
from thruline.roster import Entry

EVENTS = {theirs: ours for ours, theirs in wire.EVENTS.items()}
TIMEOUT = 10  # seconds; fixed for ever, as every other part of the definition
TIMEOUTS = {"SessionEnd": 3, "Stop": 600}  # a loop may have a command to run before it believes its promise
CUT = {"SessionEnd": 3}  # what the client itself makes of a longer one
ROOT_VARIABLE = ""
SAME_RUNS_ONCE = False  # it runs equal commands of its user and project files each
STRICT = True
STATUS_SLOT: tuple[str, ...] = ()  # its status line shows what it knows itself, and runs no command
STATUS_MODE = ""
PLUGIN_KEYS: tuple[tuple[str, ...], ...] = ()
MODELS: tuple[str, ...] = ()
MODEL_ID = ""
TOOLS: tuple[str, ...] = ()
TRUST = (
    'Codex CLI: start `codex` once. It says "Hooks need review": look at the commands, which call hook/entry.py, and '
    "trust them. Until then none of them runs, and `codex exec` does not say so. `thruline doctor` tells when it is "
    "done; upgrades do not ask again."
)
REQUIREMENTS = "/etc/codex/requirements.toml"
DEFAULT_TIMEOUT = 600


def find_settings(surface: Surface, scope: str) -> list[str]:
    """The hooks files of that scope."""
    if scope == USER:
        homes = find_homes(dict(surface.env), surface.home)
        there = [home for home in homes if os.path.isdir(home)]
        return [os.path.join(home, "hooks.json") for home in there or homes[:1]]
    return [os.path.join(surface.root, ".codex", "hooks.json")]


def find_roster_folders(surface: Surface) -> list[tuple[str, str]]:
    """Where users keep skills of their own for this client: folder and kind."""
    homes = find_homes(dict(surface.env), surface.home)
    tops = [*homes, os.path.join(surface.root, ".codex")]
    shared = [os.path.join(top, ".agents", "skills") for top in (surface.home, surface.root)]
    return [(folder, "skills") for folder in [*(os.path.join(top, "skills") for top in tops), *shared]]


def build_wishes(surface: Surface, scope: str, line: Line) -> list[Wish]:
    """What a hooks file of that scope shall hold."""
    return build_hook_wishes(EVENTS, line, TIMEOUTS, TIMEOUT)


def render_files(surface: Surface, scope: str, roster: list[Entry], version: str) -> dict[str, str]:
    """The roster as skills; a project's are committed with it, so a scope that git ignores gets none."""
    if scope == PROJECT:
        return {}
    return render_shared_skills(roster, surface.home if scope == USER else surface.root)


def find_traces(surface: Surface) -> list[tuple[str, tuple[str, ...]]]:
    """Nothing in files that JSON edits reach; what the user trusted stays in config.toml, and is harmless there."""
    return []


def tell_next(surface: Surface, scope: str) -> list[str]:
    """What the user has to do, or should know."""
    told = [TRUST]
    if scope == SHARED:
        told.append("Commit .codex/hooks.json and .agents/skills. Everybody reviews the hooks for themselves.")
    return told


def tell_removed(path: str, handlers: list[Handler], ours: set[str]) -> list[str]:
    """What taking ours out of the file means for others."""
    # Trust hangs on the place in the list: whoever stands behind ours moves up.
    behind = {
        each.event
        for each in handlers
        if each.command not in ours
        and any(o.event == each.event and o.command in ours and o.group < each.group for o in handlers)
    }
    told = [f"{path}: Codex CLI will ask for review of hooks behind ours again: {', '.join(sorted(behind))}"]
    config = os.path.join(os.path.dirname(path), "config.toml")
    kept = [f"{config}: that you trusted our hooks, in the client's own words; without them it means nothing"]
    return [*(told if behind else []), *(kept if _is_trust_kept(config, path) else [])]


def _is_trust_kept(config: str, path: str) -> bool:
    try:
        with open(config, encoding="utf-8", errors="replace") as file:
            return f'"{path}:' in file.read()
    except OSError:
        return False


def check_settings(surface: Surface, read: Any) -> list[Remark]:
    """What keeps our hooks from running, beside their absence. `read` gives a JSON or TOML file's value, or None."""
    found = []
    required = read(REQUIREMENTS) or {}
    if required.get("allow_managed_hooks_only") is True:
        what = f"Managed settings forbid hooks of users: allow_managed_hooks_only in {REQUIREMENTS}."
        found.append(Remark(what, "ask whoever manages this machine; the commands work without hooks"))
    for home in find_homes(dict(surface.env), surface.home):
        path = os.path.join(home, "config.toml")
        settings = read(path) or {}
        if take_table(settings, "features").get("hooks") is False:
            found.append(Remark(f"Hooks are switched off by features.hooks in {path}.", f"take it out of {path}"))
        tables = [name for name in take_table(settings, "hooks") if name != "state"]
        if tables and os.path.isfile(os.path.join(home, "hooks.json")):
            what = f"Hooks stand both in {path} and in hooks.json; the client runs all and warns at each start."
            found.append(Remark(what, "move those of config.toml into hooks.json"))
    return found


def check_trust(surface: Surface, path: str, handlers: list[Handler], read: Any) -> list[str]:
    """Those of our `handlers` in the hooks file `path` that the user has not trusted as they are now: their events."""
    states: dict[str, Any] = {}
    for home in find_homes(dict(surface.env), surface.home):
        states |= take_table(take_table(read(os.path.join(home, "config.toml")) or {}, "hooks"), "state")
    return [
        each.event
        for each in handlers
        if take_table(states, build_trust_key(path, each)).get("trusted_hash") != build_trust_hash(each)
    ]


def build_trust_key(path: str, handler: Handler) -> str:
    """Under what the client remembers whether a handler is trusted."""
    return f"{path}:{_to_snake(handler.event)}:{handler.group}:{handler.index}"


def build_trust_hash(handler: Handler) -> str:
    """The client's own hash of a handler's definition; tests/clients holds it against the client's."""
    longest = CUT.get(handler.event)
    timeout = handler.entry.get("timeout", DEFAULT_TIMEOUT)
    known = {key: handler.entry[key] for key in ("statusMessage", "additionalContextLimit") if key in handler.entry}
    definition: dict[str, Any] = {
        "event_name": _to_snake(handler.event),
        "hooks": [
            {
                "type": "command",
                "command": handler.command,
                "async": bool(handler.entry.get("async", False)),
                "timeout": min(timeout, longest) if longest else timeout,
                **known,
            }
        ],
    }
    if handler.matcher:
        definition["matcher"] = handler.matcher
    text = json.dumps(definition, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _to_snake(event: str) -> str:
    return "".join("_" + sign.lower() if sign.isupper() and at else sign.lower() for at, sign in enumerate(event))
