"""The user's own folders, by the customs of each platform, and the files in them."""

import os
import sys

from thruline.layout.hook import DoorPaths

VARIABLES = ("THRULINE_HOME", "THRULINE_OFF")  # those that are no setting


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


class UserPaths(DoorPaths):
    """The user's own files; `state` and `config` are the folders they lie in."""

    __slots__ = ("config",)

    def __init__(self, state: str, config: str) -> None:
        super().__init__(state)
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
    def prepare_lock(self) -> str:
        return os.path.join(self.cache, "prepare.lock")

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
    def hook_hot(self) -> str:
        return os.path.join(self.state, "hook", "hot")

    @property
    def hook_python(self) -> str:
        return os.path.join(self.state, "hook", "python")

    @property
    def ready(self) -> str:
        return os.path.join(self.state, "ready")

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
