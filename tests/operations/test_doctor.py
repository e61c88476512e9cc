import os
import subprocess
from pathlib import Path

import pytest

from thruline.disk.atomic import build_temp_name
from thruline.disk.transaction import transaction
from thruline.disk.transaction.entry import Entry, FileChange
from thruline.disk.transaction.sheet import render_sheet
from thruline.harnesses.registry import HARNESSES
from thruline.layout import MARKER, Root, build_project_paths, find_project, find_user_paths
from thruline.operations import doctor
from thruline.operations.context_init import init_context
from thruline.operations.doctor import CHECKS, Examination, examine
from thruline.operations.doctor.surroundings import Surroundings
from thruline.operations.finding import BROKEN, NOTE, OK, Finding


@pytest.fixture
def project(tmp_path: Path, home: Path) -> Path:
    """A healthy project in a repository of its own."""
    folder = tmp_path / "project"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", folder], check=True)
    init_context(find_user_paths(), str(folder))
    return folder


def look(project: Path, *, fix: bool = False) -> Examination:
    return examine(Surroundings(str(project), os.environ), fix=fix)


def pick(found: Examination, name: str) -> Finding:
    """The one finding of that check."""
    (finding,) = [each for each in found.findings if each.name == name]
    return finding


def test_healthy_project_has_nothing_broken(project):
    found = look(project)
    assert found.broken == 0
    assert {each.name for each in found.findings} == set(CHECKS) - {"gathered", "variables"}
    for name in ("python", "git", "root", "gitignore", "config", "state", "journals", "leftovers"):
        assert pick(found, name).state == OK, name


def test_looking_changes_nothing(project, home):
    def list_all() -> dict[str, int]:
        return {str(path): path.lstat().st_ctime_ns for top in (project, home) for path in top.rglob("*")}

    before = list_all()
    look(project)
    assert list_all() == before


def test_everything_that_is_not_well_comes_with_a_fix(tmp_path, monkeypatch, home):
    (home / ".config" / "thruline").mkdir(parents=True)
    (home / ".config" / "thruline" / "config.toml").write_text("[git\nnonsense")
    (home / ".local" / "state").mkdir(parents=True)
    (home / ".local" / "state" / "thruline").write_text("a file")
    (tmp_path / MARKER).parent.mkdir(parents=True)
    (tmp_path / MARKER).write_text("{")
    monkeypatch.setenv("PATH", str(tmp_path))
    found = look(tmp_path)
    bad = {each.name: each for each in found.findings if each.state != OK}
    assert {"git", "root", "config", "state", "harnesses"} <= set(bad)
    assert all(each.fix for each in bad.values())
    assert {name for name, each in bad.items() if each.state == BROKEN} >= {"root", "config", "state"}


def test_failing_check_is_a_finding_and_the_others_go_on(project, monkeypatch):
    def explode(_: Surroundings) -> list[doctor.Diagnosis]:
        raise ZeroDivisionError("by nought")

    monkeypatch.setitem(CHECKS, "git", explode)
    found = look(project)
    assert pick(found, "git").state == BROKEN
    assert "ZeroDivisionError" in pick(found, "git").what
    assert pick(found, "python").state == OK
    assert pick(found, "leftovers").state == OK


def test_user_without_a_home_is_told_and_survived(project, monkeypatch):
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # what Python does for a user that is not in passwd
    found = look(project)
    assert pick(found, "root").state == BROKEN
    assert "HOME" in pick(found, "root").fix
    assert pick(found, "python").state == OK


def test_working_folder_that_is_gone_is_told(tmp_path, monkeypatch):
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    found = examine(Surroundings(os.curdir, os.environ))
    assert pick(found, "root").state == BROKEN
    assert pick(found, "python").state == OK


@pytest.mark.feature("F002-38", via="unit")
def test_missing_lines_of_the_ignore_file_are_found_and_fixed(project):
    path = project / ".agent" / "context" / ".gitignore"
    path.write_text("/own/\n")
    broken = [each for each in look(project).findings if each.name == "gitignore"]
    assert broken
    assert all(each.state == BROKEN and each.automatic for each in broken)
    found = look(project, fix=True)
    assert pick(found, "gitignore").state == OK
    assert found.fixed
    assert path.read_text().startswith("/own/\n")


def test_rule_of_a_person_is_told_and_left(project):
    (project / ".gitignore").write_text("*.json\n")
    found = look(project, fix=True)
    assert pick(found, "gitignore").state == BROKEN
    assert not pick(found, "gitignore").automatic
    assert (project / ".gitignore").read_text() == "*.json\n"


def test_open_state_folder_is_found_and_closed(project):
    state = Path(find_user_paths().state)
    state.chmod(0o755)
    finding = pick(look(project), "state")
    assert (finding.state, finding.automatic) == (BROKEN, True)
    assert "755" in finding.what
    assert pick(look(project, fix=True), "state").state == OK
    assert state.stat().st_mode & 0o777 == 0o700


def test_state_that_cannot_be_made_is_found(project, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("THRULINE_HOME", str(tmp_path / "file" / "state"))
    assert pick(look(project), "state").state == BROKEN


def test_config_problem_is_broken_and_a_widening_is_a_note(project, home):
    (project / ".agent" / "context" / "config.toml").write_text("[git]\ntimeout_seconds = 60\n")
    assert pick(look(project), "config").state == NOTE
    (project / ".agent" / "context" / "config.toml").write_text("[git]\ntimeout = 1\n")
    finding = pick(look(project), "config")
    assert finding.state == BROKEN
    assert "config.toml:2" in finding.what


def test_files_still_in_the_state_folder_are_found_and_moved_in(project):
    base = Path(build_project_paths(Root(str(project), "folder"), find_user_paths().state).base)
    (base / "packets").mkdir(parents=True)
    (base / "packets" / "p.md").write_text("x")
    assert pick(look(project), "gathered").automatic
    look(project, fix=True)
    assert (project / ".agent" / "context" / "packets" / "p.md").read_text() == "x"
    assert not [each for each in look(project).findings if each.name == "gathered"]


def test_what_could_not_be_put_right_is_not_called_fixed(project):
    base = Path(build_project_paths(Root(str(project), "folder"), find_user_paths().state).base)
    base.mkdir(parents=True)
    (base / "link").symlink_to("nowhere")
    found = look(project, fix=True)
    assert found.fixed == ()
    assert pick(found, "gathered").state == NOTE


def test_leftover_of_a_dead_process_is_found_and_removed(project):
    dead = subprocess.Popen(["true"])
    dead.wait()
    name = build_temp_name().replace(str(os.getpid()), str(dead.pid), 1)
    for folder in (project / ".agent" / "context", Path(find_user_paths().state)):
        (folder / name).write_text("half")
    finding = pick(look(project), "leftovers")
    assert (finding.state, finding.automatic) == (NOTE, True)
    assert pick(look(project, fix=True), "leftovers").state == OK
    assert not (project / ".agent" / "context" / name).exists()


def test_change_that_was_broken_off_is_found_and_finished(project):
    target = project / ".agent" / "context" / "packets" / "p.md"
    child = os.fork()
    if child == 0:
        # Dies where a kill would hurt most: the journal is written, the file is not yet in place.
        real = os.replace
        os.replace = lambda *paths: real(*paths) if paths[1].endswith("journal.db") else os._exit(0)  # type: ignore[assignment]
        with transaction(find_project(str(project)), kind="table") as change:
            change.write(str(target), b"new\n")
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    assert not target.exists()
    finding = pick(look(project), "journals")
    assert (finding.state, finding.automatic) == (BROKEN, True)
    assert "p.md" in finding.what
    assert pick(look(project, fix=True), "journals").state == OK
    assert target.read_bytes() == b"new\n"


def test_damaged_database_is_told_and_left(project):
    journal = Path(find_project(str(project)).journal)
    journal.mkdir(parents=True)
    (journal / "journal.db").write_bytes(b"no database " * 1000)
    finding = pick(look(project, fix=True), "journals")
    assert (finding.state, finding.automatic) == (BROKEN, False)
    assert (journal / "journal.db").read_bytes() == b"no database " * 1000


def test_journal_that_came_with_a_clone_is_told_and_only_moved_aside(project, home):
    journal = Path(find_project(str(project)).journal)
    journal.mkdir(parents=True)
    file = FileChange(1, "root", ".profile", "", "", b"evil\n", None, build_temp_name())
    sheet = render_sheet(Entry(1, ("/x", str(home)), (file,)), b"k" * 32)
    (journal / "entry-00000000000000000001.journal").write_bytes(sheet)
    (journal / "pointer-00000000000000000001.json").write_text("{")
    told = [each for each in look(project).findings if each.name == "journals"]
    assert [(each.state, each.automatic) for each in told] == [(BROKEN, True)] * 2
    assert all("move it aside" in each.fix for each in told)
    found = look(project, fix=True)
    told = [each for each in found.findings if each.name == "journals"]
    assert [each.state for each in told] == [NOTE] * 2
    assert len(found.fixed) == 2
    assert not (home / ".profile").exists()
    assert sorted(path.name.partition("-")[2][:5] for path in (journal / "aside").iterdir()) == ["entry", "point"]
    assert found.broken == 0


@pytest.mark.parametrize("name", ["lock", "state", "journal.db", "journal.db-wal", "aside"])
def test_link_in_the_journal_is_moved_aside_and_what_it_leads_to_is_left(project, tmp_path, name):
    journal = Path(find_project(str(project)).journal)
    journal.mkdir(parents=True)
    (tmp_path / "precious").write_text("precious\n")
    (journal / name).symlink_to(tmp_path / "precious")
    finding = pick(look(project), "journals")
    assert (finding.state, finding.automatic) == (BROKEN, True)
    assert look(project, fix=True).broken == 0
    assert (tmp_path / "precious").read_text() == "precious\n"
    with transaction(find_project(str(project))) as change:
        change.write(str(project / "TODO.md"), b"x")
    assert (project / "TODO.md").read_bytes() == b"x"


def test_endless_ignore_file_is_told(project):
    (project / ".agent" / "context" / ".gitignore").unlink()
    (project / ".agent" / "context" / ".gitignore").symlink_to("/dev/zero")
    finding = pick(look(project), "gitignore")
    assert finding.state == BROKEN
    assert "not a regular file" in finding.what


def test_repair_that_fails_is_told_with_its_reason(project, monkeypatch):
    def explode() -> None:
        raise ZeroDivisionError("by nought")

    monkeypatch.setitem(CHECKS, "git", lambda _: [doctor.Diagnosis(Finding("git", BROKEN, "ill", "a cure"), explode)])
    told = [each.what for each in look(project, fix=True).findings if each.name == "git"]
    assert told[0] == "ill"
    assert "ZeroDivisionError" in told[1]


def test_harnesses_are_told_by_their_titles(project, home):
    for harness in HARNESSES:
        (home / harness.home).mkdir(parents=True)
    told = [each for each in look(project).findings if each.name == "harnesses"]
    assert [each.what.partition(":")[0] for each in told] == [harness.title for harness in HARNESSES]
    assert all(each.state == OK for each in told)
