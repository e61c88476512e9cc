"""A session in two files is one session: copies are told once, what differs is kept."""

import os
from pathlib import Path

import pytest

from tests.sample import SAMPLE, SESSION
from thruline.operations.sessions.locate import locate
from thruline.operations.sessions.messages import read_messages


@pytest.mark.feature("F001-03", via="cli")
def test_a_session_in_two_files_is_told_once(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Two accounts, or a copy made by a resume: the same records under the same ids, and a few that only one file has.
    lines = SAMPLE.read_text().splitlines(keepends=True)
    for account, part in (("one", lines[:80]), ("two", lines)):
        folder = tmp_path / account / "projects" / "p"
        folder.mkdir(parents=True)
        (folder / f"{SESSION}.jsonl").write_text("".join(part))
        os.utime(folder / f"{SESSION}.jsonl", (1_700_000_000, 1_700_000_000 + len(part)))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", f"{tmp_path / 'one'}{os.pathsep}{tmp_path / 'two'}")
    located = locate(SESSION, folder=str(tmp_path))
    assert len(located.files) == 2
    both = [(each.by, each.text) for each in read_messages(located)]
    alone = [(each.by, each.text) for each in read_messages(locate(str(SAMPLE), folder=str(tmp_path)))]
    assert both == alone


def test_a_session_that_went_on_in_two_places_keeps_what_was_said_in_both(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The same ids, but other words: no copy, whatever the id says.
    said, instead = "No, don't add a pause.", "Yes, do add a pause."
    for account, words in (("one", said), ("two", instead)):
        folder = tmp_path / account / "projects" / "p"
        folder.mkdir(parents=True)
        (folder / f"{SESSION}.jsonl").write_text(SAMPLE.read_text().replace(said, words))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", f"{tmp_path / 'one'}{os.pathsep}{tmp_path / 'two'}")
    told = [each.text for each in read_messages(locate(SESSION, folder=str(tmp_path)), by="human")]
    alone = [each.text for each in read_messages(locate(str(SAMPLE), folder=str(tmp_path)), by="human")]
    assert len(told) == len(alone) + 1
    for words in (said, instead):
        assert sum(text.startswith(words) for text in told) == 1
