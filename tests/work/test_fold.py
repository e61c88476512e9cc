"""Events into state: order, reopening, forks and clients that went on."""

from typing import Any

from tests.work.shop import FIRST, SECOND
from thruline.operations.work.event import Event, parse_event
from thruline.operations.work.fold import END, TURN, fold_events
from thruline.operations.work.state import WorkState, parse_state, render_state

CLIENT = "some-client"
_names = iter(range(1000))


def make(event: str, session: str = FIRST, *, at: float, **fields: Any) -> Event:
    return Event(f"{next(_names)}.json", event, at, CLIENT, session, **fields)


def fold(*events: Event) -> WorkState:
    state = WorkState()
    fold_events(state, events, "/home/me/shop")
    return state


def test_a_state_comes_back_as_it_was_kept() -> None:
    state = fold(make("session_start", at=1.0, source="startup", pid=7), make("turn_end", at=2.0, said="x"))
    assert parse_state(render_state(state)) == state


def test_an_event_from_before_the_end_does_not_open_the_session_again() -> None:
    state = fold(make("session_end", at=5.0, reason="other"), make("tool_done", at=4.0))
    assert state.find(CLIENT, FIRST).ended
    assert END in state.find(CLIENT, FIRST).due


def test_an_event_after_the_end_does() -> None:
    state = fold(make("session_end", at=5.0), make("prompt", at=6.0, pid=9))
    session = state.find(CLIENT, FIRST)
    assert not session.ended
    assert session.pid == 9


def test_a_start_that_may_be_a_forks_changes_nothing_of_the_session_it_names() -> None:
    state = fold(
        make("turn_end", at=1.0, pid=7),
        make("session_end", at=2.0),
        make("session_start", at=3.0, source="resume", pid=9, fork_id=SECOND),
        make("prompt", SECOND, at=4.0, pid=9),
    )
    assert state.find(CLIENT, FIRST).ended
    assert state.find(CLIENT, FIRST).pid == 7
    assert state.find(CLIENT, SECOND).pid == 9


def test_only_a_fresh_start_without_notes_is_hungry_and_only_until_its_first_turn() -> None:
    for source, told, hungry in (
        ("startup", (), True),
        ("clear", (), True),
        ("resume", (), False),
        ("compact", (), False),
        ("startup", (f"resume {CLIENT}:{SECOND}:3",), False),
        ("startup", (f"start {CLIENT}:{SECOND}:t",), True),
    ):
        state = fold(make("session_start", at=1.0, source=source, told=told))
        assert state.find(CLIENT, FIRST).hungry is hungry, (source, told)
    state = fold(make("session_start", at=1.0, source="startup"), make("turn_end", at=2.0))
    assert not state.find(CLIENT, FIRST).hungry
    assert state.find(CLIENT, FIRST).due == {TURN: 0}


def test_an_event_of_a_newer_schema_or_with_an_unsafe_name_is_none() -> None:
    row = {"schema": 1, "event": "prompt", "harness": CLIENT, "session": FIRST, "at": 1}
    assert parse_event("n", row) is not None
    for change in ({"schema": 2}, {"session": "../x"}, {"session": ".x"}, {"harness": "a/b"}, {"event": 7}):
        assert parse_event("n", {**row, **change}) is None
    odd = parse_event(
        "n", {**row, "pid": "x", "at": 1e300, "files": [["a"], "b", [1, 2], ["a", "edited"]], "told": [1]}
    )
    assert odd is not None
    assert (odd.pid, odd.at, odd.files, odd.told) == (0, 0.0, (("a", "edited"),), ())
