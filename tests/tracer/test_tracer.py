"""The tracer itself: it must see what happens, and hit what it is told to hit."""

import errno
import os
from pathlib import Path

from tests.tracer import Crash, crash_points, trace
from tests.tracer.traced import map_a_file, open_a_socket, start_a_program, write_two_files


def test_calls_that_change_files_are_listed_in_order_with_absolute_paths(tmp_path: Path) -> None:
    seen = trace(write_two_files, tmp_path)
    assert (seen.exit, seen.value, seen.error) == (0, "done", None)
    changes = [(call.name, call.path, call.target) for call in seen.changes(below=str(tmp_path))]
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    assert changes == [("openat", one, ""), ("write", one, ""), ("rename", one, two)]


def test_a_program_and_its_children_are_followed(tmp_path: Path) -> None:
    seen = trace(start_a_program, tmp_path)
    assert [os.path.basename(path) for path in seen.programs()] == ["sh", "touch"]
    assert any(call.path == str(tmp_path / "made") and "O_CREAT" in call.flags for call in seen.changes())
    assert len({call.pid for call in seen}) == 3


def test_input_output_folder_and_exit_code_of_a_command(tmp_path: Path) -> None:
    seen = trace(["sh", "-c", "cat; pwd; exit 3"], cwd=tmp_path, stdin=b"given\n")
    assert seen.exit == 3
    assert seen.output.decode().split() == ["given", os.path.realpath(tmp_path)]
    assert not seen.changes()
    assert trace(["no-such-program-here"]).exit == 127


def test_network_calls_show_their_address() -> None:
    seen = trace(open_a_socket)
    assert [call.text for call in seen.named("socket")] == ["AF_INET"]
    assert [call.text for call in seen.named("connect")] == ["AF_INET 127.0.0.1:9"]


def test_shared_mappings_are_noted(tmp_path: Path) -> None:
    assert [call.path for call in trace(map_a_file, tmp_path).mappings()] == [str(tmp_path / "mapped")]


def test_each_point_is_hit_before_its_call_takes_effect(tmp_path: Path) -> None:
    states = []

    def look(folder: str, crash: Crash) -> None:
        files = {name: Path(folder, name).read_bytes() for name in os.listdir(folder)}
        states.append((crash.call.name, crash.seen.exit, files))

    points = crash_points(write_two_files, setup=lambda _: None, check=look, folder=str(tmp_path))
    assert states == [("openat", -9, {}), ("write", -9, {"one": b""}), ("rename", -9, {"one": b"1"})]
    assert [point.number for point in points] == [1, 2, 3]


def test_a_process_down_the_tree_is_killed_with_its_parents(tmp_path: Path) -> None:
    states = []
    crash_points(
        start_a_program,
        setup=lambda _: None,
        check=lambda folder, crash: states.append((crash.seen.exit, os.listdir(folder))),
        folder=str(tmp_path),
    )
    assert states[0] == (-9, [])


def test_a_fault_fails_one_call_and_changes_nothing(tmp_path: Path) -> None:
    seen = trace(write_two_files, tmp_path, at=3, fault=errno.EACCES, below=str(tmp_path))
    assert seen.exit == 1
    assert seen.error is not None
    assert "PermissionError" in seen.error["kinds"]
    assert os.listdir(tmp_path) == ["one"]
    assert seen.changes(below=str(tmp_path))[-1].result == -errno.EACCES
