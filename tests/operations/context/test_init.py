"""What `context init` makes, where, and what it leaves alone."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.operations.context.projects import run
from thruline import clock
from thruline.artifacts.root import read_marker
from thruline.errors import DiskError, FormatError, NotFound, Refused
from thruline.layout import IGNORED_DIRS, MARKER, find_project


def list_files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


@pytest.mark.feature("F003-01", via="unit")
@pytest.mark.feature("F004-32", via="unit")
def test_only_the_marker_and_the_ignore_file_are_made(user, repository):
    with clock.stopped_at(datetime(2026, 11, 16, 8, 30, tzinfo=UTC)):
        done = run(user, repository)
    assert set(list_files(repository)) == {MARKER, ".agent/context/.gitignore"}
    assert sorted(os.listdir(repository / ".agent" / "context")) == [".gitignore", "root.json"]
    marker = read_marker(str(repository / MARKER))
    assert (marker.schema, marker.name, marker.created_at) == (1, "project", "2026-11-16T08:30:00Z")
    assert (done.created, done.project_id, done.findings) == (True, marker.project_id, ())
    assert find_project(str(repository)).marked


@pytest.mark.feature("F003-26", via="unit")
def test_second_run_changes_nothing_and_says_so(user, repository):
    first = run(user, repository)
    before = {path: path.stat().st_mtime_ns for path in repository.rglob("*")}
    again = run(user, repository)
    assert {path: path.stat().st_mtime_ns for path in repository.rglob("*")} == before
    assert not again.created
    assert not again.changed
    assert again.project_id == first.project_id


@pytest.mark.feature("F002-38", via="unit")
def test_git_confirms_what_is_ignored(user, repository):
    run(user, repository)
    for name in IGNORED_DIRS:
        path = repository / ".agent" / "context" / name / "file"
        path.parent.mkdir()
        path.write_text("x")
    (repository / ".agent" / "context" / "packets").mkdir()
    (repository / ".agent" / "context" / "packets" / "p.md").write_text("x")
    seen = subprocess.run(
        ["git", "status", "--porcelain", "-uall"], cwd=repository, capture_output=True, text=True, check=True
    ).stdout.split()[1::2]
    assert sorted(seen) == [".agent/context/.gitignore", ".agent/context/packets/p.md", ".agent/context/root.json"]


@pytest.mark.feature("F002-38", via="unit")
def test_rule_that_takes_the_ignoring_back_is_found(user, repository):
    (repository / ".agent" / "context").mkdir(parents=True)
    (repository / ".agent" / "context" / ".gitignore").write_text(
        "".join(f"/{name}/\n" for name in IGNORED_DIRS) + "!/logs/\n"
    )
    done = run(user, repository)
    (finding,) = done.findings
    assert finding.state == "broken"
    assert ".agent/context/logs" in finding.what
    assert finding.fix == "have /logs/ as the last line of .agent/context/.gitignore"
    with open(repository / ".agent" / "context" / ".gitignore", "a", encoding="utf-8") as file:
        file.write("/logs/\n")
    assert run(user, repository).findings == ()


@pytest.mark.feature("F002-38", via="unit")
@pytest.mark.parametrize("rule", [".agent/", "*.json", "/.agent/context/root.json"])
def test_rule_that_hides_the_marker_is_found(user, repository, rule):
    (repository / ".gitignore").write_text(rule + "\n")
    findings = run(user, repository).findings
    assert any("root.json" in finding.what and rule in finding.what for finding in findings)
    assert all(finding.state == "broken" for finding in findings)


@pytest.mark.feature("F002-38", via="unit")
def test_forge_folders_that_git_would_take_are_found(user, repository):
    (repository / ".forge").mkdir()
    exposed = [finding.what for finding in run(user, repository).findings]
    assert any(".forge/logs" in what for what in exposed)
    assert any(".forge/handoffs" in what for what in exposed)
    (repository / ".gitignore").write_text("/.forge/\n")
    assert run(user, repository).findings == ()


def test_lines_of_an_ignore_file_survive(user, repository):
    path = repository / ".agent" / "context" / ".gitignore"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"# mine\r\n/own/\r\n/logs/")
    run(user, repository)
    text = path.read_bytes()
    assert text.startswith(b"# mine\r\n/own/\r\n/logs/\r\n")
    assert text.count(b"/logs/") == 1
    assert all(f"/{name}/\r\n".encode() in text for name in IGNORED_DIRS)
    assert not run(user, repository).changed


@pytest.mark.feature("F003-02", via="unit")
def test_git_root_is_taken_from_a_subfolder_and_the_folder_itself_without_git(user, repository, tmp_path):
    (repository / "a" / "b").mkdir(parents=True)
    assert run(user, repository / "a" / "b").root == str(repository)
    (tmp_path / "plain" / "sub").mkdir(parents=True)
    assert run(user, tmp_path / "plain" / "sub").root == str(tmp_path / "plain" / "sub")


def test_named_folder_is_taken_as_it_is(user, repository):
    (repository / "a").mkdir()
    assert run(user, repository / "a", exact=True).root == str(repository / "a")


@pytest.mark.feature("F003-02", via="unit")
def test_project_inside_a_project_must_be_asked_for(user, repository):
    outer = run(user, repository)
    inner = repository / "packages" / "inner"
    inner.mkdir(parents=True)
    with pytest.raises(Refused) as told:
        run(user, inner, exact=True)
    assert told.value.where == str(repository)
    assert "--nested" in told.value.next
    # Who names no folder means the project they are in.
    again = run(user, inner)
    assert (again.root, again.created, again.changed) == (str(repository), False, False)
    made = run(user, inner, nested=True)
    assert made.root == str(inner)
    assert made.project_id != outer.project_id
    assert find_project(str(inner)).root == str(inner)


def test_home_and_top_of_the_file_system_need_a_yes(user, home):
    for folder in (home, Path("/")):
        with pytest.raises(Refused, match="every folder below") as told:
            run(user, folder, exact=True)
        assert "--yes" in told.value.next
    assert not (home / ".agent").exists()
    assert run(user, home, exact=True, yes=True).created


def test_missing_folder_is_not_made(user, tmp_path):
    with pytest.raises(NotFound):
        run(user, tmp_path / "nowhere", exact=True)
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("link", [".agent", ".agent/context", ".agent/context/root.json", ".agent/context/.gitignore"])
def test_link_that_leads_outside_is_refused(user, project, tmp_path, link):
    outside = tmp_path / "outside"
    outside.mkdir()
    (project / link).parent.mkdir(parents=True, exist_ok=True)
    (project / link).symlink_to(outside / "file" if "." in Path(link).name[1:] or "git" in link else outside)
    with pytest.raises(Refused, match="leads out"):
        run(user, project, exact=True)
    assert list(outside.iterdir()) == []


def test_link_inside_the_project_is_followed(user, project):
    (project / "real").mkdir()
    (project / ".agent").symlink_to("real")
    run(user, project)
    assert (project / "real" / "context" / "root.json").is_file()


@pytest.mark.parametrize(
    ("text", "error"), [('{"schema": 99, "more": 1}', Refused), ("{", FormatError), ('{"schema": 1}', FormatError)]
)
def test_marker_we_cannot_own_is_left_untouched(user, project, text, error):
    (project / MARKER).parent.mkdir(parents=True)
    (project / MARKER).write_text(text)
    with pytest.raises(error) as told:
        run(user, project)
    assert told.value.where
    assert told.value.next
    assert list_files(project) == {MARKER: text.encode()}


def test_file_where_the_folder_should_be_is_told(user, project):
    (project / ".agent").write_text("mine")
    with pytest.raises(DiskError) as told:
        run(user, project)
    assert told.value.next
    assert (project / ".agent").read_text() == "mine"
