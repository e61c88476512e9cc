"""The report of a bug can be pasted anywhere: versions and places, no word of the user."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.door.sample import SECRET, fail
from thruline.cli import door, report


def test_a_report_holds_versions_and_places_and_no_word_of_the_user(
    declare: Callable[..., None], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def action() -> None:
        try:
            raise KeyError(SECRET)
        except KeyError as error:
            raise RuntimeError(SECRET) from error

    declare(action)
    assert door.run(["-C", str(home), "sample"]) == 3
    [written] = home.rglob("bug-*.txt")
    text = written.read_text()
    assert text.startswith("thruline ")
    assert "command sample\n" in text
    assert "builtins.RuntimeError\n" in text
    assert "builtins.KeyError\n" in text
    assert "thruline/cli/door.py:" in text
    for word in (SECRET, str(home), str(Path(door.__file__).parents[3]), os.path.expanduser("~")):
        assert word not in text
    assert written.stat().st_mode & 0o077 == 0


def test_a_report_that_cannot_be_written_is_printed(
    declare: Callable[..., None], home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "file").write_text("")
    monkeypatch.setenv("THRULINE_HOME", str(home / "file"))
    declare(fail(ValueError(SECRET)))
    assert door.run(["sample"]) == 3
    said = capsys.readouterr().err
    assert "builtins.ValueError" in said
    assert said.endswith("Please report it with the text above\n")
    assert SECRET not in said


def test_a_chain_of_causes_that_is_a_ring_is_told_once() -> None:
    one, two = ValueError(), KeyError()
    one.__cause__, two.__cause__ = two, one
    assert report.render_report(one, "").count("builtins.") == 2
