"""What the doctor says of a context folder that cannot be used, of odd variables, and of one cause of many troubles."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.someone_else import NOBODY, as_someone_else
from thruline.errors import Refused
from thruline.layout import MARKER, find_user_paths
from thruline.operations.context_init import init_context
from thruline.operations.doctor import examine
from thruline.operations.doctor.context import check_context
from thruline.operations.doctor.surroundings import Surroundings
from thruline.operations.doctor.variables import check_variables
from thruline.operations.finding import BROKEN, NOTE, Finding


@pytest.fixture
def project() -> Iterator[Path]:
    """A project that belongs to the user who looks at it, where that user can go."""
    folder = Path(tempfile.mkdtemp())
    init_context(find_user_paths(), str(folder))
    (folder / ".agent" / "context" / "packets").mkdir()
    if os.geteuid() == 0:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, NOBODY, NOBODY)
    yield folder
    for path in (folder / ".agent", folder / ".agent" / "context"):
        path.chmod(0o700)
    shutil.rmtree(folder)


def check(folder: Path) -> list[Finding]:
    with as_someone_else():
        return [each.finding for each in check_context(Surroundings(str(folder), {"HOME": "/nowhere"}))]


def mend(folder: Path) -> None:
    with as_someone_else():
        for each in check_context(Surroundings(str(folder), {})):
            if each.repair:
                each.repair()


def test_a_folder_in_order_is_in_order(project: Path) -> None:
    assert [each.state for each in check(project)] == ["ok"]


@pytest.mark.parametrize("name", ["", "packets"])
def test_a_folder_that_cannot_be_written_is_broken_and_can_be_mended(project: Path, name: str) -> None:
    folder = project / ".agent" / "context" / name
    folder.chmod(0o555)
    assert [(each.state, each.what) for each in check(project)] == [(BROKEN, f"{folder} cannot be written.")]
    mend(project)
    assert [each.state for each in check(project)] == ["ok"]


@pytest.mark.parametrize("name", [".agent", ".agent/context"])
def test_a_closed_folder_is_told_though_no_project_is_seen(project: Path, name: str) -> None:
    (project / "sub").mkdir()
    (project / name).chmod(0)
    for start in (project, project / "sub"):
        (found,) = check(start)
        assert found.state == BROKEN
        assert found.what.startswith(f"{project / name} cannot be looked into")
    mend(project)
    assert [each.state for each in check(project)] == ["ok"]


def test_a_file_where_a_folder_is_needed_is_broken(project: Path) -> None:
    (project / ".agent" / "context" / "cache").write_text("x")
    (found,) = check(project)
    assert (found.state, found.fix) == (BROKEN, "move it away")
    assert str(project / ".agent" / "context" / "cache") in found.what


def test_another_users_folder_is_told_but_not_changed(project: Path) -> None:
    if os.geteuid() == 0:
        os.chown(project / ".agent" / "context" / "packets", 0, 0)
        (found,) = check(project)
        assert found.state == BROKEN
        assert "owner" in found.fix


# --- variables ----------------------------------------------------------------------------------------------------


def test_a_variable_that_means_nothing_gets_a_note_and_ours_do_not() -> None:
    env = {"THRULINE_BOGUS": "1", "THRULINE_HOME": "/t", "THRULINE_OFF": "1", "THRULINE_GIT_TIMEOUT_SECONDS": "3"}
    (found,) = [each.finding for each in check_variables(Surroundings("/", env))]
    assert found.state == NOTE
    assert found.what.startswith("THRULINE_BOGUS ")
    assert "THRULINE_HOME" in found.fix


def test_a_misspelt_variable_of_a_section_is_told_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("THRULINE_GIT_TIMOUT", "1")
    found = examine(Surroundings(str(tmp_path), os.environ))
    assert [each.name for each in found.findings if "THRULINE_GIT_TIMOUT" in each.what] == ["config"]


# --- one cause ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "value"), [("THRULINE_HOME", "here"), ("HOME", "")])
def test_one_cause_of_many_troubles_is_told_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    found = examine(Surroundings(str(tmp_path), os.environ))
    assert found.broken == 1
    (told,) = [each.what for each in found.findings if each.state == BROKEN]
    assert told == ("THRULINE_HOME is a relative path: here" if value else "This user has no home folder.")


def test_the_marker_is_where_the_check_looks() -> None:
    assert os.path.dirname(MARKER) == os.path.join(".agent", "context")


# --- a closed folder above ----------------------------------------------------------------------------------------


def test_a_closed_folder_above_is_named_by_doctor_and_init(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = project / "closed" / "inner"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    closed = project / "closed"
    closed.chmod(0)
    try:
        (found,) = check(Path("."))
        assert found.state == BROKEN
        assert found.what == f"{closed} cannot be entered, so nothing in {inner} can be reached by its path."
        with as_someone_else(), pytest.raises(Refused, match="cannot be entered"):
            init_context(find_user_paths(), ".")
    finally:
        closed.chmod(0o700)
