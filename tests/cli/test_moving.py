"""Transcripts that go, or are written anew, while a command reads them: told in three parts, and nothing is kept."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bench.monster import write_monster
from thruline.cli.door import run
from thruline.operations.sessions.reading import Reading
from thruline.session.parts import Part

Move = Callable[[Path], None]


@pytest.fixture
def during(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, Move], None]:
    """Does something to a file once, between two blocks of the reading that follows, whichever process reads."""

    def arrange(path: Path, move: Move) -> None:
        plain = Reading.blocks
        waiting = path.with_suffix(".waiting")
        waiting.touch()

        def blocks(self: Reading) -> Iterator[list[Part]]:
            for found in plain(self):
                yield found
                if waiting.exists():
                    waiting.unlink()
                    move(path)

        monkeypatch.setattr(Reading, "blocks", blocks)

    return arrange


def cut(path: Path) -> None:
    os.truncate(path, 1 << 20)


@pytest.mark.parametrize("command", [["handoff", "--fresh"], ["handoff", "prepare"], ["sessions", "signals"]])
@pytest.mark.parametrize("move", [Path.unlink, cut])
def test_a_session_that_goes_or_is_cut_while_it_is_read_is_told(
    tmp_path: Path,
    during: Callable[[Path, Move], None],
    capsys: pytest.CaptureFixture[str],
    command: list[str],
    move: Move,
) -> None:
    path = tmp_path / "monster.jsonl"
    write_monster(path, 3)
    during(path, move)
    out = ["--out", str(tmp_path / "out")] if "prepare" in command else []
    code = run([*command, str(path), *out])
    told = capsys.readouterr().err
    assert code == 1
    assert ("cut while it was read" if move is cut else "could not be read to its end: No such file") in told
    assert str(path) in told
    assert "try again" in told


def test_a_brief_of_a_session_that_was_written_anew_meanwhile_is_not_kept_as_the_one_before(
    tmp_path: Path,
    during: Callable[[Path, Move], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    assert run(["context", "init"]) == 0
    path = tmp_path / "monster.jsonl"
    write_monster(path, 3, huge_lines=0)
    whole = path.read_bytes()
    during(path, lambda path: path.write_bytes(b"\n" * len(whole)))
    run(["handoff", str(path)])
    path.write_bytes(whole)
    capsys.readouterr()
    told = []
    for more in ([], ["--fresh"]):
        assert run(["handoff", str(path), *more]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
