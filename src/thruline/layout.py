"""Every path that thruline knows; nothing else builds one.

Strings and os.path only: hooks import this module, and pathlib alone would double their cost. A project without a
marker owns nothing inside its own tree (law 12): its files live under the user's state, keyed by id and real path, so
that clones and worktrees never share flags.
"""

import os
import sys

MARKER = os.path.join(".agent", "context", "root.json")
VARIABLES = ("THRULINE_HOME", "THRULINE_OFF")  # those that are no setting
IGNORED_DIRS = ("loops", "indexes", "handoffs", "logs", "cache", "ready", "scratch")


# --- the user's folders -------------------------------------------------------------------------------------------


def build_state_dir(platform: str, env: "dict[str, str]", home: str) -> str:
    """The user's state folder on `platform` (a value of sys.platform); `THRULINE_HOME` overrides it."""
    if env.get("THRULINE_HOME"):
        return env["THRULINE_HOME"]
    if platform == "win32":
        return (env.get("LOCALAPPDATA") or home + "\\AppData\\Local") + "\\thruline"
    default = home + ("/Library/Application Support" if platform == "darwin" else "/.local/state")
    return _xdg(env, "XDG_STATE_HOME", default) + "/thruline"


def build_config_dir(platform: str, env: "dict[str, str]", home: str) -> str:
    """The user's config folder on `platform`."""
    if platform == "win32":
        return (env.get("APPDATA") or home + "\\AppData\\Roaming") + "\\thruline"
    return _xdg(env, "XDG_CONFIG_HOME", home + "/.config") + "/thruline"


def _xdg(env: "dict[str, str]", name: str, default: str) -> str:
    # The XDG specification: a relative path is invalid and must be ignored.
    value = env.get(name, "")
    return value.rstrip("/") if value.startswith("/") else default


def find_state_dir() -> str:
    """This user's state folder (ark, index, spool, hook, receipts, projects)."""
    return _check_absolute(build_state_dir(sys.platform, dict(os.environ), _find_home()))


def find_config_dir() -> str:
    """This user's config folder."""
    return _check_absolute(build_config_dir(sys.platform, dict(os.environ), _find_home()))


def _find_home() -> str:
    # An empty HOME would make the top of the file system everyone's home; like a relative one, it is none.
    return "~" if os.environ.get("HOME") == "" else os.path.expanduser("~")


def _check_absolute(folder: str) -> str:
    # A relative folder would be another one after each `cd`, and `~` one of that name. The errors are imported here
    # because hooks pay for what stands on top, and this is rare.
    if os.path.isabs(folder):
        return folder
    if folder == os.environ.get("THRULINE_HOME"):
        from thruline.errors import UsageError

        raise UsageError(f"THRULINE_HOME is a relative path: {folder}", next="set it to a full path")
    from thruline.errors import NotFound

    raise NotFound("This user has no home folder.", next="set HOME, or THRULINE_HOME to a full path")


class UserPaths:
    """The user's own files; `state` and `config` are the folders they lie in."""

    __slots__ = ("config", "state")

    def __init__(self, state: str, config: str) -> None:
        self.state = state
        self.config = config

    @property
    def config_file(self) -> str:
        return os.path.join(self.config, "config.toml")

    @property
    def config_lock(self) -> str:
        return os.path.join(self.cache, "config.lock")

    @property
    def init_lock(self) -> str:
        return os.path.join(self.cache, "init.lock")

    @property
    def ark(self) -> str:
        return os.path.join(self.state, "ark")

    @property
    def copies(self) -> str:
        return os.path.join(self.cache, "copies")

    @property
    def restored(self) -> str:
        return os.path.join(self.cache, "restored")

    @property
    def checked_settings(self) -> str:
        return os.path.join(self.cache, "checked-settings")

    @property
    def brief_places(self) -> str:
        return os.path.join(self.cache, "brief-places.jsonl")

    @property
    def index(self) -> str:
        return os.path.join(self.state, "index.db")

    @property
    def spool(self) -> str:
        return os.path.join(self.state, "spool")

    @property
    def hook(self) -> str:
        return os.path.join(self.state, "hook")

    @property
    def hook_entry(self) -> str:
        return os.path.join(self.state, "hook", "entry.py")

    @property
    def hook_hot(self) -> str:
        return os.path.join(self.state, "hook", "hot")

    @property
    def hook_python(self) -> str:
        return os.path.join(self.state, "hook", "python")

    @property
    def kept_lines(self) -> str:
        return os.path.join(self.state, "hook", "statusline.json")

    @property
    def hook_errors(self) -> str:
        return os.path.join(self.state, "logs", "hook-errors.jsonl")

    @property
    def ready(self) -> str:
        return os.path.join(self.state, "ready")

    @property
    def off(self) -> str:
        return os.path.join(self.state, "off")

    @property
    def work(self) -> str:
        return os.path.join(self.state, "work")

    @property
    def injected(self) -> str:
        return os.path.join(self.state, "injected")

    @property
    def install(self) -> str:
        return os.path.join(self.state, "install")

    @property
    def install_record(self) -> str:
        return os.path.join(self.state, "install", "record.json")

    @property
    def install_backups(self) -> str:
        return os.path.join(self.state, "install", "backups")

    @property
    def plugin(self) -> str:
        return os.path.join(self.state, "plugin")

    @property
    def loops(self) -> str:
        return os.path.join(self.state, "loops")

    @property
    def receipts(self) -> str:
        return os.path.join(self.state, "receipts.jsonl")

    @property
    def logs(self) -> str:
        return os.path.join(self.state, "logs")

    @property
    def journal_key(self) -> str:
        return os.path.join(self.state, "journal.key")

    @property
    def cache(self) -> str:
        return os.path.join(self.state, "cache")

    @property
    def projects(self) -> str:
        return os.path.join(self.state, "projects")


def find_user_paths() -> UserPaths:
    """Where this user's files are, from the environment."""
    return UserPaths(find_state_dir(), find_config_dir())


# --- the project's root -------------------------------------------------------------------------------------------


class Root:
    """A project's root folder. `kind` says how it was found: `marker`, `git` or `folder`."""

    __slots__ = ("kind", "path")

    def __init__(self, path: str, kind: str) -> None:
        self.path = path
        self.kind = kind


def find_root(start: str) -> Root:
    """The root that `start` (a folder or a file) belongs to: nearest marker, else git root, else its folder.

    An ancestor that cannot be looked into counts as having neither; the walk goes on above it. So does a marker that
    another user put there, as anyone could in /tmp: what we then wrote would be theirs to read.
    """
    folder = _resolve(start)
    if os.path.exists(folder) and not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    git = ""
    here = folder
    while True:
        if os.path.isfile(os.path.join(here, MARKER)) and _is_ours(here):
            return Root(here, "marker")
        if not git and _is_git_root(here):
            git = here
        parent = os.path.dirname(here)
        if parent == here:
            break
        here = parent
    return Root(git, "git") if git else Root(folder, "folder")


def _resolve(start: str) -> str:
    try:
        return os.path.realpath(start)
    except FileNotFoundError:
        from thruline.errors import NotFound  # here for the hooks' sake, as above

        raise NotFound("The working folder no longer exists.", next="cd into a folder that does") from None


def _is_ours(root: str) -> bool:
    """Whether the marker and its folders belong to this user, to root, or to whoever called sudo."""
    if not hasattr(os, "geteuid"):
        return True
    me = os.geteuid()
    owners = (str(me), "0", os.environ.get("SUDO_UID", "") if me == 0 else "")
    path = root
    try:
        for name in MARKER.split(os.sep):
            path = os.path.join(path, name)
            if str(os.lstat(path).st_uid) not in owners:  # of a link, its maker
                return False
    except OSError:
        return False
    return True


def _is_git_root(folder: str) -> bool:
    # A worktree or a submodule has a `.git` file; an empty `.git` folder is not a repository, and git says so too.
    dot_git = os.path.join(folder, ".git")
    return os.path.isfile(dot_git) or os.path.isfile(os.path.join(dot_git, "HEAD"))


def build_project_key(project_id: str, real_root: str) -> str:
    """A file name that no two projects, clones or worktrees share, and that a person can recognise."""
    name = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in os.path.basename(real_root))
    digest = 0xCBF29CE484222325  # FNV-1a: hashlib would cost a hook eleven modules
    for byte in f"{project_id}\0{real_root}".encode("utf-8", "surrogatepass"):
        digest = ((digest ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{name[:40].strip('-') or 'root'}-{digest:016x}"


def is_safe_name(text: str) -> bool:
    """Whether `text` can be one component of a path on every system: letters, digits, `-`, `_`, inner dots."""
    return (
        0 < len(text) <= 128
        and text.isascii()
        and text.replace("-", "").replace("_", "").replace(".", "").isalnum()
        and text[0] != "."
        and text[-1] != "."
        and ".." not in text
    )


def is_safe_id(text: str) -> bool:
    """Whether `text` can name a session's files. Some names of up to four letters are devices on Windows."""
    return len(text) > 4 and is_safe_name(text)


class HookPaths:
    """Where the hooks and the worker of one project meet, below the user's state (docs/design/0016-hooks-at-work.md).

    `key` is the project's, made of its real root alone; harness and session must be safe names.
    """

    __slots__ = ("key", "state")

    def __init__(self, state: str, key: str) -> None:
        self.state = state
        self.key = key

    @property
    def spool(self) -> str:
        return os.path.join(self.state, "spool", self.key)

    @property
    def ready(self) -> str:
        return os.path.join(self.state, "ready", self.key)

    @property
    def off(self) -> str:
        return os.path.join(self.ready, "off")

    @property
    def config(self) -> str:
        return os.path.join(self.ready, "config.json")

    @property
    def injected(self) -> str:
        return os.path.join(self.state, "injected", self.key + ".jsonl")

    @property
    def work_lock(self) -> str:
        return os.path.join(self.state, "work", self.key, "lock")

    @property
    def work(self) -> str:
        return os.path.join(self.state, "work", self.key)

    def build_loop_leave(self, loop_id: str) -> str:
        return os.path.join(self.state, "loops", self.key, loop_id)

    def build_start(self, harness: str) -> str:
        return os.path.join(self.ready, "start", harness + ".json")

    def build_resume(self, harness: str) -> str:
        return os.path.join(self.ready, "resume", harness + ".json")

    def build_late(self, harness: str, session: str) -> str:
        return os.path.join(self.ready, "sessions", harness, session + ".json")

    def build_keep(self, harness: str, session: str) -> str:
        return os.path.join(self.ready, "keep", harness, session + ".json")

    @property
    def status(self) -> str:
        return os.path.join(self.ready, "status.json")

    def build_status(self, harness: str, session: str) -> str:
        return os.path.join(self.ready, "status", harness, session + ".json")

    def build_flag(self, harness: str, session: str) -> str:
        return os.path.join(self.ready, "threshold", harness, session)

    def build_theirs(self, harness: str, session: str) -> str:
        return os.path.join(self.ready, "theirs", harness, session)


class ProjectPaths:
    """One project's files. `base` is `.agent/context` where there is a marker, else a folder of the user's state."""

    __slots__ = ("base", "forge", "marked", "root")

    def __init__(self, root: str, base: str, *, marked: bool, forge: bool) -> None:
        self.root = root
        self.base = base
        self.marked = marked
        self.forge = forge

    @property
    def marker(self) -> str:
        return os.path.join(self.root, MARKER)

    @property
    def config_file(self) -> str:
        return os.path.join(self.root, ".agent", "context", "config.toml")

    @property
    def gitignore(self) -> str:
        return os.path.join(self.root, ".agent", "context", ".gitignore")

    @property
    def packets(self) -> str:
        return os.path.join(self.base, "packets")

    @property
    def loops(self) -> str:
        return os.path.join(self.base, "loops")

    @property
    def indexes(self) -> str:
        return os.path.join(self.base, "indexes")

    @property
    def active_loop(self) -> str:
        return os.path.join(self.base, "indexes", "active-loop.json")

    def build_loop(self, loop_id: str, end: str = ".md") -> str:
        return os.path.join(self.base, "loops", loop_id + end)

    @property
    def handoffs(self) -> str:
        return os.path.join(self.root, ".forge", "handoffs") if self.forge else os.path.join(self.base, "handoffs")

    @property
    def logs(self) -> str:
        return os.path.join(self.root, ".forge", "logs") if self.forge else os.path.join(self.base, "logs")

    @property
    def cache(self) -> str:
        return os.path.join(self.base, "cache")

    @property
    def journal(self) -> str:
        return os.path.join(self.base, "cache", "journal")

    @property
    def briefs(self) -> str:
        return os.path.join(self.base, "cache", "briefs")

    @property
    def ready(self) -> str:
        return os.path.join(self.base, "ready")

    @property
    def scratch(self) -> str:
        return os.path.join(self.base, "scratch")

    @property
    def refocus(self) -> str:
        return os.path.join(self.root, "docs", "refocus")

    @property
    def canonical(self) -> str:
        return os.path.join(self.root, "docs", "context")

    @property
    def specs(self) -> str:
        return os.path.join(self.root, "specs")


def build_project_paths(root: Root, state_dir: str) -> ProjectPaths:
    """Where the files of the project at `root` are."""
    if root.kind == "marker":
        forge = os.path.isdir(os.path.join(root.path, ".forge"))
        return ProjectPaths(root.path, os.path.join(root.path, ".agent", "context"), marked=True, forge=forge)
    base = os.path.join(state_dir, "projects", build_project_key("", root.path))
    return ProjectPaths(root.path, base, marked=False, forge=False)


def find_project(start: str) -> ProjectPaths:
    """The files of the project that `start` belongs to."""
    return build_project_paths(find_root(start), find_state_dir())
