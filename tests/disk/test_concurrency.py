"""Several processes at once: nothing lost, nothing torn. `make bench` runs the same with 20 processes x 200 updates."""

from pathlib import Path

import pytest

from tests.disk.concurrency import find_lost_changes, find_lost_counts, find_lost_lines


def test_no_update_of_one_file_is_lost(tmp_path: Path) -> None:
    assert find_lost_counts(str(tmp_path), writers=4, count=25) == 0


def test_no_appended_line_is_lost_or_torn(tmp_path: Path) -> None:
    assert find_lost_lines(str(tmp_path), writers=4, count=25) == (0, 0)


@pytest.mark.parametrize("kind", ["table", "sheet"])
def test_four_files_move_together_and_readers_never_see_a_mix(tmp_path: Path, kind: str) -> None:
    assert find_lost_changes(str(tmp_path), writers=4, readers=2, count=25, kind=kind) == (0, 0)
