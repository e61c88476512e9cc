"""`loop run`: a loop driven from outside its client, one headless turn an iteration, without the client's own cap.

A driver may be killed at any time: the next one ends what it left running and goes on at the same iteration. It ends by
itself with the loop, with a file `loops/<id>.stop`, when the loop is paused or cancelled from anywhere, or when the
client fails twice in a row.
"""

import os
import time
from dataclasses import replace

from thruline.artifacts.frontmatter import Document
from thruline.artifacts.loop import Loop, check_known
from thruline.artifacts.loop_step import (
    ACTIVE,
    find_promise,
    is_running,
    read_count,
    render_prompt,
    take_step,
)
from thruline.child import heed_ends
from thruline.clock import read_clock, render_time
from thruline.config import load_config
from thruline.disk.atomic import Lock, remove_quietly
from thruline.engines.drive import Driver, open_driver
from thruline.engines.meter import Meter, Purpose
from thruline.engines.receipts import find_project_name
from thruline.errors import LockTimeout, Refused, ThrulineError
from thruline.layout import ProjectPaths, find_user_paths
from thruline.operations.loops.choosing import need_harness
from thruline.operations.loops.listing import build_loop_path
from thruline.operations.loops.progress import Progress, Ran, Tell
from thruline.operations.loops.run_note import (
    LOCK,
    STOP,
    RunNote,
    end_orphan,
    find_born,
    read_note,
    remove_note,
    write_note,
)
from thruline.operations.loops.store import change_loops, read_loop
from thruline.operations.loops.until import ask_until, end_left_command
from thruline.operations.loops.verbs import check_leave, find_leave, pause_loop
from thruline.operations.sessions.locate import locate

FEATURE = "loop"
TIMEOUT = 3600.0
_MOST_FAILURES = 2
_LOOK = 0.5  # seconds between two looks at the loop's own file
_STOPPED, _OVER = "stopped: the stop file is there", "over: the loop was paused or ended"


def run_loop(
    paths: ProjectPaths,
    loop_id: str,
    *,
    harness: str = "",
    timeout: float = TIMEOUT,
    more: tuple[str, ...] = (),
    new_session: bool = False,
    tell: Tell = lambda _progress: None,
) -> Ran:
    """Drives a loop until it, or the run, is over; with `new_session` also where the loop's own session is gone."""
    loop = read_loop(paths, loop_id)
    if loop.status != ACTIVE:
        raise Refused(
            f'This loop is "{loop.status}".', where=loop.document.path, next=f"thruline loop resume {loop_id}"
        )
    check_known(loop)
    check_leave(paths, loop)
    driver = open_driver(harness or need_harness(loop))
    user = find_user_paths()
    models = load_config(paths, user, os.environ).models
    purpose = Purpose(FEATURE, find_project_name(paths.root), loop.session.partition(":")[2])
    meter = Meter(f"command:{driver.name}", models, user.receipts, purpose)
    meter.check_enabled()
    try:
        with heed_ends(), Lock(build_loop_path(paths, loop_id, LOCK), 0.2):
            return _Run(paths, loop_id, driver, meter, timeout, more, new_session, tell).run()
    except LockTimeout as error:
        if not error.where.startswith(build_loop_path(paths, loop_id, LOCK)):
            raise
        raise Refused("This loop is being driven already.", where=error.where, next="wait for it to end") from None


class _Run:
    """One driver at work."""

    def __init__(
        self,
        paths: ProjectPaths,
        loop_id: str,
        driver: Driver,
        meter: Meter,
        timeout: float,
        more: tuple[str, ...],
        new_session: bool,
        tell: Tell,
    ) -> None:
        self.paths = paths
        self.id = loop_id
        self.driver = driver
        self.meter = meter
        self.timeout = timeout
        self.more = more
        self.new_session = new_session
        self.tell = tell
        self.stop_file = build_loop_path(paths, loop_id, STOP)
        self.iterations = self.tokens = self.failures = 0
        self.note = RunNote(0)
        self.problem = ""
        self.begun = ""  # the session that this run began, or a killed one before it; "" where it found one

    def run(self) -> Ran:
        prompt = self._begin()
        while prompt:
            prompt = self._take_turn(prompt)
        loop = read_loop(self.paths, self.id)
        if loop.status == ACTIVE:
            check_known(loop)  # a hand changed its limit meanwhile: nobody else would say why the run is over
        return Ran(loop, self.iterations, self.tokens, self.problem, bool(self.begun))

    def _begin(self) -> str:
        """The first prompt: of the iteration that a killed driver did not finish, else of the next one."""
        left = read_note(self.paths, self.id)
        end_left_command(find_leave(self.paths, self.id))
        loop = read_loop(self.paths, self.id)
        if left is not None:
            end_orphan(left)
            self.note = replace(left, pid=0, born=0)
            self.begun = left.session if left.session != loop.session else ""
        self._find_session(loop)  # before anything is counted
        if left is None:
            return self._step("", "", "")
        if left.iteration != loop.iteration or not is_running(loop.document):
            return self._step("", "", left.failure if left.iteration == loop.iteration + 1 else "")
        return render_prompt(loop.document) + left.failure

    def _take_turn(self, prompt: str) -> str:
        """The next prompt, after this one was answered; empty where the run is over."""
        if self._is_stopped():
            return self._hold(given=False)
        loop = read_loop(self.paths, self.id)
        check_leave(self.paths, loop)  # every time: an agent can change the file that decides when it is done
        session, fresh = self._find_session(loop)
        began = looked = time.monotonic()
        if not session:
            self.begun = f"{self.driver.name}:{fresh}"
            self.tell(Progress(loop.iteration, loop.max_iterations, 0.0, "", self.tokens, begun=self.begun))
        self.note = replace(self.note, session=f"{self.driver.name}:{session or fresh}" if session or fresh else "")

        def look(pid: int, found: str) -> str:
            nonlocal looked
            name = f"{self.driver.name}:{found}" if found else ""
            if self.note.pid != pid or (name and self.note.session != name):
                self.note = replace(self.note, pid=pid, born=find_born(pid), session=name or self.note.session)
                write_note(self.paths, self.id, self.note)
            now = time.monotonic()
            if now - looked < _LOOK:
                return ""
            looked = now
            self.tell(Progress(loop.iteration, loop.max_iterations, now - began, loop.last_line, self.tokens))
            if self._is_stopped():
                return _STOPPED
            return "" if self._is_active() else _OVER

        driven = self.driver.take_turn(
            prompt,
            session=session,
            fresh=fresh,
            root=self.paths.root,
            more=self.more,
            loop_id=self.id,
            timeout=self.timeout,
            meter=self.meter,
            look=look,
        )
        self.tokens += driven.tokens
        seconds = time.monotonic() - began
        self.note = replace(self.note, pid=0, born=0)
        if driven.problem == _OVER:
            remove_note(self.paths, self.id)
            return ""
        if driven.problem == _STOPPED:
            return self._hold()
        name = f"{self.driver.name}:{driven.session}" if driven.session else ""
        if name and (not driven.problem or self._is_there(name)):
            self._bind(name)
        self.iterations += 1
        told = Progress(loop.iteration, loop.max_iterations, seconds, "", self.tokens, done=True)
        if driven.problem:
            self.failures += 1
            self.tell(replace(told, problem=driven.problem))
            if self.failures >= _MOST_FAILURES:
                self.problem = driven.problem
                return self._hold(f"client: {driven.problem}"[:120])
            next_prompt = self._step("", "", "")
            self.problem = "" if next_prompt else driven.problem  # the last that this run has to tell
            return next_prompt
        self.failures = 0
        promise = find_promise(loop.document, driven.text)
        failure = self._check_until(loop.document, promise)
        next_prompt = self._step(driven.text, promise, failure)
        self.tell(replace(told, last_line=read_loop(self.paths, self.id).last_line))
        return next_prompt

    def _step(self, message: str, promise: str, failure: str) -> str:
        with change_loops(self.paths) as loops:
            loop = loops.read(self.id)
            if not is_running(loop.document):
                remove_note(self.paths, self.id)
                return ""
            # With a stop file no further prompt is given, and none counted; a promise is a promise.
            stopped = self._is_stopped()
            now = render_time(read_clock())
            after, prompt = take_step(loop.document, message, promise, failure, now, deaf=stopped)
            loops.write(self.id, after.render())
            prompt = "" if stopped else prompt
            if prompt:
                self.note = replace(self.note, iteration=read_count(after, "iteration"), failure=failure)
                write_note(self.paths, self.id, self.note)
            else:
                loops.pointer = loops.pointer.drop(self.id)
        if stopped:
            return self._hold()
        if not prompt:
            remove_note(self.paths, self.id)
        return prompt

    def _check_until(self, document: Document, promise: str) -> str:
        return ask_until(document, promise, self.paths.root, find_leave(self.paths, self.id), self._is_over)

    def _find_session(self, loop: Loop) -> tuple[str, str]:
        """The session to resume, or the id of a new one: where the loop has none, or is driven in another client.

        A session that is gone took with it what the agent knew: another one begins only where the user said so. One
        that a driver began itself and that never got a transcript was none.
        """
        gone = ""
        for name in (self.note.session, loop.session):
            harness, _, session = name.partition(":")
            if harness == self.driver.name and session:
                if self._is_there(name):
                    return session, ""
                gone = gone if name == self.begun else name
        if gone and not self.new_session:
            raise Refused(
                "The session of this loop is gone: its client has no transcript of it.",
                where=gone,
                next=f"thruline loop run {self.id} --new-session goes on in a new one, which knows the prompt alone",
            )
        return "", self.driver.choose_session()

    def _is_there(self, name: str) -> bool:
        """Whether the client can go on with a session; what the ark alone has of it, it cannot."""
        try:
            return not locate(name.partition(":")[2], folder=self.paths.root).only_kept
        except ThrulineError:
            return False

    def _bind(self, name: str) -> None:
        """The loop belongs to the session it is driven in, so that it goes on there when a person opens it."""
        if read_loop(self.paths, self.id).session == name:
            return
        with change_loops(self.paths) as loops:
            loop = loops.read(self.id)
            if is_running(loop.document):
                loops.write(self.id, loop.document.set("session", name).render())
                loops.pointer = loops.pointer.put(name.partition(":")[2], self.id)

    def _is_stopped(self) -> bool:
        return os.path.lexists(self.stop_file)

    def _is_over(self) -> bool:
        return self._is_stopped() or not self._is_active()

    def _is_active(self) -> bool:
        try:
            return is_running(read_loop(self.paths, self.id).document)
        except ThrulineError:
            return False

    def _hold(self, by: str = "stop file", *, given: bool = True) -> str:
        """Nothing more; a prompt that was counted and not `given` stays noted, for the next run to give it."""
        if self._is_active():
            pause_loop(self.paths, self.id, by)
        if given:
            remove_note(self.paths, self.id)
        if self._is_stopped():
            remove_quietly(self.stop_file)
        return ""
