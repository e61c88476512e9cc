"""A session that drifted into another project: its brief says what was done where, and both halves can be taken up."""

import os
from pathlib import Path

import pytest

from tests.brief.sessions import check_text
from tests.engines.rules.talk import render
from tests.session.talk import agent, edit, human, run
from thruline.operations.handoff.brief import make_brief
from thruline.operations.sessions.locate import locate
from thruline.operations.verify import verify_file
from thruline.session.parts import Changed, Part

SHARED = Path(__file__).parents[2].parent / "shared" / "corpus"
DRIFTED = "9e953218-585f-4692-89df-9e0747a31c68.jsonl"
THERE = "/home/dev/tides"
# Begun in the shop; halfway the work moves to a project of its own.
SESSION: list[Part] = [
    human(2, "The shop's page of tides is slow. Make it faster."),
    *edit(3, "/home/dev/shop/page.py"),
    *run(5, "git commit -am page", commits=(("1f225e0", "Read the tides once a page"),)),
    agent(7, "The page reads the tides once now, in `page.py`."),
    human(8, f"The table of tides should not live in the shop. I made {THERE} for it, move it there."),
    agent(9, "I will copy the table and leave the old one in place as a fallback."),
    human(10, "No, don't leave a copy here. Two tables are how we got the wrong tides in May."),
    agent(11, "You're right, the table lives in `tides/table.py` alone."),
    *edit(12, f"{THERE}/table.py", "created"),
    *run(14, f"cd {THERE} && git add . && git commit -m table", commits=(("bc4d18f", "The table of tides"),)),
    agent(16, "The table is in the new project. The shop still reads the old one: `page.py` has to be changed."),
]


@pytest.mark.feature("F000-47", via="unit")
def test_of_a_session_that_drifted_each_project_is_told_with_what_was_done_there() -> None:
    for budget in (1_000, 3_000):
        told = render(SESSION, budget)
        assert "`page.py`" in told
        assert "tides/table.py" in told
        assert "- committed `1f225e0`\n" in told
        assert "committed `bc4d18f` in another folder" in told
        assert "No, don't leave a copy here." in told
        assert "`page.py` has to be changed" in told.partition("## Open-threads")[2]
        report = check_text(told, [Changed(1, "cwd", "/home/dev/shop"), *SESSION])
        assert {one.kind for one in report.troubles}.isdisjoint(("untrue", "label", "untold", "fabricated"))
        assert report.quotes["ok"] == report.quotes.total()


@pytest.mark.shared
def test_a_real_session_that_drifted_is_told_with_both_projects(tmp_path: Path) -> None:
    found = sorted(SHARED.rglob(DRIFTED))
    if not found and os.environ.get("CI") != "true":
        pytest.skip("needs ../shared")
    (path,) = found
    made = make_brief(locate(str(path), folder=str(tmp_path)), None, budget=3_000)
    assert "edited `next.config.js`" in made.text
    assert "online-llm-tokenizer/{" in made.text
    assert "` in another folder" in made.text
    brief = tmp_path / "brief.md"
    brief.write_text(made.text, encoding="utf-8")
    assert verify_file(str(brief), folder=str(tmp_path)).report.troubles == ()
