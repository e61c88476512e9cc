"""The fold tells every call once, with its outcome, in the order of the transcript."""

import pytest

from thruline.session.parts import (
    Call,
    Changed,
    Compacted,
    Delegated,
    Part,
    Result,
    Rewound,
    Said,
    Tasks,
    Thought,
)
from thruline.spine.build import MOST_WAITING, build_spine
from thruline.spine.entry import render_entry


def spine(*parts: Part) -> list[str]:
    return [render_entry(entry).rstrip("\n") for entry in build_spine(parts)]


def call(line: int, call_id: str, target: str = "pytest") -> Call:
    return Call(line, call_id, "Bash", "run", target)


def test_what_people_and_agents_said_is_kept_whole() -> None:
    long = "word " * 5000
    assert spine(Said(1, "human", "turn", long), Said(2, "agent", "text", "ok\n\nfine")) == [
        f"L1 human turn\n  {long}",
        "L2 agent\n  ok\n  \n  fine",
    ]


def test_a_call_is_one_line_with_its_outcome() -> None:
    assert spine(call(3, "c"), Result(4, "c", "ok", 90_000)) == ["L3 Bash pytest · ok"]


def test_an_error_keeps_its_text_and_exit_status() -> None:
    shown = spine(call(3, "c"), Result(4, "c", "error", 80, text="2 failed\nE assert", exit_status=1))
    assert shown == ["L3 Bash pytest · error, exit 1\n  2 failed\n  E assert"]


def test_a_commit_is_told_with_the_call_that_made_it() -> None:
    shown = spine(call(3, "c", "git commit"), Result(4, "c", "ok", 80, commits=(("ab12cd3", "Fix it"),)))
    assert shown == ["L3 Bash git commit · ok; commit ab12cd3 Fix it"]


def test_parallel_calls_come_in_the_order_they_were_made() -> None:
    shown = spine(
        call(1, "a", "one"),
        call(2, "b", "two"),
        Result(3, "b", "ok", 1),
        Said(4, "agent", "text", "between"),
        Result(5, "a", "error", 1, text="no"),
    )
    assert shown == ["L1 Bash one · error\n  no", "L2 Bash two · ok", "L4 agent\n  between"]


def test_a_call_without_result_does_not_hold_back_the_next_turn() -> None:
    shown = spine(call(1, "a"), Said(2, "human", "turn", "next"))
    assert shown == ["L1 Bash pytest · no result", "L2 human turn\n  next"]


def test_trouble_that_arrives_late_is_told_with_the_call_it_belongs_to() -> None:
    shown = spine(call(1, "a"), Said(2, "human", "turn", "next"), Result(9, "a", "error", 1, text="died"))
    assert shown[-1] == "L9 later, of L1: Bash pytest · error\n  died"


def test_waiting_is_bounded() -> None:
    parts: list[Part] = [call(1, "never")]
    parts += [Said(n, "agent", "text", "x") for n in range(2, MOST_WAITING + 10)]
    shown = spine(*parts)
    assert len(shown) == len(parts)
    assert shown[0] == "L1 Bash pytest · no result"


def test_text_that_only_looks_human_is_not_told_as_human() -> None:
    shown = spine(
        Said(1, "client", "summary", "This session is being continued " * 40),
        Said(2, "client", "reminder", "Remember the milk"),
        Said(3, "client", "interrupt", "[Request interrupted by user]"),
    )
    assert shown == [
        "L1 summary by the client · 1,280 characters",
        "L3 interrupted by the user · [Request interrupted by user]",
    ]


@pytest.mark.feature("F001-05", via="unit")
def test_thinking_is_kept_only_where_it_has_text() -> None:
    assert spine(Thought(1, ""), Thought(2, "maybe the cache")) == ["L2 thought\n  maybe the cache"]


@pytest.mark.feature("F001-06", via="unit")
def test_a_sidechain_is_one_line_of_outcome_and_a_pointer() -> None:
    inline = Delegated(12, "x", agent_kind="Explore", task="Find it", outcome="It is in\nsrc/a.py", last=30)
    beside = Delegated(40, "y", outcome="Nothing found.", label="a1", last=9)
    assert spine(inline, beside) == [
        "L12 subagent Explore Find it · It is in src/a.py (transcript:L12-L30)",
        "L40 subagent · Nothing found. (transcript:a1:L1-L9)",
    ]


def test_turning_points_are_told() -> None:
    assert spine(
        Compacted(5, "auto", tokens_before=167_000, tokens_after=9_000),
        Compacted(6, "manual", tokens_before=90_000),
        Rewound(9, 6, 8),
        Tasks(10, (("a", "completed"), ("b", "in_progress"))),
        Changed(11, "branch", "fix-it"),
        Changed(12, "version", "2.1.0"),
    ) == [
        "L5 compacted (auto, 167,000 → 9,000 tokens)",
        "L6 compacted (manual, 90,000 → ? tokens)",
        "L9 rewound: L6-L8 were left behind",
        "L10 tasks · 1 completed, 1 in_progress · now: b",
        "L11 branch · fix-it",
    ]


def test_the_words_of_a_refusal_stand_once() -> None:
    words = Said(4, "human", "rejection", "use pnpm", about="Bash npm install", call_id="c")
    refused = Result(4, "c", "refused", 80, text="The user said no: use pnpm")
    assert spine(
        call(3, "c", "npm install"), words, refused, call(5, "d"), Result(6, "d", "refused", 9, text="no")
    ) == [
        "L3 Bash npm install · refused",
        "L4 human rejection · Bash npm install\n  use pnpm",
        "L5 Bash pytest · refused\n  no",
    ]
