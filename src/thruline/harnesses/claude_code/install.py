"""How this client is told of us: hooks in its settings, commands as a plugin of a marketplace in our own folder.

Facts, from runs of both versions under test: the same command in user, project and local settings runs once, but one
in a plugin runs beside it, so hooks are in settings alone. Its own `plugin install` rewrites settings.json in its own
style, so the two keys that it would add are added by us; a session later (the newer version: at once) the plugin is
there. Declared in a project's settings it is not taken without a dialog, so a project gets hooks only. A settings file
with a comment is not loaded at all.
"""

import json
import os
from typing import Any

from thruline.harnesses.claude_code import wire
from thruline.harnesses.claude_code.find import find_homes
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
    fill_body,
    find_handlers,
    quote,
    render_skill,
    take_table,
)
from thruline.roster import Entry

EVENTS = {theirs: ours for ours, theirs in wire.EVENTS.items()}
TIMEOUT = 10  # seconds; fixed for ever, as every other part of the line
TIMEOUTS = {"Stop": 600}  # a loop may have a command to run before it believes its promise
ROOT_VARIABLE = "CLAUDE_PROJECT_DIR"  # the project, in the environment of a hook
SAME_RUNS_ONCE = True  # one command in several of its files
STRICT = True  # a comment makes the file unreadable to the client
NAME = "thruline"
PROGRAM = os.path.join("hook", "entry.py")  # in every command of ours, whatever the state folder
PLUGIN = f"{NAME}@{NAME}"
PLUGIN_KEYS = (("enabledPlugins", PLUGIN), ("extraKnownMarketplaces", NAME))
STATUS_SLOT, STATUS_MODE = ("statusLine",), "statusline"  # one command for all; a project's own settings go before
# Its own list (the same in 2.1.197 and 2.1.325), and what stands for the session's model or for none at all.
_ALIASES = ("sonnet", "opus", "haiku", "fable", "best", "opusplan")
MODELS = (*_ALIASES, *(f"{alias}[1m]" for alias in _ALIASES), "default", "inherit")
# A full id: a family and a version in either order, a date, and what the clouds that it knows put around them.
_FAMILY = "(?:opus|sonnet|haiku|fable|mythos)"
MODEL_ID = (
    r"(?:(?:[a-z]{2,6}(?:-[a-z]+)?\.)?anthropic\.)?"
    rf"claude-(?:{_FAMILY}-(?:\d{{1,2}}(?:-\d{{1,2}})?|preview)|\d(?:-\d)?-{_FAMILY}(?:-v\d)?)"
    r"(?:[-@](?:\d{8}|latest))?(?:-v\d(?::\d{1,2})?)?(?:\[1m\])?"
)
TOOLS = (
    "Agent", "AskUserQuestion", "Bash", "BashOutput", "Edit", "EnterPlanMode", "ExitPlanMode", "Glob", "Grep",
    "KillShell", "LSP", "ListMcpResourcesTool", "MultiEdit", "NotebookEdit", "NotebookRead", "Read",
    "ReadMcpResourceTool", "Skill", "SlashCommand", "Task", "TaskCreate", "TaskGet", "TaskList", "TaskOutput",
    "TaskStop", "TaskUpdate", "TodoRead", "TodoWrite", "ToolSearch", "WebFetch", "WebSearch", "Write",
)  # fmt: skip
MANAGED = (
    "/etc/claude-code/managed-settings.json",
    "/Library/Application Support/ClaudeCode/managed-settings.json",
    "C:\\Program Files\\ClaudeCode\\managed-settings.json",
)


def find_settings(surface: Surface, scope: str) -> list[str]:
    """The settings files of that scope; of the user, one in each configuration folder that is there."""
    if scope == USER:
        homes = find_homes(dict(surface.env), surface.home)
        there = [home for home in homes if os.path.isdir(home)]
        return [os.path.join(home, "settings.json") for home in there or homes[:1]]
    name = "settings.local.json" if scope == PROJECT else "settings.json"
    return [os.path.join(surface.root, ".claude", name)]


def find_roster_folders(surface: Surface) -> list[tuple[str, str]]:
    """Where users keep commands, agents and skills of their own for this client: folder and kind."""
    tops = [*find_homes(dict(surface.env), surface.home), os.path.join(surface.root, ".claude")]
    return [(os.path.join(top, kind), kind) for top in tops for kind in ("commands", "agents", "skills")]


def build_wishes(surface: Surface, scope: str, line: Line) -> list[Wish]:
    """What a settings file of that scope shall hold."""
    wishes = build_hook_wishes(EVENTS, line, TIMEOUTS, TIMEOUT)
    if scope == USER:
        source = {"source": "directory", "path": surface.plugin}
        values: tuple[Any, ...] = (True, {"source": source})
        wishes += [Wish(at, value) for at, value in zip(PLUGIN_KEYS, values, strict=True)]
        wishes.append(Wish(STATUS_SLOT, {"type": "command", "command": line(STATUS_MODE)}, slot=True))
    return wishes


def build_status_payload(folder: str, session: str, percent: int | None) -> dict[str, Any]:
    """What the client gives to a status line, for a preview."""
    size = 200_000
    return {
        "session_id": session,
        "transcript_path": f"/{session}.jsonl",
        "cwd": folder,
        "model": {"id": "opus", "display_name": "Opus"},
        "workspace": {"current_dir": folder, "project_dir": folder},
        "context_window": {
            "total_input_tokens": size * (percent or 0) // 100,
            "context_window_size": size,
            "used_percentage": percent,
        },
    }


def render_files(surface: Surface, scope: str, roster: list[Entry], version: str) -> dict[str, str]:
    """The marketplace with its one plugin; only for the user's scope."""
    if scope != USER:
        return {}
    plugin = os.path.join(surface.plugin, NAME)
    about = "Carries what a coding-agent session learned into the next one."
    files = {
        os.path.join(surface.plugin, ".claude-plugin", "marketplace.json"): _render_object(
            name=NAME,
            owner={"name": NAME},
            metadata={"description": about},
            plugins=[{"name": NAME, "source": f"./{NAME}", "description": about}],
        ),
        os.path.join(plugin, ".claude-plugin", "plugin.json"): _render_object(
            name=NAME, version=version, description=about, author={"name": NAME}
        ),
    }
    for entry in roster:
        if entry.kind == "skills":
            files[os.path.join(plugin, "skills", entry.name, "SKILL.md")] = render_skill(entry, entry.name)
        else:
            render = _render_command if entry.kind == "commands" else _render_agent
            files[os.path.join(plugin, entry.kind, entry.name + ".md")] = render(entry)
    return files


def find_traces(surface: Surface) -> list[tuple[str, tuple[str, ...]]]:
    """Keys that the client itself writes into files of its own because of ours: file and place."""
    folders = [os.path.join(home, "plugins") for home in find_homes(dict(surface.env), surface.home)]
    return [
        pair
        for folder in folders
        for pair in (
            (os.path.join(folder, "installed_plugins.json"), ("plugins", PLUGIN)),
            (os.path.join(folder, "known_marketplaces.json"), (NAME,)),
        )
    ]


def find_plugin_hooks(surface: Surface, read: Any) -> list[str]:
    """The hook files of plugins that are on: the client runs them beside those in settings. `read` as below."""
    found = []
    for home in find_homes(dict(surface.env), surface.home):
        enabled = take_table(read(os.path.join(home, "settings.json")) or {}, "enabledPlugins")
        installed = take_table(read(os.path.join(home, "plugins", "installed_plugins.json")) or {}, "plugins")
        for name, places in installed.items():
            if enabled.get(name) is False or not isinstance(places, list):
                continue
            paths = [each.get("installPath") for each in places if isinstance(each, dict)]
            found += [os.path.join(path, "hooks", "hooks.json") for path in paths if isinstance(path, str)]
    return found


def tell_next(_surface: Surface, scope: str) -> list[str]:
    """What the user has to do, or should know."""
    if scope == USER:
        return ["Claude Code: hooks answer from the next session on; /thruline:handoff may need one session more."]
    told = ["Claude Code: a project gets hooks only; the /thruline: commands come with `thruline install --user`."]
    if scope == SHARED:
        told.append("Commit .claude/settings.json. Its hooks answer for those who ran `thruline install` themselves.")
    return told


def tell_removed(_path: str, _handlers: list[Handler], _ours: set[str]) -> list[str]:
    """What taking ours out of the file means for others: nothing."""
    return []


def check_settings(surface: Surface, read: Any) -> list[Remark]:
    """What keeps our hooks from running, beside their absence. `read` gives a JSON or TOML file's value, or None."""
    found = []
    for path in MANAGED:
        managed = read(path) or {}
        for key in ("disableAllHooks", "allowManagedHooksOnly"):
            if managed.get(key) is True:
                what = f"Managed settings forbid hooks of users: {key} in {path}."
                found.append(Remark(what, "ask whoever manages this machine; the commands work without hooks"))
        if isinstance(managed.get("strictKnownMarketplaces"), list):
            what = f"Managed settings allow only some plugin marketplaces: {path}."
            found.append(Remark(what, "ask whoever manages this machine; hooks work without the plugin"))
    users = [read(path) or {} for path in find_settings(surface, USER)]
    installed = any(PROGRAM in each.command for settings in users for each in find_handlers(settings))
    for scope in (USER, PROJECT, SHARED):
        for path in find_settings(surface, scope):
            settings = read(path) or {}
            if settings.get("disableAllHooks") is True:
                found.append(Remark(f"disableAllHooks in {path} switches all hooks off.", "take it out"))
            if installed and is_foreign_line(settings):
                what = f"The status line in {path} stands where ours would: it does not warn of a full window, and no "
                what += "handoff is prepared before a compaction."
                fix = "thruline install shows yours behind ours" if scope == USER else "take it out of the project"
                found.append(Remark(what, fix))
            if scope == USER and take_table(settings, "enabledPlugins").get(PLUGIN) is False:
                found.append(Remark(f"The plugin is switched off in {path}.", "enable it with /plugin in the client"))
    return found


def is_foreign_line(settings: dict[str, Any]) -> bool:
    """Whether these settings have a status line, and it is not ours."""
    command = take_table(settings, STATUS_SLOT[0]).get("command")
    return isinstance(command, str) and PROGRAM not in command


def _render_command(entry: Entry) -> str:
    rows = [f"description: {quote(entry.description)}"]
    if entry.hint:
        rows.append(f"argument-hint: {quote(entry.hint)}")
    if entry.tools:
        rows.append(f"allowed-tools: {quote(', '.join(entry.tools))}")
    if entry.model:
        rows.append(f"model: {entry.model}")
    # People call it; a model has the skill, and a list of every command in each context would be paid for each time.
    rows.append("disable-model-invocation: true")
    body = fill_body(entry, arguments="$ARGUMENTS", session=" --session ${CLAUDE_SESSION_ID}")
    return "---\n" + "\n".join(rows) + "\n---\n" + body


def _render_agent(entry: Entry) -> str:
    rows = [f"name: {entry.name}", f"description: {quote(entry.description)}"]
    if entry.tools:
        rows.append(f"tools: {quote(', '.join(entry.tools))}")
    if entry.model:
        rows.append(f"model: {entry.model}")
    return "---\n" + "\n".join(rows) + "\n---\n" + entry.body


def _render_object(**values: Any) -> str:
    return json.dumps(values, ensure_ascii=False, indent=2) + "\n"
