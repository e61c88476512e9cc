"""Journals that are damaged, newer, or came with a clone."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.disk.broken_off import break_off
from tests.disk.projects import list_files
from thruline.disk.transaction import find_journals, read_together, recover, transaction
from thruline.disk.transaction.entry import Entry, FileChange
from thruline.disk.transaction.sheet import parse_sheet, render_sheet
from thruline.errors import JournalBroken, ThrulineError
from thruline.layout import ProjectPaths


def damage_table(project: ProjectPaths) -> None:
    for end in ("-wal", "-shm"):
        Path(project.journal, "journal.db" + end).unlink(missing_ok=True)
    Path(project.journal, "journal.db").write_bytes(b"not a database at all, " * 100)


def damage_sheet(project: ProjectPaths) -> None:
    (sheet,) = Path(project.journal).glob("entry-*.journal")
    sheet.write_bytes(sheet.read_bytes()[:-1] + b"!")


def make_newer(project: ProjectPaths) -> None:
    (sheet,) = Path(project.journal).glob("entry-*.journal")
    sheet.write_bytes(sheet.read_bytes().replace(b"thruline-journal 1", b"thruline-journal 2"))


def make_newer_table(project: ProjectPaths) -> None:
    connection = sqlite3.connect(os.path.join(project.journal, "journal.db"))
    connection.execute("PRAGMA user_version = 2")
    connection.close()


@pytest.mark.parametrize(
    ("kind", "damage"),
    [("table", damage_table), ("table", make_newer_table), ("sheet", damage_sheet), ("sheet", make_newer)],
)
def test_a_damaged_journal_is_told_and_the_files_stay(
    project: ProjectPaths, kind: str, damage: Callable[[ProjectPaths], None]
) -> None:
    paths = break_off(project, kind)
    damage(project)
    before = [Path(path).read_bytes() for path in paths]
    for attempt in (lambda: recover(project, kind=kind), lambda: read_together(project, paths, kind=kind)):
        with pytest.raises(JournalBroken) as caught:
            attempt()
        assert caught.value.where.startswith(project.journal)
        assert "move" in caught.value.next
    with pytest.raises(JournalBroken), transaction(project, kind=kind):
        pass
    assert [Path(path).read_bytes() for path in paths] == before
    if damage is not make_newer_table:
        assert [each.problem != "" for each in find_journals(project)] == [True]


@pytest.mark.parametrize("path", ["../../outside", ".git/hooks/pre-commit", "link/outside"])
def test_a_journal_that_came_with_a_clone_reaches_nothing_outside(
    project: ProjectPaths, tmp_path: Path, path: str
) -> None:
    os.mkdir(os.path.join(project.root, ".git"))
    os.symlink(tmp_path, os.path.join(project.root, "link"))
    file = FileChange(0, "root", path, "", "", b"evil", 0o755, "../../../x.tmp")
    Path(project.journal).mkdir(parents=True)
    Path(project.journal, "entry-00000000000000000001.journal").write_bytes(render_sheet(Entry(1, ("/",), (file,))))
    before = list_files(str(tmp_path))
    with pytest.raises(ThrulineError):
        recover(project)
    assert [name for name in list_files(str(tmp_path)) if name not in before] == [
        "project/.agent/context/cache/journal/lock"
    ]


def test_a_sheet_survives_parse_and_render() -> None:
    files = (
        FileChange(0, "root", "a/ü\udcff", "", "", b"data\n\0", 0o600, "t1"),
        FileChange(1, "base", "b", "ab", "1:2:3", None, None, "t2"),
    )
    entry = Entry(7, ("/one", "/two"), files)
    assert parse_sheet(render_sheet(entry), "x") == entry


def test_the_example_of_the_format_page_is_a_sheet() -> None:
    page = Path(__file__).parents[3].joinpath("docs", "formats", "journal.md").read_bytes()
    example = page.split(b"```\n")[1]
    entry = parse_sheet(example, "journal.md")
    assert render_sheet(entry) == example
    assert entry.files[0].data == b"new\n"
