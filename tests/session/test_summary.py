"""The summary says how a session stands from the last thing that happened in it."""

import pytest

from thruline.session.parts import Call, Changed, Compacted, Part, Result, Said, Tasks, Used
from thruline.session.summary import Summary


def summary(*parts: Part) -> Summary:
    made = Summary()
    for part in parts:
        made.see(part)
    return made


TURN = Said(1, "human", "turn", "Fix the\n flaky test", uuid="u1", time="2026-01-01T10:00:00Z")
ANSWER = Said(2, "agent", "text", "Done.", uuid="u2", time="2026-01-01T10:01:00Z")


@pytest.mark.parametrize(
    ("parts", "state"),
    [
        ((), "empty"),
        ((TURN,), "unanswered"),
        ((TURN, ANSWER), "answered"),
        ((TURN, Call(2, "c", "Bash", "run", "ls")), "mid-turn"),
        ((TURN, Call(2, "c", "Bash", "run", "ls"), Result(3, "c", "ok", 1)), "mid-turn"),
        ((TURN, Call(2, "c", "Bash", "run", "ls"), Result(3, "c", "interrupted", 1)), "interrupted"),
        ((TURN, ANSWER, Said(3, "client", "interrupt", "[…]")), "interrupted"),
        ((TURN, ANSWER, Said(3, "client", "reminder", "…")), "answered"),
    ],
)
def test_the_state_is_that_of_the_last_event(parts: tuple[Part, ...], state: str) -> None:
    assert summary(*parts).state == state


def test_the_project_is_where_the_session_began() -> None:
    made = summary(Changed(1, "cwd", "/home/dev/app"), Changed(9, "cwd", "/home/dev/app/web"))
    assert made.cwd == "/home/dev/app"


def test_the_last_title_and_branch_win_and_versions_are_collected() -> None:
    made = summary(
        Changed(1, "title", "first"),
        Changed(2, "title", "second"),
        Changed(3, "version", "2.1.0"),
        Changed(4, "version", "2.1.1"),
        Changed(5, "version", "2.1.0"),
        Changed(6, "branch", "main"),
        Changed(7, "branch", "fix"),
    )
    assert (made.title, made.branch, made.versions) == ("second", "fix", ["2.1.0", "2.1.1"])


def test_counts_and_ends() -> None:
    made = summary(
        TURN,
        ANSWER,
        Said(3, "human", "queued", "also this"),
        Call(4, "c", "Edit", "edit", "a.py"),
        Result(5, "c", "refused", 1),
        Said(5, "human", "rejection", "not like that"),
        Compacted(6, "auto"),
        Used(7, "m-1", 10, 20, 500, window=200_000),
        Used(8, "m-1", 10, 5, 900),
        Tasks(9, (("a", "pending"),), uuid="u9", time="2026-01-02T00:00:00Z"),
    )
    assert made.humans == {"turn": 1, "queued": 1, "rejection": 1}
    assert (made.turns, made.refusals, made.compactions) == (2, 1, 1)
    assert (made.output_tokens, made.context, made.window, made.models) == (25, 900, 200_000, ["m-1"])
    assert (made.first_time, made.last_time, made.last_uuid) == ("2026-01-01T10:00:00Z", "2026-01-02T00:00:00Z", "u9")
    assert made.first_prompt == "Fix the flaky test"


def test_the_last_record_is_the_one_furthest_down_the_file_not_the_last_one_told() -> None:
    made = summary(TURN, ANSWER, Used(1, "m", 1, 1, 1, uuid="u1"), Said(9, "agent", "text", "…", uuid="s", source="a1"))
    assert made.last_uuid == "u2"
    again = Summary.from_fields(made.to_fields())
    again.see(Used(1, "m", 1, 1, 1, uuid="u1"))
    assert again.last_uuid == "u2"


def test_fields_kept_before_a_fact_was_known_are_read_without_it() -> None:
    fields = summary(TURN).to_fields()
    del fields["last_line"]
    assert Summary.from_fields(fields).last_line == 0
