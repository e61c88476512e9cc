"""A handoff that reads ahead makes the brief that it makes without."""

import os
import sys
from pathlib import Path

import pytest

from bench.monster import write_monster
from thruline.engines import rules
from thruline.layout import ProjectPaths, find_project
from thruline.operations.handoff import ahead, begin
from thruline.operations.handoff.ahead import make_ahead
from thruline.operations.handoff.begin import Begun
from thruline.operations.handoff.brief import make_brief
from thruline.operations.handoff.rehearsal import rehearse
from thruline.operations.sessions import reading_aside
from thruline.operations.sessions.locate import Located, locate
from thruline.operations.sessions.reading import Reading
from thruline.operations.sessions.reading_aside import ReadingAside


@pytest.fixture
def located(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Located:
    path = tmp_path / "session.jsonl"
    write_monster(path, 2)
    monkeypatch.setattr(reading_aside, "LEAST", 1 << 20)
    if sys.platform == "linux":
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    return locate(str(path), folder=str(tmp_path))


@pytest.fixture
def paths(tmp_path: Path) -> ProjectPaths:
    (tmp_path / "project").mkdir()
    found = find_project(str(tmp_path / "project"))
    assert found is not None
    return found


def test_a_brief_read_ahead_is_the_same(located: Located, paths: ProjectPaths) -> None:
    made = make_ahead(located, paths, budget=1_000, fresh=True)
    assert made.text == make_brief(located, None, budget=1_000).text
    assert made.cached


def test_what_is_in_the_cache_is_not_read_ahead(
    located: Located, paths: ProjectPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make_ahead(located, paths, budget=1_000, fresh=False)
    monkeypatch.setattr(begin, "begin_reading", None)  # to call it would fail
    again = make_ahead(located, paths, budget=1_000, fresh=False)
    assert (again.text, again.brief) == (made.text, None)


def test_what_is_added_after_the_reading_began_makes_another_key(located: Located, paths: ProjectPaths) -> None:
    begun = Begun(located)
    with open(located.files[0], "ab") as file:
        file.write(b'{"type":"summary","summary":"later"}\n')
    make_brief(located, paths, budget=1_000, begun=begun)
    assert make_ahead(located, paths, budget=1_000, fresh=False).brief is not None


@pytest.mark.skipif(sys.platform != "linux", reason="forks are used on Linux alone")
def test_a_trouble_on_the_way_leaves_no_child_behind(
    located: Located, paths: ProjectPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "listdir", lambda _: ["1"])  # pytest may have threads of its own
    monkeypatch.setattr(ReadingAside, "blocks", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
    fork = os.fork
    children: list[int] = []

    def note() -> int:
        child = fork()
        children.append(child)
        return child

    monkeypatch.setattr(os, "fork", note)
    with pytest.raises(KeyboardInterrupt):
        make_ahead(located, paths, budget=1_000, fresh=True)
    (child,) = children
    with pytest.raises(ChildProcessError):
        os.waitpid(child, os.WNOHANG)


def test_the_engine_is_called_by_its_name() -> None:
    assert ahead.ENGINE == rules.NAME


def test_a_rehearsal_changes_no_brief(located: Located) -> None:
    before = make_brief(located, None, budget=1_000).text
    assert len(list(rehearse())) > 2
    assert make_brief(located, None, budget=1_000).text == before
    assert isinstance(Begun(located).reading, Reading)
