"""Where hooks and worker meet."""

import os


class DoorPaths:
    """What hooks need of the user's state: the switch for all of them, the stub, and the logs of what went wrong."""

    __slots__ = ("state",)

    def __init__(self, state: str) -> None:
        self.state = state

    @property
    def hook_entry(self) -> str:
        return os.path.join(self.state, "hook", "entry.py")

    @property
    def kept_lines(self) -> str:
        return os.path.join(self.state, "hook", "statusline.json")

    @property
    def hook_errors(self) -> str:
        return os.path.join(self.state, "logs", "hook-errors.jsonl")

    @property
    def slow_hooks(self) -> str:
        return os.path.join(self.state, "logs", "slow-hooks.jsonl")

    @property
    def off(self) -> str:
        return os.path.join(self.state, "off")


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

    @staticmethod
    def build_reopened(path: str) -> str:
        """Where a hook puts a text for others whose session goes on."""
        return path + ".reopened"

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

    def build_blocks(self, harness: str, session: str) -> str:
        return os.path.join(self.ready, "blocks", harness, session)

    def build_theirs(self, harness: str, session: str) -> str:
        return os.path.join(self.ready, "theirs", harness, session)
