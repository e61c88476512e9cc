"""A world for one real client: its own home, project, settings and model, and no way out.

Nothing of the person who runs the suite reaches a client, and nothing it does reaches them: the environment is built
from nothing, the key is a dummy, the model is on loopback, and every proxy variable names a port where nobody listens,
so that what a client sends to its vendor unasked is refused before it leaves the machine.

Later tests say `world.ask("…")` where any client will do, and `world.run([…])` where the words of one are the point.
"""

import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.clients.model import Model, Turn
from tests.tracer import Trace, trace

TIMEOUT = 60.0
INHERITED = ("PATH", "LANG")
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
DATE = re.compile(r"\d{4}[-/]\d{2}[-/]\d{2}(?:[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?Z?)?")


@dataclass(frozen=True, slots=True)
class Command:
    """A turn in which the model runs a shell command, with whatever tool the client has for it."""

    line: str


@dataclass(frozen=True, slots=True)
class Run:
    """How one run of a client ended."""

    code: int
    stdout: str
    stderr: str
    seconds: float


Said = str | Command | Turn  # text, a command, or a turn in the model server's own words


class World:
    """What all clients' worlds share; a client's own module says the rest."""

    harness: str  # its name in our registry
    program: str  # what people call it in a shell
    events: dict[str, str]  # the client's hook events that we answer, and what we call them
    unseen: tuple[str, ...] = ()  # keys of a request that the model never sees: who asks, from where
    passing: re.Pattern[str] = UUID  # words in a request that no two runs share

    def __init__(self, binary: Path, root: Path, server: Path, turns: Sequence[Said]) -> None:
        self.binary = binary
        self.root = root.resolve()
        self.home = self.root / "home"
        self.project = self.root / "project"
        self.config = self.root / "config"
        self.state = self.root / "state"
        self.temporary = self.root / "tmp"
        for folder in (self.home, self.project, self.config, self.temporary):
            folder.mkdir(parents=True)
        self._runs = 0
        self._closed_port = socket.socket()
        # Bound and never listening: the port stays ours, and every call to it is refused at once.
        self._closed_port.bind(("127.0.0.1", 0))
        self._make_project()
        self.model = Model(server, [self._build_turn(turn) for turn in turns], self.root / "model")
        self.settings()

    # --- what a client's own module gives ---

    def settings(self, hooks: dict[str, str] | None = None) -> None:
        """Writes the client's settings; `hooks` maps its event names to command lines."""
        raise NotImplementedError

    def variables(self) -> dict[str, str]:
        """The client's own part of the environment."""
        raise NotImplementedError

    def build_words(self, prompt: str, *, resume: str = "", session: str = "") -> list[str]:
        """The arguments for one headless turn with every permission: in a new session, or in the one to resume.

        `session` is the new session's id, for clients that let us choose it.
        """
        raise NotImplementedError

    def requests(self) -> list[dict[str, Any]]:
        """The bodies of the conversation's model requests so far."""
        raise NotImplementedError

    def transcripts(self) -> list[Path]:
        """The transcripts of this project's sessions, where the facts say they are."""
        raise NotImplementedError

    def read_session_id(self, transcript: Path) -> str:
        """The id of the session that `transcript` belongs to."""
        raise NotImplementedError

    def build_command_turn(self, line: str) -> Turn:
        """The model server's turn in which this client's shell tool is called."""
        raise NotImplementedError

    def let_in(self) -> None:
        """What a person did once in the interactive client: they know it, and they trust the project."""
        raise NotImplementedError

    # --- what they share ---

    def environment(self) -> dict[str, str]:
        """Everything a client sees of the outside."""
        inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
        wall = f"http://127.0.0.1:{self._closed_port.getsockname()[1]}"
        return {
            **inherited,
            "HOME": str(self.home),
            "TMPDIR": str(self.temporary),
            "TERM": "xterm-256color",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "THRULINE_HOME": str(self.state),
            **dict.fromkeys(PROXIES, wall),
            "NO_PROXY": "127.0.0.1",
            "no_proxy": "127.0.0.1",
            **self.variables(),
        }

    def shell(self) -> dict[str, str]:
        """What a terminal beside the client has: the same, and the client by its name."""
        programs = self.root / "programs"
        programs.mkdir(exist_ok=True)
        if not (programs / self.program).exists():
            (programs / self.program).symlink_to(self.binary)
        environment = self.environment()
        return {**environment, "PATH": f"{programs}{os.pathsep}{environment['PATH']}"}

    def run(self, arguments: list[str], *, stdin: str = "", timeout: float = TIMEOUT) -> Run:
        """Runs the client in the project until it ends; past `timeout` it and its children are killed, and we fail."""
        self._runs += 1
        notes = self.root / f"run-{self._runs}"
        notes.mkdir()
        (notes / "stdin").write_text(stdin, encoding="utf-8")
        started = time.monotonic()
        # Files and not pipes: a child left behind would hold a pipe open and us with it.
        with (notes / "stdin").open() as given, (notes / "out").open("w") as out, (notes / "err").open("w") as err:
            process = subprocess.Popen(
                [str(self.binary), *arguments],
                cwd=self.project,
                env=self.environment(),
                stdin=given,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.binary.name} did not end within {timeout:.0f} s; see {notes}") from None
        finally:
            _end_group(process)
        return Run(
            code,
            (notes / "out").read_text(encoding="utf-8"),
            (notes / "err").read_text(encoding="utf-8"),
            time.monotonic() - started,
        )

    def start(self, arguments: list[str]) -> "subprocess.Popen[bytes]":
        """The client in the background, the leader of a group that whoever asked for it ends; nobody reads it."""
        return subprocess.Popen(
            [str(self.binary), *arguments],
            cwd=self.project,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def ask(self, prompt: str, *, resume: str = "", session: str = "") -> Run:
        """One headless turn."""
        return self.run(self.build_words(prompt, resume=resume, session=session))

    def trace(self, arguments: list[str]) -> Trace:
        """Every system call of interest that the client and its children make; ask for `tracing` first."""
        # The tracer waits as long as it takes; this program does not.
        patient = ["timeout", "--kill-after=5", f"{TIMEOUT:.0f}", str(self.binary), *arguments]
        return trace(patient, cwd=self.project, env=self.environment())

    def comparable_requests(self) -> list[Any]:
        """The requests with this world's paths, ids and dates made alike, so that two worlds can be compared."""
        return [
            self._level({key: value for key, value in body.items() if key not in self.unseen})
            for body in self.requests()
        ]

    def project_files(self) -> dict[str, bytes]:
        """Every file of the project outside git's own folder."""
        found = (path for path in self.project.rglob("*") if ".git" not in path.relative_to(self.project).parts)
        return {str(path.relative_to(self.project)): path.read_bytes() if path.is_file() else b"" for path in found}

    def close(self) -> None:
        """Ends the model."""
        self.model.stop()
        self._closed_port.close()

    def _build_turn(self, said: Said) -> Turn:
        if isinstance(said, Command):
            return self.build_command_turn(said.line)
        return {"text": said} if isinstance(said, str) else said

    def _level(self, value: Any) -> Any:
        if isinstance(value, str):
            dashed = re.sub(r"[^A-Za-z0-9]", "-", str(self.root))
            value = value.replace(str(self.root), "<world>").replace(dashed, "<world>")
            return self.passing.sub("<passing>", DATE.sub("<date>", UUID.sub("<id>", value)))
        if isinstance(value, list):
            return [self._level(item) for item in value]
        if isinstance(value, dict):
            return {key: self._level(item) for key, item in value.items()}
        return value

    def _make_project(self) -> None:
        (self.project / "README.md").write_text("# demo\n", encoding="utf-8")
        clean = {"PATH": os.environ["PATH"], "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1"}
        clean.update({f"GIT_{who}_{what}": "dev" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")})
        clean.update({f"GIT_{who}_DATE": "2026-01-01T00:00:00Z" for who in ("AUTHOR", "COMMITTER")})
        for arguments in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "Begin."]):
            subprocess.run(["git", *arguments], cwd=self.project, env=clean, check=True)


MakeWorld = Callable[..., Any]  # what the fixtures give: a new world of one client, with the model's turns


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    # The client leads a group of its own, so this reaches the children it forgot and nobody else.
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
