"""A turn of the user's own session, asked for from outside its client: through the meter, in a group of its own.

Unlike a question it acts: tools, settings and hooks of the user are in force. So nothing but `loop run` takes it, for a
loop that the user started.
"""

import os
import shutil
import tempfile
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

from thruline.child import run_child
from thruline.engines.asker import Answer, Usage
from thruline.engines.meter import Meter
from thruline.errors import UsageError
from thruline.harnesses.capability import find_able, find_named, load
from thruline.harnesses.headless import Call, Ended, Reply, Turn, need_program
from thruline.harnesses.registry import Harness
from thruline.spine.budget import estimate_tokens

DRIVEN = "THRULINE_LOOP"  # keeps the loop engine of the hooks out: iterations are counted here
_LARGEST = 8 << 20

Look = Callable[[int, str], str]  # the client's process and its session, "" while unknown; a word ends it


@dataclass(frozen=True, slots=True)
class Driven:
    """How a turn ended: what was said last, or in `problem` why nothing was; and in which session."""

    text: str
    problem: str
    session: str
    tokens: int


class Driver:
    """A client that can be driven."""

    def __init__(self, harness: Harness, program: str, module: ModuleType) -> None:
        self.name = harness.name
        self._program = program
        self._module = module

    def choose_session(self) -> str:
        """An id for a new session; empty where the client gives one itself."""
        return str(uuid.uuid4()) if self._module.CHOOSES_ID else ""

    def take_turn(
        self,
        prompt: str,
        *,
        session: str,
        fresh: str,
        root: str,
        more: tuple[str, ...],
        loop_id: str,
        timeout: float,
        meter: Meter,
        look: Look,
    ) -> Driven:
        """One turn in the project at `root`; a client that fails, hangs or is ended is told in `problem`."""
        meter.check_enabled()
        [receipt] = meter.reserve("", [estimate_tokens(len(prompt.encode("utf-8", "replace")))])
        began, reply, problem, found = time.monotonic(), Reply(), "interrupted", session or fresh
        folder = tempfile.mkdtemp(prefix="thruline-loop-")
        try:
            call: Call = self._module.build_turn(Turn(self._program, prompt, session, fresh, folder, more))
            env = {name: value for name, value in os.environ.items() if name not in call.drop}
            streams = [os.path.join(folder, name) for name in (".in", ".out", ".err")]
            with open(streams[0], "w", encoding="utf-8", errors="replace", newline="") as file:
                file.write(call.stdin)

            def watch(pid: int) -> str:
                nonlocal found
                found = found or self._module.find_session(_read(streams[1]))
                return look(pid, found)

            with open(streams[0], "rb") as given, open(streams[1], "wb") as out, open(streams[2], "wb") as err:
                code, problem = run_child(
                    call.argv,
                    folder=root,
                    env={**env, **call.give, DRIVEN: loop_id},
                    streams=(given, out, err),
                    timeout=timeout,
                    look=watch,
                )
            said = _read(streams[1])
            found = self._module.find_session(said) or found
            if not problem:
                reply = self._module.read_reply(Ended(code, said, _read(streams[2]), folder))
                problem = reply.problem
        except OSError as error:
            problem = f"not run: {error.strerror or error}"
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            usage = Usage(reply.read, reply.written, reply.cached, reply.dollars)
            meter.settle(receipt, Answer(reply.text, reply.model, usage, problem), time.monotonic() - began)
        return Driven(reply.text, problem, found, reply.read + reply.written)


def open_driver(name: str) -> Driver:
    """The client of a name, if it is installed and can be driven."""
    harness = find_named("drive", name)
    if harness is None:
        able = [one.name for one in find_able("drive")]
        raise UsageError(f'No client "{name}" can be driven.', where="--harness", next="use " + " or ".join(able))
    program = need_program(harness, os.environ)
    return Driver(harness, program, load(harness, "drive"))


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read(_LARGEST)
