"""Journals that are damaged, newer, or came with a clone."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.disk.broken_off import break_off
from tests.disk.projects import list_files, make_project, write_plainly
from thruline.disk.temps import build_temp_name
from thruline.disk.transaction import find_journals, read_together, recover, set_aside, transaction
from thruline.disk.transaction.entry import Entry, FileChange
from thruline.disk.transaction.roots import remove_pointer, write_pointer
from thruline.disk.transaction.seal import build_seal, make_key
from thruline.disk.transaction.sheet import parse_sheet, render_sheet
from thruline.errors import JournalBroken
from thruline.layout import ProjectPaths, find_project


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


def plant(project: ProjectPaths, *files: FileChange, roots: tuple[str, ...] = ("/",), key: bytes = b"") -> None:
    """An entry in the journal of `project`, sealed by this machine unless by `key`."""
    os.makedirs(project.journal, exist_ok=True)
    sheet = render_sheet(Entry(1, roots, files), key or make_key())
    Path(project.journal, "entry-00000000000000000001.journal").write_bytes(sheet)


@pytest.mark.parametrize("path", ["../../outside", ".git/hooks/pre-commit", "link/outside"])
def test_even_an_entry_of_ours_reaches_nothing_outside(project: ProjectPaths, tmp_path: Path, path: str) -> None:
    os.mkdir(os.path.join(project.root, ".git"))
    os.symlink(tmp_path, os.path.join(project.root, "link"))
    plant(project, FileChange(0, "root", path, "", "", b"evil", 0o755, build_temp_name()))
    before = list_files(str(tmp_path))
    with pytest.raises(JournalBroken, match="not a file of this project"):
        recover(project)
    assert [name for name in list_files(str(tmp_path)) if name not in before] == [
        "project/.agent/context/cache/journal/lock"
    ]


@pytest.mark.parametrize("temp", ["../x.tmp", "precious", ".thruline-1-h-1.tmp/../../precious", ".thruline-1"])
def test_only_names_of_temporary_files_are_taken_for_one(project: ProjectPaths, temp: str) -> None:
    write_plainly(os.path.join(project.root, "precious"), b"precious")
    plant(project, FileChange(0, "root", "made", "", "", b"new", None, temp))
    with pytest.raises(JournalBroken):
        recover(project)
    assert Path(project.root, "precious").read_bytes() == b"precious"


@pytest.mark.parametrize("kind", ["table", "sheet"])
def test_a_journal_that_another_machine_wrote_is_never_replayed(
    project: ProjectPaths, kind: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = break_off(project, kind)
    before = [Path(path).read_bytes() for path in paths]
    monkeypatch.setenv("HOME", str(tmp_path / "another home"))
    assert [each.foreign for each in find_journals(project)] == [True]
    for attempt in (lambda: recover(project, kind=kind), lambda: read_together(project, paths, kind=kind)):
        with pytest.raises(JournalBroken, match="another machine") as caught:
            attempt()
        assert "doctor --fix" in caught.value.next
    (found,) = find_journals(project)
    set_aside(project, found.path)
    assert [Path(path).read_bytes() for path in paths] == before
    assert {each.kind for each in find_journals(project)} == {"aside"}
    with transaction(project, kind=kind) as change:
        change.write(paths[0], b"again")
    assert Path(paths[0]).read_bytes() == b"again"


def test_a_seal_that_anybody_could_make_is_none(project: ProjectPaths) -> None:
    # What BLAKE2b gives without a key, on a machine that has none yet.
    plant(project, FileChange(0, "root", "made", "", "", b"evil", None, build_temp_name()), key=b"k" * 32)
    path = Path(project.journal, "entry-00000000000000000001.journal")
    body = path.read_bytes().partition(b"\n")[2]
    seal = hashlib.blake2b(body, person=b"entry", digest_size=32).hexdigest()
    path.write_bytes(b"thruline-journal 1 " + seal.encode() + b"\n" + body)
    assert [each.foreign for each in find_journals(project)] == [True]
    with pytest.raises(JournalBroken):
        recover(project)
    assert not os.path.exists(os.path.join(project.root, "made"))


def test_a_project_that_was_not_told_is_not_touched(project: ProjectPaths, tmp_path: Path) -> None:
    other = make_project(str(tmp_path / "other"))
    change = FileChange(1, "root", "made", "", "", b"new", None, build_temp_name())
    plant(project, change, roots=(project.root, other.root))
    with pytest.raises(JournalBroken, match="knows nothing of it"):
        recover(project)
    assert not os.path.exists(os.path.join(other.root, "made"))
    third = make_project(str(tmp_path / "third"))
    write_pointer(other, 1, third)
    with pytest.raises(JournalBroken, match="knows nothing of it"):
        recover(project)
    remove_pointer(other, 1)
    write_pointer(other, 1, project)
    assert [each.outcome for each in recover(project)] == ["replayed"]


def test_a_pointer_of_another_machine_leads_nowhere(project: ProjectPaths, tmp_path: Path) -> None:
    (tmp_path / "victim").mkdir()
    os.makedirs(project.journal)
    told = {"schema": 1, "root": str(tmp_path / "victim"), "seal": "0" * 64}
    Path(project.journal, "pointer-00000000000000000001.json").write_text(json.dumps(told))
    with pytest.raises(JournalBroken):
        recover(project)
    assert [each.foreign for each in find_journals(project)] == [True]
    assert not os.path.exists(find_project(str(tmp_path / "victim")).journal)


BODIES = [
    b"not json\n",
    b"[]\n",
    b'{"id": 1}\n',
    b'{"id": 1, "roots": [], "files": []}\n',
    b'{"id": 1, "roots": ["/x"], "files": [1]}\n',
    b'{"id": 1, "roots": ["/x"], "files": [[9, "root", "a", "", "", null, ".thruline-1-h-1.tmp", 1]]}\nx',
    b'{"id": 1, "roots": ["/x"], "files": [[0, "root", "a", "", "", null, ".thruline-1-h-1.tmp", 9]]}\nx',
    b'{"id": 1, "roots": ["/x"], "files": [["0", "root", "a", "", "", null, ".thruline-1-h-1.tmp", 1]]}\nx',
    b'{"id": 1, "roots": ["/x"], "files": [[0, "else", "a", "", "", null, ".thruline-1-h-1.tmp", 1]]}\nx',
    b"[" * 100_000,
]


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_a_sealed_entry_that_makes_no_sense_is_a_broken_journal(project: ProjectPaths, body: bytes) -> None:
    os.makedirs(project.journal)
    line = b"thruline-journal 1 " + build_seal(make_key(), "entry", body).encode() + b"\n"
    Path(project.journal, "entry-00000000000000000001.journal").write_bytes(line + body)
    with pytest.raises(JournalBroken, match="makes no sense"):
        recover(project)
    assert [each.problem != "" for each in find_journals(project)] == [True]


def test_an_entry_under_the_name_of_another_is_refused(project: ProjectPaths) -> None:
    plant(project, FileChange(0, "root", "made", "", "", b"new", None, build_temp_name()))
    old = Path(project.journal, "entry-00000000000000000001.journal")
    old.rename(old.with_name("entry-00000000000000000002.journal"))
    with pytest.raises(JournalBroken, match="name of another"):
        recover(project)


def test_a_sheet_survives_parse_and_render() -> None:
    files = (
        FileChange(0, "root", "a/ü\udcff", "", "", b"data\n\0", 0o600, ".thruline-1.tmp"),
        FileChange(1, "base", "b", "ab", "1:2:3", None, None, ".thruline-2.tmp"),
    )
    entry = Entry(7, ("/one", "/two"), files)
    assert parse_sheet(render_sheet(entry, b"k" * 32), "x", b"k" * 32) == entry


def test_the_example_of_the_format_page_is_a_sheet() -> None:
    page = Path(__file__).parents[3].joinpath("docs", "formats", "journal.md").read_bytes()
    example = page.split(b"```\n")[1]
    entry = parse_sheet(example, "journal.md", bytes(32))
    assert render_sheet(entry, bytes(32)) == example
    assert entry.files[0].data == b"new\n"
