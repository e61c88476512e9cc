"""What was gathered for a project moves into it, whole or not at all."""

import errno
import os
from pathlib import Path

import pytest

from tests.disk.projects import in_memory
from tests.operations.context.projects import run
from tests.operations.traced_init import GATHERED, build_user, init, set_up
from tests.tracer import Crash, crash_points
from thruline.artifacts.root import read_marker, render_marker
from thruline.disk.atomic import find_leftovers
from thruline.disk.transaction import hold_recovered, transaction
from thruline.errors import LockTimeout, Refused
from thruline.layout import MARKER, Root, UserPaths, build_project_paths
from thruline.operations import context_init, context_move


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
