"""Any verbs by any number of processes, also killed ones: every file is a whole packet afterwards."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.packets.crashing import change, drop, make, set_up
from tests.packets.projects import Project, make_project
from tests.tracer import Crash, crash_points
from thruline.artifacts.packet import parse_packet
from thruline.operations.packets.listing import list_packets
from thruline.operations.packets.store import read_packet

STEP = st.tuples(
    st.sampled_from(["make", "active", "done", "blocked", "edit", "drop"]),
    st.integers(0, 3),
    st.text(st.characters(codec="utf-8"), max_size=12),
)
STEPS = st.lists(STEP, min_size=1, max_size=6)
ROOT = Path(__file__).parents[2]


def check(project: Project) -> None:
    """Every file below the context folder is a packet without a problem, or the marker."""
    for name, data in project.snapshot().items():
        if name.endswith(".md"):
            assert parse_packet(data, name).problems in ((), ("its id is not its file's name; the file's name counts",))
        else:
            assert name == "root.json", name


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STEPS, min_size=2, max_size=4))
def test_any_verbs_of_several_processes_leave_valid_packets(work: list[list[tuple[str, int, str]]]) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        project = make_project(folder / "project")
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        lines = [
            [sys.executable, "-m", "tests.packets.workers", str(project.root), json.dumps(steps)] for steps in work
        ]
        workers = [subprocess.Popen(line, env=env, cwd=ROOT, stderr=subprocess.PIPE) for line in lines]
        for worker in workers:
            _, said = worker.communicate()
            assert worker.returncode == 0, said.decode()
        check(project)
    finally:
        shutil.rmtree(folder)


def run_together(project: Project, code: str, count: int) -> None:
    """Runs `code` in so many processes at once; it knows `project` and its own number `n`."""
    start = "import sys\nfrom pathlib import Path\nfrom tests.packets.projects import *\n"
    start += "project, n = Project(Path(sys.argv[1])), int(sys.argv[2])\n"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    lines = [[sys.executable, "-c", start + code, str(project.root), str(number)] for number in range(count)]
    workers = [subprocess.Popen(line, env=env, cwd=ROOT, stderr=subprocess.PIPE) for line in lines]
    for worker in workers:
        _, said = worker.communicate()
        assert worker.returncode == 0, said.decode()


def test_packets_of_one_purpose_made_in_one_second_by_many_are_all_there(project: Project) -> None:
    run_together(project, "for each in range(15): project.put('same')", 6)
    assert len(list_packets(project.paths).heads) == 90


def test_no_change_of_a_packet_is_lost_when_many_change_it_at_once(project: Project) -> None:
    made = project.put("x")
    for number in range(40):
        (project.root / f"{number}.py").write_text("")
    code = "from thruline.operations.packets.files import add_files\n"
    code += "for each in range(n * 8, n * 8 + 8): add_files(project.paths, [f'{each}.py'], 'x', str(project.root))"
    run_together(project, code, 5)
    packet = read_packet(project.paths, made)
    assert sorted(packet.confirmed) == sorted(f"{number}.py" for number in range(40))
    assert (packet.document.read_section("Confirmed", 3) or "").count("- `") in (0, 40)


@pytest.fixture
def memory() -> Iterator[str]:
    """A folder in memory where there is one."""
    folder = tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    yield folder
    shutil.rmtree(folder)


def left(folder: str) -> dict[str, bytes]:
    """The packets by name, dropped ones by their place."""
    found = Project(Path(folder, "project")).snapshot()
    return {name: data for name, data in found.items() if name.endswith(".md")}


def test_a_kill_while_a_packet_is_made_leaves_all_of_it_or_nothing(memory: str) -> None:
    def look(folder: str, crash: Crash) -> None:
        check_but_temps(folder, crash)
        assert len(left(folder)) in (1, 2), str(crash)

    assert len(crash_points(make, setup=set_up, check=look, folder=memory)) > 3


def test_a_kill_while_a_packet_changes_leaves_the_old_or_the_new_one(memory: str) -> None:
    def look(folder: str, crash: Crash) -> None:
        check_but_temps(folder, crash)
        (data,) = left(folder).values()
        assert (b"status: active" in data) == (b"- changed" in data), str(crash)

    assert len(crash_points(change, setup=set_up, check=look, folder=memory)) > 3


def test_a_kill_while_a_packet_is_dropped_loses_none(memory: str) -> None:
    def look(folder: str, crash: Crash) -> None:
        check_but_temps(folder, crash)
        assert len(left(folder)) == 1, str(crash)

    crash_points(drop, setup=set_up, check=look, folder=memory)


def check_but_temps(folder: str, crash: Crash) -> None:
    """Every packet is whole."""
    for name, data in left(folder).items():
        assert parse_packet(data, name).problems == (), str(crash)
