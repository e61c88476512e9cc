"""Names of any kind become file names, and come back."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thruline.ark.entries import Entries
from thruline.ark.entry import Entry, render_entry
from thruline.errors import FormatError, Refused

TEXT = st.text(min_size=1, max_size=12).map(lambda text: text.encode("utf-8", "replace").decode())


@given(TEXT, TEXT)
def test_every_name_is_one_file_and_comes_back(tmp_path_factory: pytest.TempPathFactory, shelf: str, name: str) -> None:
    folder = tmp_path_factory.mktemp("entries")
    entries = Entries(str(folder))
    path = entries.find_path(shelf, name)
    assert os.path.dirname(os.path.dirname(path)) == str(folder)
    assert not os.path.basename(path).startswith(".")
    os.makedirs(os.path.dirname(path))
    entry = Entry(shelf, name, 1.5, ())
    Path(path).write_bytes(render_entry(entry))
    assert list(entries.find_names()) == [(shelf, name)]
    assert list(entries.read_all()) == [entry]


@pytest.mark.parametrize(("shelf", "name"), [("", "a"), ("a", ""), ("a", "b" * 300)])
def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path, shelf: str, name: str) -> None:
    with pytest.raises(Refused):
        Entries(str(tmp_path)).find_path(shelf, name)


def test_files_that_others_put_there_are_not_entries(tmp_path: Path) -> None:
    (tmp_path / "shelf").mkdir()
    for name in ("notes.txt", ".hidden.json", "bad%zz.json", ".thruline-1-vm-1.tmp"):
        (tmp_path / "shelf" / name).write_text("{}")
    (tmp_path / "loose.json").write_text("{}")
    assert list(Entries(str(tmp_path)).find_names()) == []


def test_a_well_signed_entry_of_another_kind_is_told(tmp_path: Path) -> None:
    import hashlib

    entries = Entries(str(tmp_path))
    path = Path(entries.find_path("shelf", "name"))
    path.parent.mkdir()
    for line in (b"[]", b"{}", b'{"ark":1,"odd":2}', b"nothing", b'{"ark":1,"members":5,"earlier":[]}'):
        path.write_bytes(line + b"\n" + hashlib.sha256(line).hexdigest().encode() + b"\n")
        with pytest.raises(FormatError):
            entries.read("shelf", "name")
    line = b'{"ark":99}'
    path.write_bytes(line + b"\n" + hashlib.sha256(line).hexdigest().encode() + b"\n")
    with pytest.raises(Refused, match="newer"):
        entries.read("shelf", "name")
