"""What a transcript proved stays where the transcript is gone, or where its lines were moved."""

import subprocess
from pathlib import Path

import pytest

from tests.sample import SAMPLE
from thruline.operations.handoff.brief import make_brief
from thruline.operations.sessions.locate import locate
from thruline.operations.verify import verify_file


def write_brief(tmp_path: Path, budget: int = 3_000) -> tuple[Path, Path]:
    """The sample in a project of its own, whose repository has none of its commits, and its brief."""
    project = tmp_path / "orders-export"
    project.mkdir()
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    start = ["git", "-C", str(project), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*start, "commit", "-q", "--allow-empty", "-m", "Start"], check=True)
    session = tmp_path / "s.jsonl"
    session.write_text(SAMPLE.read_text(encoding="utf-8").replace("/home/dev/orders-export", str(project)))
    brief = tmp_path / "brief.md"
    brief.write_text(make_brief(locate(str(session), folder=str(tmp_path)), None, budget=budget).text)
    return session, brief


def test_without_its_transcript_a_brief_loses_nothing_and_is_told_where_to_give_it(tmp_path: Path) -> None:
    session, brief = write_brief(tmp_path)
    assert verify_file(str(brief), folder=str(tmp_path)).ok
    text = brief.read_text()
    session.rename(tmp_path / "elsewhere.jsonl")
    found = verify_file(str(brief), folder=str(tmp_path), fix=True)
    assert (found.ok, found.fixed, found.report.troubles) == (False, False, ())
    assert brief.read_text() == text
    assert any("--session" in note for note in found.notes)
    assert verify_file(str(brief), folder=str(tmp_path), session=str(tmp_path / "elsewhere.jsonl")).ok


def test_a_repository_that_has_one_of_the_commits_still_disproves_the_others(tmp_path: Path) -> None:
    session, brief = write_brief(tmp_path)
    head = ["git", "-C", str(tmp_path / "orders-export"), "rev-parse", "HEAD"]
    own = subprocess.run(head, capture_output=True, text=True, check=True).stdout[:7]
    brief.write_text(brief.read_text().replace("1f225e0", own))
    session.unlink()
    troubles = verify_file(str(brief), folder=str(tmp_path)).report.troubles
    assert [(one.kind, one.was) for one in troubles] == [("untrue", "bc4d18f")]


@pytest.mark.parametrize("budget", [1_000, 3_000])
@pytest.mark.parametrize(("at", "count"), [(3, 1), (60, 1), (90, 3), (54, 2), (2, -1), (99, -1)])
def test_what_stands_on_other_lines_now_is_found_there_and_its_pointers_are_mended(
    tmp_path: Path, at: int, count: int, budget: int
) -> None:
    session, brief = write_brief(tmp_path, budget)
    text = brief.read_text()
    lines = session.read_text().splitlines(keepends=True)
    # A record without a word, put in so often, or taken out.
    lines[at - 1 : at - 1 - min(count, 0)] = ['{"type":"file-history-snapshot"}\n'] * max(count, 0)
    session.write_text("".join(lines))
    found = verify_file(str(brief), folder=str(tmp_path), fix=True)
    assert {one.kind for one in found.report.troubles} == {"moved"}
    mended = brief.read_text()
    assert len(mended.splitlines()) == len(text.splitlines())
    assert verify_file(str(brief), folder=str(tmp_path)).report.troubles == ()
    for line in ("edited `exporter.py`", "committed `1f225e0`", "committed `bc4d18f`", "Ran and worked"):
        assert (line in mended) == (line in text)


def test_a_place_that_proves_nothing_is_untrue_where_nothing_was_moved(tmp_path: Path) -> None:
    _, brief = write_brief(tmp_path)
    text = brief.read_text()
    brief.write_text(text.replace("`transcript:L52`, `transcript:L57`", "`transcript:L53`, `transcript:L58`"))
    assert brief.read_text() != text
    assert "untrue" in {one.kind for one in verify_file(str(brief), folder=str(tmp_path)).report.troubles}
