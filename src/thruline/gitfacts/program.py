"""How git is run: it may look, and do nothing else.

A repository is not its user (law 11), yet its config and attributes may name programs for git to start: a file system
monitor, a content filter, a hook, a transport. Every such door is shut here, in one place, for every question.
Why each line is needed: docs/design/0008-git.md.
"""

import os
import sys
import time
from collections.abc import Mapping, Sequence

from thruline.value import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from typing import IO, Literal

TIMEOUT = 5.0
LIMIT = 16 * 1024 * 1024  # bytes of output; a repository with more changes than that is not described, but named so

NO_GIT = "no git"
NOT_A_REPOSITORY = "not a repository"
NOT_TRUSTED = "not trusted"
NO_COMMIT = "no commit yet"
TIMED_OUT = "timed out"
TOO_LARGE = "too large"
FAILED = "failed"


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Why git could not tell. False in a condition, so that `if not status` covers every reason at once.

    `reason` is one of the words above; `detail` is for people.
    """

    reason: str
    detail: str = ""

    def __bool__(self) -> "Literal[False]":
        return False


@dataclass(frozen=True, slots=True)
class Answer:
    """What git printed. `code` is its exit code: some questions are answered by it."""

    code: int
    output: bytes
    trouble: str


# Last one wins in git's config, and the command line comes last. An empty `core.fsmonitor` is "no" to new gits and
# "no program" to old ones, to whom "false" would be a program's name.
_SHUT = (
    "core.fsmonitor=",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.gitProxy=",
    "core.askPass=",
    "core.untrackedCache=keep",
    "core.quotePath=false",
    "credential.helper=",
    "diff.external=",
    "diff.autoRefreshIndex=false",
    "i18n.logOutputEncoding=UTF-8",
    "log.showSignature=false",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
    "status.submoduleSummary=false",
    "submodule.recurse=false",
)

# Variables of git's own that a person sets on purpose; the rest (GIT_DIR, GIT_INDEX_FILE, GIT_CONFIG_COUNT, GIT_TRACE…)
# comes from a hook or a wrapper that speaks of another repository.
_KEPT = ("GIT_CEILING_DIRECTORIES", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM")

_FILTER_KEYS = ("clean", "smudge", "process", "required")


def find_git(env: Mapping[str, str]) -> str | None:
    """The git program of PATH. Relative entries are skipped: they would name a file of the repository itself."""
    names = ("git.exe",) if sys.platform == "win32" else ("git",)
    for folder in env.get("PATH", "").split(os.pathsep):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isabs(folder) and os.path.isfile(path) and os.access(path, os.X_OK):
                return path
    return None


def build_environment(env: Mapping[str, str]) -> dict[str, str]:
    """`env` without what would point git elsewhere, and with what keeps it silent and still."""
    clean = {name: value for name, value in env.items() if not name.startswith("GIT_") or name in _KEPT}
    for name in ("LANGUAGE", "PAGER", "SSH_ASKPASS"):
        clean.pop(name, None)
    clean.update(
        LC_ALL="C",
        GIT_OPTIONAL_LOCKS="0",
        GIT_NO_LAZY_FETCH="1",
        GIT_ALLOW_PROTOCOL="none",
        GIT_TERMINAL_PROMPT="0",
        GIT_PAGER="cat",
        GIT_TRACE2="0",
        GIT_TRACE2_EVENT="0",
        GIT_TRACE2_PERF="0",
    )
    return clean


def ask_git(
    folder: str,
    arguments: Sequence[str],
    *,
    given: bytes = b"",
    reads_files: bool = False,
    timeout: float | None = None,
) -> Answer | NoAnswer:
    """What `git <arguments>` answers in `folder`; `reads_files` for questions that compare contents on disk."""
    timeout = TIMEOUT if timeout is None else timeout
    deadline = time.monotonic() + timeout
    shut: list[str] = []
    if reads_files:
        config = _run(folder, ("config", "-z", "--name-only", "--list"), (), b"", deadline)
        if isinstance(config, NoAnswer):
            return _tell_time(config, timeout)
        if config.code != 0:
            return _explain(config)
        names = _filter_names(config.output)
        if names is None:
            return NoAnswer(FAILED, "a content filter with '=' in its name cannot be switched off")
        shut = [
            f"filter.{name}.{key}=" + ("false" if key == "required" else "") for name in names for key in _FILTER_KEYS
        ]
    answer = _run(folder, arguments, shut, given, deadline)
    if isinstance(answer, NoAnswer):
        return _tell_time(answer, timeout)
    return _explain(answer) if answer.code >= 128 else answer


def read_version(*, timeout: float | None = None) -> str | NoAnswer:
    """What git says of its own version, as in `2.39.5`."""
    answer = ask_git(os.path.abspath(os.sep), ("--version",), timeout=timeout)
    if isinstance(answer, NoAnswer):
        return answer
    return answer.output.decode("utf-8", "replace").strip().removeprefix("git version ")


def _tell_time(answer: NoAnswer, timeout: float) -> NoAnswer:
    return NoAnswer(TIMED_OUT, f"git took longer than {timeout:g} s") if answer.reason == TIMED_OUT else answer


def _filter_names(listing: bytes) -> list[str] | None:
    """The content filters that some config file defines; None if one of them cannot be overridden with `-c`."""
    names = set()
    for key in listing.split(b"\0"):
        head, _, last = key.rpartition(b".")
        if head.startswith(b"filter.") and last.decode("ascii", "replace") in _FILTER_KEYS:
            names.add(os.fsdecode(head[len(b"filter.") :]))
    return None if any("=" in name for name in names) else sorted(names)


def _run(
    folder: str, arguments: Sequence[str], overrides: Sequence[str], given: bytes, deadline: float
) -> Answer | NoAnswer:
    import subprocess  # here: a brief imports this room, and most projects it tells of are not on this machine

    program = find_git(os.environ)
    if program is None:
        return NoAnswer(NO_GIT, "no git program in PATH")
    line = [program, "--no-pager"]
    for setting in (*_SHUT, *overrides):
        line += ["-c", setting]
    try:
        process = subprocess.Popen(
            line + list(arguments),
            cwd=folder,
            env=build_environment(os.environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else "") or str(error)
        return NoAnswer(FAILED, f"git cannot be started in {folder}: {reason[:1].lower()}{reason[1:]}")
    return _collect(process, given, deadline)


def _collect(process: "subprocess.Popen[bytes]", given: bytes, deadline: float) -> Answer | NoAnswer:
    """Reads both streams to their end, or stops the whole process group at the deadline or the limit."""
    import subprocess
    import threading

    assert process.stdin
    assert process.stdout
    assert process.stderr
    streams: list[tuple[IO[bytes], bytearray]] = [(process.stdout, bytearray()), (process.stderr, bytearray())]
    too_large = threading.Event()

    def read(stream: "IO[bytes]", into: bytearray) -> None:
        while chunk := os.read(stream.fileno(), 65536):
            into += chunk
            if len(into) > LIMIT:
                too_large.set()
                _kill(process)
                return

    def write(stream: "IO[bytes]") -> None:
        try:
            stream.write(given)
            stream.close()
        except OSError:
            pass  # git left before it had read all; its exit code says why

    threads = [threading.Thread(target=read, args=pair, daemon=True) for pair in streams]
    threads.append(threading.Thread(target=write, args=(process.stdin,), daemon=True))
    for thread in threads:
        thread.start()
    late = False
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))
        late = late or thread.is_alive()
    if not late:
        try:
            process.wait(max(0.05, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            late = True
    if late:
        _kill(process)
    process.wait()
    for thread in threads:
        thread.join(1.0)
    for stream in (process.stdin, process.stdout, process.stderr):
        try:
            stream.close()
        except OSError:
            pass
    if too_large.is_set():
        return NoAnswer(TOO_LARGE, f"git printed more than {LIMIT // (1024 * 1024)} MiB")
    if late:
        return NoAnswer(TIMED_OUT)
    return Answer(
        process.returncode, bytes(streams[0][1]), bytes(streams[1][1][:4096]).decode("utf-8", "replace").strip()
    )


def _kill(process: "subprocess.Popen[bytes]") -> None:
    try:
        if sys.platform == "win32":
            process.kill()
        else:
            import signal

            os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        pass  # gone already


def _explain(answer: Answer) -> NoAnswer:
    # LC_ALL=C: these words are git's own and have been stable since they exist.
    trouble = answer.trouble
    if "dubious ownership" in trouble or "unsafe repository" in trouble:
        return NoAnswer(NOT_TRUSTED, "the repository belongs to another user and safe.directory does not name it")
    if "not a git repository" in trouble or "must be run in a work tree" in trouble or "bare repository" in trouble:
        return NoAnswer(NOT_A_REPOSITORY, "no working tree of git here")
    return NoAnswer(FAILED, trouble.splitlines()[0] if trouble else f"git ended with code {answer.code}")
