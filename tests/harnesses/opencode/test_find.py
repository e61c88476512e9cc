"""Where sessions are found, and what of them is known before they are read."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harnesses.opencode.stores import CART, CART_ID, REVIEW, REVIEW_ID, make_database, write_export
from thruline.errors import Refused
from thruline.harnesses.opencode.find import (
    find_companions,
    find_databases,
    find_transcripts,
    read_head,
    recognise,
    session_id_of,
)


def test_sessions_are_places_in_the_database_with_their_size_and_time(tmp_path: Path) -> None:
    database = make_database(tmp_path / ".local" / "share" / "opencode" / "opencode.db", CART, REVIEW)
    found = {one.session_id: one for one in find_transcripts({}, str(tmp_path))}
    assert set(found) == {CART_ID, REVIEW_ID}
    assert found[CART_ID].path == str(database / f"{CART_ID}.jsonl")
    assert found[CART_ID].mtime == 1794700016.0
    rows = sqlite3.connect(database)
    data = [
        text
        for table in ("message", "part")
        for (text,) in rows.execute(f"select data from {table} where session_id = ?", [CART_ID])
    ]
    rows.close()
    assert found[CART_ID].size == len("".join(data).encode())


def test_databases_of_all_channels_and_the_one_of_the_variable_are_found(tmp_path: Path) -> None:
    data = tmp_path / "elsewhere"
    for name in ("opencode.db", "opencode-beta.db"):
        make_database(data / "opencode" / name)
    other = make_database(tmp_path / "opencode-mine.db")
    (data / "opencode" / "auth.db").write_text("")
    env = {"XDG_DATA_HOME": str(data), "OPENCODE_DB": str(other)}
    names = [Path(path).name for path in find_databases(env, str(tmp_path))]
    assert names == ["opencode-mine.db", "opencode-beta.db", "opencode.db"]
    assert find_databases({"OPENCODE_DB": ":memory:"}, str(tmp_path)) == []


def test_a_database_that_cannot_be_read_is_in_the_list_under_its_own_name(tmp_path: Path) -> None:
    folder = tmp_path / ".local" / "share" / "opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.db").write_bytes(b"no database at all" * 100)
    (one,) = find_transcripts({}, str(tmp_path))
    assert (one.session_id, one.size) == ("opencode", 1800)


def test_lines_and_exports_are_recognised_and_a_database_is_no_session(tmp_path: Path) -> None:
    export = write_export(tmp_path / "a.json", CART)
    assert recognise(str(CART), CART.read_bytes()[:4096])
    assert recognise(str(export), export.read_bytes()[:4096])
    assert not recognise("x.json", b'{"info": {"title": "a page"}, "paths": []}')
    assert not recognise("x.jsonl", CART.read_bytes().replace(b'"harness":"opencode"', b'"harness":"other"')[:4096])
    database = make_database(tmp_path / "opencode.db", CART)
    with pytest.raises(Refused):
        recognise(str(database), database.read_bytes()[:4096])


@pytest.mark.parametrize("form", ["place", "export", "lines"])
def test_the_head_is_the_same_in_every_form(form: str, tmp_path: Path) -> None:
    path = {
        "place": lambda: make_database(tmp_path / "opencode.db", CART) / f"{CART_ID}.jsonl",
        "export": lambda: write_export(tmp_path / f"{CART_ID}.json", CART),
        "lines": lambda: CART,
    }[form]()
    assert read_head(str(path)) == {
        "session_id": CART_ID,
        "cwd": "/home/dev/shop",
        "version": "1.18.33",
        "title": "A cart for the shop",
        "first_prompt": "Add a cart to the shop, without a database please.",
    }
    assert session_id_of(str(path)) in (CART_ID, "cart")


def test_companions_are_the_same_in_a_database_and_in_a_folder(tmp_path: Path) -> None:
    database = make_database(tmp_path / "opencode.db", CART, REVIEW)
    folder = tmp_path / "out"
    folder.mkdir()
    for name, sample in ((CART_ID, CART), (REVIEW_ID, REVIEW)):
        (folder / f"{name}.jsonl").write_bytes(sample.read_bytes())
    (folder / "else.jsonl").write_text("nothing\n")
    for place in (database, folder):
        (one,) = find_companions(str(place / f"{CART_ID}.jsonl"))
        assert (one.session_id, one.kind, one.path) == (REVIEW_ID, "subagent", str(place / f"{REVIEW_ID}.jsonl"))
        assert find_companions(str(place / f"{REVIEW_ID}.jsonl")) == []


def test_a_machine_without_a_database_pays_for_no_sqlite(tmp_path: Path) -> None:
    code = (
        "import sys; from thruline.harnesses.opencode.find import find_transcripts;"
        f"list(find_transcripts({{}}, {str(tmp_path)!r}));"
        "print(sorted({'sqlite3', 'json', 'typing', 'dataclasses', 'tempfile'} & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
