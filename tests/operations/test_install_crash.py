"""Killed at every call that changes a file: settings of all clients are old or new together, and both ways lead on."""

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.disk.projects import in_memory
from tests.operations.traced_install import SETTINGS, build_user, install, set_up, set_up_installed, uninstall
from tests.tracer import Crash, crash_points
from thruline.disk.atomic import find_leftovers, remove_leftovers
from thruline.disk.transaction import recover, seal
from thruline.operations.doctor.storage import check_journals
from thruline.operations.doctor.surroundings import Surroundings
from thruline.operations.install.record import build_place, read_record

OLD, NEW = "old", "new"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with in_memory(tmp_path) as folder:
        monkeypatch.setenv("THRULINE_HOME", build_user(os.path.join(folder, "work")).state)
        yield folder


def look(folder: str) -> str:
    """Whether everything is as before or as after, once doctor has put right what was broken off; a mixture fails."""
    user = build_user(folder)
    around = Surroundings(os.path.join(folder, "home"), {})
    for each in check_journals(around):
        if each.repair:
            each.repair()
    assert {each.finding.state for each in check_journals(around)} == {"ok"}
    home = Path(folder) / "home"
    settings = (home / ".claude" / "settings.json").read_bytes()
    signs = {
        settings != SETTINGS,
        (home / ".codex" / "hooks.json").exists(),
        (home / ".agents" / "skills" / "thruline-handoff" / "SKILL.md").exists(),
        (Path(user.plugin) / "claude-code" / "thruline" / "commands" / "handoff.md").exists(),
        bool(read_record(user).settings),
    }
    assert len(signs) == 1, signs
    if signs == {True}:
        assert os.path.exists(user.hook_entry)  # what settings name is there
        assert os.path.exists(user.hook_python)
    return NEW if signs == {True} else OLD


def check_both_ways(folder: str, crash: Crash) -> None:
    seal._known.clear()
    state = look(folder)
    remove_leftovers(folder)
    assert find_leftovers(folder) == []
    assert install(folder) == (state == OLD)
    assert look(folder) == NEW
    assert uninstall(folder)
    assert look(folder) == OLD
    assert (Path(folder) / "home" / ".claude" / "settings.json").read_bytes() == SETTINGS
    recover(build_place(build_user(folder)))  # and lets go of the journal: the next crash has another at this place
    # A folder made just before the kill is nobody's: it may stay, empty.
    assert [path.name for path in (Path(folder) / "home").rglob("*") if path.is_file()] == ["settings.json"]


@pytest.mark.parametrize(
    ("operation", "before"), [(install, set_up), (uninstall, set_up_installed)], ids=["install", "uninstall"]
)
def test_a_kill_leaves_every_client_as_before_or_as_after(
    work: str, operation: Callable[[str], bool], before: Callable[[str], None]
) -> None:
    points = crash_points(operation, setup=before, check=check_both_ways, folder=work)
    assert len(points) > 30


def test_a_full_disk_leaves_every_client_as_before_or_as_after(work: str) -> None:
    def check(folder: str, crash: Crash) -> None:
        seal._known.clear()
        said = (crash.seen.error or {}).get("text", "recorded")
        assert look(folder) == (NEW if "recorded" in said else OLD)  # what the error said is true

    crash_points(install, setup=set_up, check=check, folder=work, fault=errno.ENOSPC)
