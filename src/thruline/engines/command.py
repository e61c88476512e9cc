"""`command:<harness>`: a headless client as the engine, one process a question.

Each has a folder of its own that is gone afterwards, and a guard variable that keeps our own hooks quiet in it. A
thruline that was killed can take neither away; the folder says whose it is and which client it was for, so that the
next one does.
"""

import json
import os
import re
import shutil
import stat
import sys
import tempfile
import threading
from types import ModuleType

from thruline.child import end_group, run_child
from thruline.disk.owner import is_running
from thruline.engines.asker import Answer, Options, Usage
from thruline.errors import UsageError
from thruline.extract.question import Question
from thruline.harnesses.capability import find_able, find_named, load
from thruline.harnesses.headless import Call, Ended, Reply, Request, need_program
from thruline.harnesses.registry import Harness
from thruline.process import is_same_running, read_process

GUARD = "THRULINE_OFF"
_LARGEST = 8 << 20  # of what a client says; a section is a page
_PREFIX, _CHILD = "thruline-ask-", ".child"
_OWNED = re.compile(re.escape(_PREFIX) + r"p(\d+)-\w+\Z")


class CommandAsker:
    """A client that answers from the command line."""

    def __init__(self, harness: Harness, program: str, module: ModuleType, options: Options) -> None:
        self.name = f"command:{harness.name}"
        self.model = options.model
        self.priced: bool = module.PRICED
        self._program = program
        self._module = module
        self._options = options

    def ask(self, question: Question, stop: threading.Event) -> Answer:
        """One answer; a client that fails, hangs or dies is told in `problem`."""
        folder = tempfile.mkdtemp(prefix=f"{_PREFIX}p{os.getpid()}-")
        try:
            schema = json.dumps(question.schema)
            request = Request(self._program, question.prompt, schema, folder, self._options.model, os.environ)
            call: Call = self._module.build_call(request)
            code, problem = _run(call, folder, self._options.timeout, stop)
            if problem:
                return Answer("", self.model, problem=problem)
            reply: Reply = self._module.read_reply(
                Ended(code, _read(os.path.join(folder, ".out")), _read(os.path.join(folder, ".err")), folder)
            )
        except OSError as error:
            return Answer("", self.model, problem=f"not run: {error.strerror or error}")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        usage = Usage(reply.read, reply.written, reply.cached, reply.dollars)
        return Answer(reply.text, reply.model or self.model, usage, reply.problem)


def check_name(rest: str) -> Harness:
    """The client of a name; a usage error where none can be asked this way."""
    harness = find_named("oneshot", rest)
    if harness is None:
        raise UsageError(
            f'No client "{rest}" can be asked from the command line.',
            where=f"command:{rest}",
            next="use " + " or ".join(f"command:{one.name}" for one in find_able("oneshot")),
        )
    return harness


def open_asker(rest: str, options: Options) -> CommandAsker:
    """The client of a name, if it is installed and can be asked this way."""
    harness = check_name(rest)
    program = need_program(harness, os.environ)
    end_orphans(tempfile.gettempdir())
    return CommandAsker(harness, program, load(harness, "oneshot"), options)


def end_orphans(temporary: str) -> None:
    """Ends the clients that a killed thruline left running below `temporary`, and removes their folders."""
    for name in os.listdir(temporary):
        owner, folder = _OWNED.match(name), os.path.join(temporary, name)
        if owner is None or is_running(int(owner.group(1))) is not False or not _is_ours(folder):
            continue
        try:
            pid, born = map(int, _read(os.path.join(folder, _CHILD)).split())
        except (OSError, ValueError):
            pid = born = 0  # killed before it had a client
        # One of unknown birth is left alone: its number may be another's by now.
        if pid > 1 and born and is_same_running(pid, born):
            end_group(pid)
        shutil.rmtree(folder, ignore_errors=True)


def _is_ours(folder: str) -> bool:
    try:
        status = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and (sys.platform == "win32" or status.st_uid == os.geteuid())


def _run(call: Call, folder: str, timeout: float, stop: threading.Event) -> tuple[int, str]:
    """The exit status, or why there is none."""
    for name, text in call.files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        _write(path, text)
    for name, target in call.links.items():
        os.symlink(target, os.path.join(folder, name))
    _write(os.path.join(folder, ".in"), call.stdin)
    env = {name: value for name, value in os.environ.items() if name not in call.drop}
    noted = os.path.join(folder, _CHILD)

    def look(pid: int) -> str:
        if not os.path.exists(noted):
            _write(noted, f"{pid} {read_process(pid)[2]}")
        return "interrupted" if stop.is_set() else ""

    with (
        open(os.path.join(folder, ".in"), "rb") as given,
        open(os.path.join(folder, ".out"), "wb") as out,
        open(os.path.join(folder, ".err"), "wb") as err,
    ):
        return run_child(
            call.argv,
            folder=folder,
            env={**env, **call.give, GUARD: "1"},
            streams=(given, out, err),
            timeout=timeout,
            look=look,
        )


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8", errors="replace", newline="") as file:
        file.write(text)


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read(_LARGEST)
