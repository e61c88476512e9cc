"""Handoffs: their page is true, their names sort and never clash."""

from pathlib import Path

import pytest

from tests.artifacts.pages import read_example
from thruline.artifacts.handoff import (
    HandoffHead,
    build_handoff_name,
    find_handoffs,
    is_handoff_name,
    parse_handoff,
    render_handoff,
)


def test_the_pages_example_comes_back_byte_for_byte() -> None:
    example = read_example("handoff.md")
    head = parse_handoff(example.encode(), "")
    assert head is not None
    assert (head.harness, head.branch) == ("some-client", "main")
    body = example.partition("---\n# ")[2]
    assert render_handoff(head, "# " + body).decode() == example


def test_a_title_cannot_leave_its_line() -> None:
    head = HandoffHead("0b7e5c1a-6a34", "some-client", "2026-11-16T09:10:00Z", "main", 'a\n---\nsession: "x"')
    again = parse_handoff(render_handoff(head, "# Brief: x\n"), "")
    assert again is not None
    assert again.session == head.session


def test_two_that_ended_in_one_second_have_two_names() -> None:
    first = build_handoff_name("2026-11-16T09:59:59Z")
    assert first == "handoff-20261116-095959.md"
    assert build_handoff_name("2026-11-16T09:59:59Z", {first}) == "handoff-20261116-100000.md"


def test_the_newest_comes_first_and_agents_files_are_none(tmp_path: Path) -> None:
    for name in ("handoff-20261116-095959.md", "handoff-20261117-000000.md", "agent-T1-2026.md", "handoff-x.md"):
        (tmp_path / name).write_text("x")
    (tmp_path / "seen").mkdir()
    (tmp_path / "seen" / "handoff-20261118-000000.md").write_text("x")
    found = [Path(path).name for path in find_handoffs(str(tmp_path))]
    assert found == ["handoff-20261117-000000.md", "handoff-20261116-095959.md"]


@pytest.mark.parametrize("name", ["handoff-.md", "handoff-20261116-095959.md.tmp", "agent-20261116-095959.md", ""])
def test_what_is_no_handoff_by_its_name(name: str) -> None:
    assert not is_handoff_name(name)
