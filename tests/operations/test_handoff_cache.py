"""A brief is made once for what it depends on; anything else is a miss."""

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from thruline.errors import Refused
from thruline.layout import find_project
from thruline.operations.handoff.cache import Key, find_cached, read_cached, write_cached

KEY = Key("0b7e5c1a-6a34", "leaf-1", 100, "rules", "3", "1", 3_000)


@pytest.mark.feature("F001-33", via="unit")
def test_a_brief_is_found_again(tmp_path: Path) -> None:
    paths = find_project(str(tmp_path))
    path = write_cached(paths, KEY, "# Brief\n")
    assert read_cached(paths, KEY) == "# Brief\n"
    assert path.startswith(paths.cache)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


@pytest.mark.feature("F001-33", via="unit")
@pytest.mark.parametrize(
    "change",
    [{"leaf": "leaf-2"}, {"size": 101}, {"engine": "agent"}, {"rules": "4"}, {"prompts": "2"}, {"budget": 1_000},
     {"session": "0b7e5c1a-6a35"}, {"stamp": "2"}],
)  # fmt: skip
def test_anything_else_is_a_miss(tmp_path: Path, change: dict[str, object]) -> None:
    paths = find_project(str(tmp_path))
    write_cached(paths, KEY, "# Brief\n")
    assert read_cached(paths, replace(KEY, **change)) is None  # type: ignore[arg-type]


def test_a_newer_brief_replaces_the_older_one(tmp_path: Path) -> None:
    paths = find_project(str(tmp_path))
    write_cached(paths, KEY, "old")
    write_cached(paths, replace(KEY, leaf="leaf-2"), "new")
    assert read_cached(paths, KEY) is None
    assert len(list(Path(paths.cache, "briefs").iterdir())) == 1


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"schema": 9}', b"\xff"])
def test_a_broken_cache_is_a_miss(tmp_path: Path, data: bytes) -> None:
    paths = find_project(str(tmp_path))
    path = Path(write_cached(paths, KEY, "x"))
    path.write_bytes(data)
    assert read_cached(paths, KEY) is None


def test_a_session_s_name_is_never_a_path(tmp_path: Path) -> None:
    paths = find_project(str(tmp_path))
    path = find_cached(paths, "../../etc/passwd\x00", "command:x/y")
    assert os.path.dirname(path) == os.path.join(paths.cache, "briefs")


def test_a_brief_does_not_leave_the_project_by_a_link(tmp_path: Path) -> None:
    root, outside = tmp_path / "project", tmp_path / "outside"
    outside.mkdir()
    (root / ".agent" / "context").mkdir(parents=True)
    (root / ".agent" / "context" / "root.json").write_text("{}")
    (root / ".agent" / "context" / "cache").symlink_to(outside)
    with pytest.raises(Refused, match="leads out"):
        write_cached(find_project(str(root)), KEY, "# Brief\n")
    assert os.listdir(outside) == []
