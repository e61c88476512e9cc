import errno
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.disk.projects import in_memory
from tests.operations.traced_init import GATHERED, build_user, init, set_up
from tests.tracer import Crash, crash_points
from thruline import clock
from thruline.artifacts.root import read_marker, render_marker
from thruline.disk.atomic import find_leftovers
from thruline.disk.transaction import hold_recovered, transaction
from thruline.errors import DiskError, FormatError, LockTimeout, NotFound, Refused
from thruline.layout import IGNORED_DIRS, MARKER, Root, UserPaths, build_project_paths, find_project, find_user_paths
from thruline.operations import context_init, context_move
from thruline.operations.context_init import Initialised, init_context


@pytest.fixture
def user(home: Path) -> UserPaths:
    return find_user_paths()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def repository(project: Path) -> Path:
    subprocess.run(["git", "init", "-q", project], check=True)
    return project


def run(user: UserPaths, folder: Path, **options: bool) -> Initialised:
    return init_context(user, str(folder), **options)


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


# --- moving in ----------------------------------------------------------------------------------------------------


def gather(user: UserPaths, project: Path, files: dict[str, bytes]) -> Path:
    base = Path(build_project_paths(Root(str(project), "folder"), user.state).base)
    for name, data in files.items():
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        (base / name).write_bytes(data)
    return base


def test_what_was_gathered_moves_in(user, project):
    base = gather(user, project, GATHERED)
    (base / "logs" / "deep" / "er.log").chmod(0o600)
    done = run(user, project)
    context = project / ".agent" / "context"
    for name, data in GATHERED.items():
        assert (context / name).read_bytes() == data
    assert (context / "logs" / "deep" / "er.log").stat().st_mode & 0o777 == 0o600
    assert not base.exists()
    assert sorted(done.moved) == sorted(f".agent/context/{name}" for name in GATHERED)
    assert done.findings == ()


def test_forge_project_gets_its_logs_and_handoffs_where_it_keeps_them(user, project):
    (project / ".forge").mkdir()
    gather(user, project, {**GATHERED, "handoffs/h.md": b"handoff\n"})
    run(user, project)
    assert (project / ".forge" / "handoffs" / "h.md").read_bytes() == b"handoff\n"
    assert (project / ".forge" / "logs" / "deep" / "er.log").read_bytes() == b"log\n"
    assert (project / ".agent" / "context" / "packets" / "20261116-a.md").exists()


def test_file_that_is_there_already_wins_and_the_other_is_kept_beside_it(user, project):
    base = gather(user, project, {"packets/p.md": b"from state\n", "packets/same.md": b"same\n"})
    packets = project / ".agent" / "context" / "packets"
    packets.mkdir(parents=True)
    (packets / "p.md").write_bytes(b"mine\n")
    (packets / "p.moved.md").write_bytes(b"older clash\n")
    (packets / "same.md").write_bytes(b"same\n")
    done = run(user, project)
    assert (packets / "p.md").read_bytes() == b"mine\n"
    assert (packets / "p.moved.md").read_bytes() == b"older clash\n"
    assert (packets / "p.moved2.md").read_bytes() == b"from state\n"
    assert not base.exists()
    (finding,) = done.findings
    assert finding.state == "note"
    assert "both are kept" in finding.what


def test_what_cannot_be_moved_stays_and_is_told(user, project, tmp_path):
    base = gather(user, project, {"packets/p.md": b"x"})
    (base / "packets" / "link").symlink_to(tmp_path / "elsewhere")
    done = run(user, project)
    assert os.path.lexists(base / "packets" / "link")
    assert any("still there" in finding.what for finding in done.findings)


def test_change_that_was_broken_off_is_finished_before_it_moves(user, project):
    unmarked = build_project_paths(Root(str(project), "folder"), user.state)
    child = os.fork()
    if child == 0:
        real = os.replace
        # Dies between the journal and the file.
        os.replace = lambda *paths: real(*paths) if paths[1].endswith("journal.db") else os._exit(0)
        with transaction(unmarked, kind="table") as change:
            change.write(os.path.join(unmarked.packets, "p.md"), b"new\n")
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    assert not os.path.exists(os.path.join(unmarked.packets, "p.md"))
    done = run(user, project)
    assert done.moved == (".agent/context/packets/p.md",)
    assert (project / ".agent" / "context" / "packets" / "p.md").read_bytes() == b"new\n"
    assert not os.path.exists(unmarked.base)


def test_what_recovery_kept_is_not_thrown_away(user, project):
    base = gather(
        user, project, {"packets/p.md": b"x", "cache/journal/kept/p.md": b"ours\n", "cache/journal/lock": b""}
    )
    done = run(user, project)
    assert (base / "cache" / "journal" / "kept" / "p.md").read_bytes() == b"ours\n"
    assert not (base / "cache" / "journal" / "lock").exists()
    assert [finding.state for finding in done.findings] == ["note"]


# --- crashes ------------------------------------------------------------------------------------------------------


def read_gathered(folder: str) -> dict[str, bytes]:
    """What the project has, read from where its files are now."""
    base = find_base(folder)
    return {name: Path(base, name).read_bytes() for name in GATHERED if Path(base, name).is_file()}


def find_base(folder: str) -> str:
    marked = os.path.isfile(os.path.join(folder, "project", MARKER))
    root = Root(os.path.join(folder, "project"), "marker" if marked else "folder")
    return build_project_paths(root, build_user(folder).state).base


def check_whole(folder: str, crash: Crash) -> None:
    assert read_gathered(folder) == GATHERED, crash
    project_id = init(folder)
    assert read_gathered(folder) == GATHERED, crash
    assert read_marker(os.path.join(folder, "project", MARKER)).project_id == project_id
    projects = os.path.join(folder, "state", "projects")
    assert not os.path.isdir(projects) or os.listdir(projects) == [], crash
    assert find_leftovers(os.path.join(folder, "project")) == [], crash


@pytest.mark.feature("F003-03", via="unit")
def test_killed_at_any_point_the_old_place_or_the_new_one_is_whole(tmp_path):
    with in_memory(tmp_path) as work:
        points = crash_points(init, setup=set_up, check=check_whole, folder=work)
    assert len(points) > 20


# Calls that may fail without harm: a note for others, a file that can be removed the next time.
_HARMLESS = {"unlink", "unlinkat", "rmdir"}


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EACCES, errno.EIO])
def test_fault_at_any_point_is_told_and_nothing_is_lost(tmp_path, fault):
    silent = []

    def check(folder: str, crash: Crash) -> None:
        error = crash.seen.error
        if error is None:
            silent.append(crash)
            assert os.path.isfile(os.path.join(folder, "project", MARKER)), crash
        else:
            assert "ThrulineError" in error["kinds"], f"{crash}: {error}"
            assert error["what"], crash
            assert error["where"], crash
            assert error["next"], crash
        check_whole(folder, crash)

    with in_memory(tmp_path) as work:
        points = crash_points(init, setup=set_up, check=check, folder=work, fault=fault)
    unheard = [each for each in silent if each.call.name not in _HARMLESS]
    # A lock's line about its owner is the one write that nobody misses.
    assert all(each.call.name == "write" and each.call.path.endswith("lock") for each in unheard), list(
        map(str, unheard)
    )
    assert len(silent) < len(points) / 2


# --- links that a repository brings -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "name"),
    [
        (".agent/context/handoffs", "handoffs/h.md"),
        (".agent/context/packets/deep", "packets/deep/p.md"),
        (".agent/context/packets/p.md", "packets/p.md"),
        (".forge/handoffs", "handoffs/h.md"),
        (".forge/logs", "logs/l.log"),
    ],
)
@pytest.mark.parametrize("target", ["outside", "project/.git/hooks"])
def test_nothing_is_moved_through_a_link_out_of_the_project(user, repository, tmp_path, link, name, target):
    base = gather(user, repository, {name: b"private words\n", "loops/l.md": b"x"})
    (tmp_path / target).mkdir(parents=True, exist_ok=True)
    path = repository / link
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(tmp_path / target / "made" if link.endswith(".md") else tmp_path / target)
    before = sorted(os.listdir(tmp_path / target))
    with pytest.raises(Refused, match="leads out") as caught:
        run(user, repository)
    assert str(path) in caught.value.where
    assert sorted(os.listdir(tmp_path / target)) == before
    assert (base / name).read_bytes() == b"private words\n"
    assert not (repository / MARKER).exists()


def test_file_beside_a_rival_is_not_written_through_a_link_either(user, project, tmp_path):
    base = gather(user, project, {"packets/p.md": b"private words\n"})
    packets = project / ".agent" / "context" / "packets"
    packets.mkdir(parents=True)
    (packets / "p.md").write_bytes(b"rival\n")
    (packets / "p.moved.md").symlink_to(tmp_path / "outside")
    with pytest.raises(Refused, match="leads out"):
        run(user, project)
    assert not (tmp_path / "outside").exists()
    assert (base / "packets" / "p.md").exists()


# --- others at work -----------------------------------------------------------------------------------------------


def test_whoever_changes_the_gathered_files_is_waited_for(user, project):
    unmarked = build_project_paths(Root(str(project), "folder"), user.state)
    gather(user, project, {"packets/p.md": b"x"})
    with transaction(unmarked) as change:
        change.write(os.path.join(unmarked.packets, "p.md"), b"y")
        with pytest.MonkeyPatch.context() as patch:
            # The settings' own timeout is ten seconds; waiting for it would prove no more.
            patch.setattr(context_move, "hold_recovered", lambda *a, **k: hold_recovered(*a, **{**k, "timeout": 0.01}))
            with pytest.raises(LockTimeout):
                run(user, project)
    assert not (project / MARKER).exists()
    run(user, project)
    assert (project / ".agent" / "context" / "packets" / "p.md").read_bytes() == b"y"


def test_nobody_gets_in_between_copying_and_removing(user, project, monkeypatch):
    unmarked = build_project_paths(Root(str(project), "folder"), user.state)
    gather(user, project, {"packets/p.md": b"x"})
    tried = []

    def try_meanwhile(*_: object) -> bytes:
        with pytest.raises(LockTimeout), transaction(unmarked, timeout=0.01):
            pass
        tried.append(True)
        return render_marker(*_)

    monkeypatch.setattr(context_init, "render_marker", try_meanwhile)
    run(user, project)
    assert tried == [True]
    assert not os.path.exists(unmarked.base)
