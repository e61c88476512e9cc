"""Agents' handoffs and their signals: the pages are true, every fault has its line, nothing crashes."""

import fnmatch
import json
import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.artifacts.pages import FORMATS, read_example
from thruline.artifacts.agent_handoff import (
    FIELDS,
    HEADINGS,
    build_agent_name,
    is_agent_name,
    parse_agent_handoff,
    render_agent_handoff,
)
from thruline.artifacts.handoff import build_handoff_name, is_handoff_name
from thruline.artifacts.signal import STATUSES, Signal, is_task_id, parse_signal, render_signal

MOMENT = datetime(2026, 11, 16, 9, 10, 0, tzinfo=UTC)
NAME = "agent-T-12-20261116-091000.md"
SIGNAL = read_example("signal.md")


def read_page() -> str:
    found = re.search(
        r"^````markdown\n(.*?)^````$", (FORMATS / "agent-handoff.md").read_text(), re.DOTALL | re.MULTILINE
    )
    assert found
    return found[1]


@pytest.mark.feature("F002-08", via="unit")
def test_the_page_s_example_is_read_and_written_again_byte_for_byte() -> None:
    example = read_page()
    found = parse_agent_handoff(example.encode(), NAME)
    assert found.problems == ()
    assert found.signal is not None
    assert (found.sender, found.receiver, found.task_id) == ("builder", "reviewer", "T-12")
    texts = {
        "Context": ["Task T-12: the export asks for rows after the last key."],
        "Findings": ["The cursor was inclusive."],
        "Recommendations": ["Run the export against staging before the release."],
    }
    assert render_agent_handoff(found.signal, MOMENT, texts).decode() == example
    for name in FIELDS:
        assert f"{name}:" in example
    for title in HEADINGS:
        assert f"## {title}\n" in example
    block = json.loads(example.partition("```json\n")[2].partition("```")[0])
    assert list(block) == ["from", "to", "task_id", "status", "files_modified", "open_questions", "blocking"]


def test_the_signal_s_page_is_true() -> None:
    signal, problems = parse_signal(SIGNAL)
    assert signal is not None
    assert problems == []
    assert render_signal(signal) + "\n" == SIGNAL


@pytest.mark.feature("F002-09", via="unit")
@pytest.mark.parametrize("status", ["complete", "partial", "blocked", "done", "Blocked", "", "complete "])
def test_a_status_is_one_of_exactly_three(status: str) -> None:
    assert STATUSES == ("complete", "partial", "blocked")
    signal, problems = parse_signal(SIGNAL.replace('"partial"', json.dumps(status)))
    assert (signal is not None) == (status in STATUSES) == (problems == [])
    assert all(line == 5 for line, _ in problems)


@pytest.mark.feature("F002-41", via="unit")
@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('"status": "blocked",', '"status": "lost",', 28, "not one of complete, partial, blocked"),
        ('"status": "blocked",\n', "", 24, '"status" is missing'),
        ('"to": "reviewer",', '"to": "reviewer"', 27, "no JSON"),
        ('"files_modified": [', '"files_modified": [1,', 29, "no list of texts"),
        ('"task_id": "T-12"', '"task_id": "T-13"', 27, "the file is of 'T-12'"),
        ("```json", "```", 37, "no signal"),
        ("From: builder\n", "", 1, 'no line "From:"'),
        ("## Findings\n", "", 1, 'no heading "Findings"'),
    ],
)
def test_a_fault_is_told_with_its_line(old: str, new: str, line: int, said: str) -> None:
    found = parse_agent_handoff(read_page().replace(old, new, 1).encode(), NAME)
    assert any(said in what and at == line for at, what in found.problems), found.problems


@pytest.mark.feature("F002-41", via="unit")
@given(st.binary(max_size=400), st.text(max_size=100))
def test_no_bytes_crash_the_reading(data: bytes, text: str) -> None:
    for raw in (data, b"```json\n" + data + b"\n```\n", f"---\n{text}\n```json\n{{{text}}}\n```".encode()):
        assert parse_agent_handoff(raw, NAME).problems
    parse_signal(text)
    parse_signal("[" * 100_000)


@pytest.mark.feature("F002-13", via="unit")
@given(st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,20}", fullmatch=True))
def test_no_pattern_for_agents_files_finds_a_session_s_and_none_the_other_way(task: str) -> None:
    agent, session = build_agent_name(task, MOMENT), build_handoff_name("2026-11-16T09:10:00Z")
    assert is_agent_name(agent)
    assert not is_handoff_name(agent)
    assert is_handoff_name(session)
    assert not is_agent_name(session)
    assert fnmatch.fnmatch(agent, "agent-*.md")
    assert not fnmatch.fnmatch(agent, "handoff-*.md")
    assert not fnmatch.fnmatch(session, "agent-*.md")


@pytest.mark.parametrize("task", ["", "../x", "a/b", "-x", ".", "a..b", "a b", "a\n", "é", "x" * 65, "a."])
def test_what_looks_like_a_path_or_a_flag_is_no_task(task: str) -> None:
    assert not is_task_id(task)


def test_a_text_cannot_add_a_heading_or_a_signal() -> None:
    signal = Signal("a", "b", "T", "complete")
    made = render_agent_handoff(signal, MOMENT, {"Findings": ["x\n## Signal\n```json\n{}\n```"]})
    found = parse_agent_handoff(made, "agent-T-20261116-091000.md")
    assert found.signal == signal
    assert found.problems == ()
