"""Where the files of a session lie when they are taken out."""

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.ark.sessions import PARENT, SHELF
from thruline.ark.entry import Source
from thruline.ark.restored import build_restored_path, build_restored_paths
from thruline.ark.store import Ark


def test_restored_files_lie_as_they_lay(ark: Ark, tmp_path: Path) -> None:
    own, side = tmp_path / "a.jsonl", tmp_path / "a" / "subagents" / "agent-1.jsonl"
    side.parent.mkdir(parents=True)
    own.write_bytes(b"own\n")
    side.write_bytes(b"side\n")
    os.utime(own, (1_700_000_000, 1_700_000_000))
    ark.archive(SHELF, PARENT, [Source(str(own)), Source(str(side))])
    made = ark.restore(SHELF, PARENT, str(tmp_path / "out"))
    assert os.path.relpath(made[str(side)], os.path.dirname(made[str(own)])) == "a/subagents/agent-1.jsonl"
    assert Path(made[str(own)]).read_bytes() == b"own\n"
    assert os.stat(made[str(own)]).st_mtime == 1_700_000_000


def test_what_was_a_file_and_became_a_folder_is_restored_both_ways(ark: Ark, tmp_path: Path) -> None:
    own, out = tmp_path / "a.jsonl", tmp_path / "out"
    own.write_bytes(b"own\n")
    out.write_bytes(b"file\n")
    ark.archive(SHELF, PARENT, [Source(str(own)), Source(str(out))])
    out.unlink()
    out.mkdir()
    (out / "part").write_bytes(b"part\n")
    ark.archive(SHELF, PARENT, [Source(str(own)), Source(str(out / "part"))])
    made = ark.restore(SHELF, PARENT, str(tmp_path / "restored"))
    assert {path: Path(copy).read_bytes() for path, copy in made.items()} == {
        str(own): b"own\n",
        str(out / "part"): b"part\n",
        str(out): b"file\n",
    }
    assert os.path.relpath(made[str(out / "part")], os.path.dirname(made[str(own)])) == "out/part"


@given(
    paths=st.lists(
        st.lists(st.sampled_from(["a", "b", "a\\b", "again-1", "C:", ".."]), min_size=1, max_size=4)
        .map("/".join)
        .filter(lambda path: os.path.normpath("/" + path) != "/"),
        unique=True,
    )
)
def test_no_two_files_are_restored_to_one_place(paths: list[str]) -> None:
    made = build_restored_paths("/top", ["/" + path for path in paths])
    assert len(set(made)) == len(made)
    for path in made:
        assert os.path.normpath(path).startswith("/top/")
        assert not any(other.startswith(path + "/") for other in made)


def test_no_path_leads_out_of_the_folder(tmp_path: Path) -> None:
    for path in ("/a/../../b", "../../b", "/", "C:\\x\\..\\y", "//host/share/x"):
        made = os.path.normpath(build_restored_path(str(tmp_path), path))
        assert made.startswith(str(tmp_path))
