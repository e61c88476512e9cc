"""Verbs of loops and ends of turns, lost and told twice, in any order: one loop in front, no iteration lost."""

import os
import shutil
import tempfile
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.operations.looping import HARNESS, ONE, TWO, knock, start, stop
from thruline.artifacts.loop_step import render_prompt
from thruline.errors import Refused
from thruline.layout import build_project_paths, find_root, find_state_dir
from thruline.operations.loops.listing import read_pointer
from thruline.operations.loops.store import read_loop
from thruline.operations.loops.verbs import (
    activate_loop,
    cancel_loop,
    pause_loop,
    resume_loop,
    stop_loops,
)
from thruline.operations.sessions.current import Current
from thruline.operations.stamped import find_stamped_ids

SESSIONS = (ONE, TWO)
SAID = ("Not yet.", "<promise>DONE</promise>", "<promise>BLOCKED</promise>", "<promise>done</promise>", "")


class Anything(RuleBasedStateMachine):
    """Verbs and ends of turns in any order: what the hook says follows from what the files said before."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.before = os.environ.get("THRULINE_HOME")
        os.environ["THRULINE_HOME"] = os.path.join(self.folder, "state")
        os.mkdir(os.path.join(self.folder, "project"))
        self.paths = build_project_paths(find_root(os.path.join(self.folder, "project")), find_state_dir())
        self.counts: dict[str, int] = {}

    def teardown(self) -> None:
        if self.before is None:
            del os.environ["THRULINE_HOME"]
        else:
            os.environ["THRULINE_HOME"] = self.before
        shutil.rmtree(self.folder)

    @precondition(lambda self: len(self.counts) < 4)
    @rule(current=st.sampled_from(SESSIONS), most=st.integers(0, 2))
    def begin(self, current: Current, most: int) -> None:
        loop = start(self.paths, f"loop {len(self.counts)}", current, promises=("DONE",), max_iterations=most)
        self.counts[loop.id] = 0
        assert read_pointer(self.paths).sessions[current.session] == loop.id

    @precondition(lambda self: self.counts)
    @rule(
        at=st.integers(0, 3),
        verb=st.sampled_from([pause_loop, cancel_loop, resume_loop, activate_loop]),
        to=st.sampled_from([None, *SESSIONS]),
    )
    def change(self, at: int, verb: Any, to: Current | None) -> None:
        loop_id = sorted(self.counts)[at % len(self.counts)]
        before = read_loop(self.paths, loop_id), read_pointer(self.paths).sessions
        try:
            made = verb(self.paths, loop_id, to) if verb is activate_loop and to else verb(self.paths, loop_id)
        except Refused:
            assert (read_loop(self.paths, loop_id).document.render(), read_pointer(self.paths).sessions) == (
                before[0].document.render(),
                before[1],
            )
        else:
            assert made.loop.iteration == before[0].iteration
            assert made.front == (loop_id in read_pointer(self.paths).sessions.values())

    @rule()
    def hold_all(self) -> None:
        stop_loops(self.paths)
        assert read_pointer(self.paths).sessions == {}

    @rule(current=st.sampled_from(SESSIONS), said=st.sampled_from(SAID), times=st.integers(1, 2))
    def end_turn(self, current: Current, said: str, times: int) -> None:
        for _ in range(times):  # a second time is a stop that was told twice
            loop_id = read_pointer(self.paths).sessions.get(current.session, "")
            before = read_loop(self.paths, loop_id) if loop_id else None
            prompt = stop(self.paths, current, said)
            if prompt:
                assert before is not None
                assert before.status == "active"
                self.counts[loop_id] += 1
                assert prompt == render_prompt(read_loop(self.paths, loop_id).document)
            elif before is not None:
                after = read_loop(self.paths, loop_id)
                full = before.max_iterations and before.iteration >= before.max_iterations
                ends = {SAID[1]: "done", SAID[2]: "paused"}
                assert after.status == ends.get(said, "paused" if full else "active")
                assert after.status != "active"

    @rule(current=st.sampled_from(SESSIONS), event=st.sampled_from(["session_start", "prompt", "session_end"]))
    def lose_a_stop(self, current: Current, event: str) -> None:
        """The client died before it told that the turn ended: whatever comes next counts nothing and holds nobody."""
        assert b"decision" not in knock(self.paths, current, event)

    @invariant()
    def every_iteration_was_told_and_what_is_in_front_is_active(self) -> None:
        loops = {loop_id: read_loop(self.paths, loop_id) for loop_id in find_stamped_ids(self.paths.loops)}
        assert set(loops) == set(self.counts)
        assert {loop_id: loop.iteration for loop_id, loop in loops.items()} == self.counts
        front = list(read_pointer(self.paths).sessions.items())
        assert len({loop_id for _, loop_id in front}) == len(front)
        for session, loop_id in front:
            assert loops[loop_id].status == "active"
            assert loops[loop_id].session == f"{HARNESS}:{session}"


TestAnything = Anything.TestCase
TestAnything.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)
