"""What a repository may have put where our own files should be: told, and neither followed nor waited for."""

import os
import sqlite3
from pathlib import Path

import pytest

from tests.disk.projects import build_paths, make_project
from thruline.disk.transaction import find_journals, read_together, recover, table, transaction
from thruline.disk.transaction.entry import LARGEST_ENTRY
from thruline.disk.transaction.reach import Reach
from thruline.disk.transaction.roots import read_state
from thruline.errors import DiskError, JournalBroken, NotFound, Refused, ThrulineError
from thruline.layout import ProjectPaths, find_project

PRECIOUS = b"precious\n" * 20


def try_everything(project: ProjectPaths, kind: str) -> list[ThrulineError]:
    """What a change, a reader and a recovery say."""
    said = []
    path = build_paths(project)[0]
    for attempt in (
        lambda: write(project, path, kind),
        lambda: read_together(project, [path], kind=kind),
        lambda: recover(project, kind=kind),
    ):
        try:
            attempt()
        except ThrulineError as error:
            said.append(error)
    return said


def write(project: ProjectPaths, path: str, kind: str) -> None:
    with transaction(project, kind=kind) as change:
        change.write(path, b"new")


@pytest.mark.parametrize(
    "name",
    ["lock", "state", "journal.db", "journal.db-wal", "journal.db-shm", "entry-00000000000000000001.journal"],
)
def test_a_link_in_the_journal_is_not_followed(project: ProjectPaths, tmp_path: Path, name: str) -> None:
    (tmp_path / "precious").write_bytes(PRECIOUS)
    Path(project.journal).mkdir(parents=True)
    if "-" in name and name.startswith("journal"):
        write(project, build_paths(project)[0], "table")
        recover(project, kind="table")
    Path(project.journal, name).symlink_to(tmp_path / "precious")
    assert try_everything(project, "table")
    assert (tmp_path / "precious").read_bytes() == PRECIOUS
    assert [each.foreign for each in find_journals(project)] == [True]


def test_a_database_behind_a_link_is_not_touched(project: ProjectPaths, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.db"
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE mine (x)")
    connection.commit()
    connection.close()
    before = foreign.read_bytes()
    Path(project.journal).mkdir(parents=True)
    Path(project.journal, "journal.db").symlink_to(foreign)
    assert try_everything(project, "table")
    assert foreign.read_bytes() == before


@pytest.mark.parametrize("name", ["lock", "state", "journal.db", "entry-00000000000000000001.journal"])
def test_an_endless_file_and_a_pipe_are_not_waited_for(project: ProjectPaths, name: str) -> None:
    path = Path(project.journal, name)
    path.parent.mkdir(parents=True)
    path.symlink_to("/dev/zero")
    assert try_everything(project, "table")
    path.unlink()
    os.mkfifo(path)
    assert try_everything(project, "table")
    assert [each.foreign for each in find_journals(project)] == [True]


def test_a_sheet_larger_than_any_change_is_not_read(project: ProjectPaths) -> None:
    Path(project.journal).mkdir(parents=True)
    with open(os.path.join(project.journal, "entry-00000000000000000001.journal"), "wb") as file:
        file.truncate(LARGEST_ENTRY + 1)
    with pytest.raises(DiskError, match="larger than such a file can be"):
        recover(project)


def test_a_change_that_could_not_be_read_back_is_refused(
    project: ProjectPaths, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from thruline.disk.transaction import change as module

    monkeypatch.setattr(module, "LARGEST_ENTRY", 4096)
    with pytest.raises(Refused, match="too large"), transaction(project, kind=kind) as change:
        change.write(build_paths(project)[0], b"x" * 3000)
    assert not os.path.exists(build_paths(project)[0])


@pytest.mark.parametrize("link", ["cache", "cache/journal"])
@pytest.mark.parametrize("target", ["outside", "project/docs"])
def test_a_journal_folder_behind_a_link_is_refused(
    project: ProjectPaths, tmp_path: Path, kind: str, link: str, target: str
) -> None:
    (tmp_path / target).mkdir(parents=True)
    path = Path(project.base, link)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(tmp_path / target)
    with pytest.raises(Refused, match="led elsewhere"), transaction(project, kind=kind) as change:
        change.write(build_paths(project)[0], b"new")
    assert os.listdir(tmp_path / target) == []


def test_a_context_folder_outside_the_project_is_refused_and_one_inside_is_not(tmp_path: Path, kind: str) -> None:
    real = make_project(str(tmp_path / "real"))
    for name, inside in (("inside", True), ("outside", False)):
        root = tmp_path / name
        root.mkdir()
        if inside:
            (root / "agents").mkdir()
            os.rename(real.base, root / "agents" / "context")
            (root / ".agent").symlink_to("agents")
        else:
            (root / ".agent").symlink_to(tmp_path / "inside" / "agents")
        project = find_project(str(root))
        assert project.marked
        if inside:
            write(project, str(root / "TODO.md"), kind)
            recover(project, kind=kind)
        else:
            with pytest.raises(Refused):
                write(project, str(root / "TODO.md"), kind)
            with pytest.raises(Refused):
                write(project, str(root / ".agent" / "context" / "loops" / "x"), kind)


def test_a_context_folder_outside_the_project_does_not_widen_its_reach(tmp_path: Path) -> None:
    elsewhere = make_project(str(tmp_path / "elsewhere"))
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone" / ".agent").symlink_to(os.path.join(elsewhere.root, ".agent"))
    project = find_project(str(tmp_path / "clone"))
    assert project.marked
    with pytest.raises(Refused):
        Reach([project]).locate(os.path.join(project.base, "loops", "l.md"))


# --- databases ---


def make_database(project: ProjectPaths, script: str) -> None:
    Path(project.journal).mkdir(parents=True)
    connection = sqlite3.connect(os.path.join(project.journal, "journal.db"))
    connection.executescript(script + "; PRAGMA user_version = 1;")
    connection.close()


ENDLESS = "WITH RECURSIVE c(id, sheet) AS (SELECT 1, x'' UNION ALL SELECT id + 1, sheet FROM c) SELECT * FROM c"


@pytest.mark.parametrize(
    "script",
    [
        f"CREATE VIEW entry AS {ENDLESS}",
        f"{table.TABLE}; CREATE TRIGGER t BEFORE INSERT ON entry BEGIN INSERT INTO entry {ENDLESS}; END",
        f"{table.TABLE}; CREATE INDEX i ON entry (sheet)",
        "CREATE TABLE entry (id INTEGER PRIMARY KEY, sheet BLOB NOT NULL, more AS (abs(id)))",
        "CREATE TABLE other (id)",
        "",
    ],
)
def test_a_database_with_anything_but_our_table_is_not_used(project: ProjectPaths, script: str) -> None:
    make_database(project, script)
    said = try_everything(project, "table")
    assert said
    assert all(isinstance(each, JournalBroken) for each in said)
    assert [each.foreign for each in find_journals(project)] == [True]


def test_a_rollback_journal_beside_ours_is_never_played_back(project: ProjectPaths) -> None:
    write(project, build_paths(project)[0], "table")
    recover(project, kind="table")
    Path(project.journal, "journal.db-journal").write_bytes(b"x" * 600)
    with pytest.raises(JournalBroken, match="beside it"):
        recover(project, kind="table")
    assert Path(project.journal, "journal.db-journal").read_bytes() == b"x" * 600
    assert [each.foreign for each in find_journals(project)] == [True]


def test_a_query_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "SECONDS", 0.0)
    connection = sqlite3.connect(":memory:")
    table.limit_time(connection)
    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        connection.execute(f"SELECT count(*) FROM ({ENDLESS})").fetchone()


# --- marks ---


@pytest.mark.parametrize(
    "mark", ["clean x 1 99999999999999999999", "clean x 1 -1", "clean", "\xff" * 4, "busy x 1 9000000000000000000"]
)
def test_a_mark_that_makes_no_sense_proves_nothing_and_stops_nothing(
    project: ProjectPaths, kind: str, mark: str
) -> None:
    Path(project.journal).mkdir(parents=True)
    Path(project.journal, "state").write_bytes(mark.encode("latin-1"))
    assert not read_state(project).clean
    for data in (b"one", b"two"):
        with transaction(project, kind=kind) as change:
            change.write(build_paths(project)[0], data)
    assert Path(build_paths(project)[0]).read_bytes() == b"two"


def test_reading_nothing_is_told_as_such(tmp_path: Path) -> None:
    from thruline.disk.own import read_own

    with pytest.raises(NotFound):
        read_own(str(tmp_path / "none"), 10)
