"""Sessions that their client keeps in a database, through every command that reads one."""

import json
import os
import sqlite3
from pathlib import Path

import pytest

from tests.cli.kept import ask, turn_on
from tests.harnesses.opencode.stores import (
    CART,
    CART_ID,
    REVIEW,
    REVIEW_ID,
    make_database,
    put_session,
    write_export,
)
from thruline.ark.store import Ark
from thruline.layout import find_user_paths


def test_the_list_shows_each_session_once_and_no_subagent(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):  # read, then from the index
        (row,) = json.loads(ask(capsys, "sessions", "list", "--all", "--json"))
        assert (row["session_id"], row["title"], row["turns"]) == (CART_ID, "A cart for the shop", 3)
        assert row["path"] == str(database / f"{CART_ID}.jsonl")
        assert not row["in_ark_only"]


def test_a_session_that_went_on_is_listed_anew(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(capsys, "sessions", "list", "--all")
    db = sqlite3.connect(database)
    db.execute("update session set title = 'Another title', time_updated = 1794799999999 where id = ?", [CART_ID])
    db.commit()
    db.close()
    (row,) = json.loads(ask(capsys, "sessions", "list", "--all", "--json"))
    assert row["title"] == "Another title"


def test_a_database_that_cannot_be_read_is_told_in_the_list(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = make_database(home / ".local" / "share" / "opencode" / "opencode.db", CART)
    db = sqlite3.connect(database)
    db.execute("alter table part rename to piece")
    db.close()
    (row,) = json.loads(ask(capsys, "sessions", "list", "--all", "--json"))
    assert row["state"].startswith("unreadable: the tables of this database")
    said = ask(capsys, "sessions", "show", "opencode", code=1)
    assert "no such table: part" in said
    assert str(database) in said


@pytest.mark.parametrize("form", ["id", "prefix", "place", "export", "lines"])
def test_every_form_of_a_session_says_the_same(
    form: str, database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = tmp_path / f"{CART_ID}.jsonl"
    lines.write_bytes(CART.read_bytes())
    ref = {
        "id": CART_ID,
        "prefix": CART_ID[:14],
        "place": str(database / f"{CART_ID}.jsonl"),
        "export": str(write_export(tmp_path / f"{CART_ID}.json", CART)),
        "lines": str(lines),
    }[form]
    shown = json.loads(ask(capsys, "sessions", "show", ref, "--json"))
    assert (shown["session"], shown["in_ark_only"]) == (CART_ID, False)
    assert "L5 human rejection · bash rm -rf data\n  never delete the data folder" in ask(
        capsys, "sessions", "spine", ref
    )
    people = json.loads(ask(capsys, "sessions", "messages", ref, "--by", "human", "--json"))
    assert [(one["line"], one["kind"]) for one in people] == [
        (1, "turn"),
        (5, "rejection"),
        (6, "answer"),
        (8, "turn"),
        (15, "turn"),
    ]
    opened = json.loads(ask(capsys, "sessions", "open", ref, "L5", "--json"))
    assert opened["records"][0]["parts"][1]["tool"] == "bash"
    brief = ask(capsys, "handoff", ref)
    assert "never delete the data folder, move it aside instead" in brief


def test_a_subagents_session_is_read_under_its_label(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    opened = json.loads(ask(capsys, "sessions", "open", CART_ID, "a1:L2", "--json"))
    assert opened["file"] == str(database / f"{REVIEW_ID}.jsonl")
    assert "(transcript:a1:L" in ask(capsys, "sessions", "spine", CART_ID)
    assert REVIEW_ID in ask(capsys, "sessions", "show", REVIEW_ID, "--json")


def test_a_later_subagent_leaves_an_earlier_one_its_label(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    later = "ses_0000000000000000000000later"  # this client's ids count down
    db = sqlite3.connect(database)
    text = REVIEW.read_text("utf-8").replace(REVIEW_ID, later).replace("msg_", "msg_l").replace("prt_", "prt_l")
    records = [json.loads(line) for line in text.splitlines()]
    records[0]["session"]["time"]["created"] += 60_000
    put_session(db, records)
    db.commit()
    db.close()
    opened = json.loads(ask(capsys, "sessions", "open", CART_ID, "a1:L2", "--json"))
    assert opened["file"] == str(database / f"{REVIEW_ID}.jsonl")
    opened = json.loads(ask(capsys, "sessions", "open", CART_ID, "a2:L1", "--json"))
    assert opened["file"] == str(database / f"{later}.jsonl")


def test_a_fork_in_the_database_is_found_by_the_moments_of_its_messages(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = CART.read_text("utf-8").replace(CART_ID, "ses_forked00000000000000000000")
    text = text.replace("msg_", "msg_f").replace("prt_", "prt_f").replace("A cart for the shop", "Fork of it")
    records = [json.loads(line) for line in text.splitlines()]
    records[-1]["info"]["time"]["created"] += 5000
    db = sqlite3.connect(database)
    put_session(db, records)
    db.commit()
    db.close()
    tree = json.loads(ask(capsys, "sessions", "fork-tree", CART_ID, "--json"))["root"]
    (child,) = tree["children"]
    assert {tree["session"], child["session"]} == {CART_ID, "ses_forked00000000000000000000"}
    assert (child["shared"], child["at"], child["sure"]) == (15, 15, False)
    assert child["path"].startswith(str(database))


def test_no_command_leaves_a_copy_or_changes_the_clients_folder(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = database.read_bytes(), sorted(os.listdir(database.parent))
    for arguments in (["sessions", "list", "--all"], ["handoff", CART_ID]):
        ask(capsys, *arguments)
    assert (database.read_bytes(), sorted(os.listdir(database.parent))) == before
    restored = Path(find_user_paths().restored)
    # What this process made for `handoff` goes when it ends; the list's copies are gone already.
    assert len(os.listdir(restored)) == 1
    assert all(path.stat().st_mode & 0o077 == 0 for path in [restored, *restored.rglob("*")])


def test_verify_finds_the_session_of_a_brief_again(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    brief = tmp_path / "brief.md"
    brief.write_text(ask(capsys, "handoff", CART_ID), "utf-8")
    assert str(database / f"{CART_ID}.jsonl") in brief.read_text("utf-8")
    said = ask(capsys, "verify", str(brief))
    assert "not the file" not in said
    assert f"against {database / f'{CART_ID}.jsonl'}" in said


def test_a_database_given_as_a_session_is_refused_with_a_hint(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "sessions list" in ask(capsys, "sessions", "show", str(database), code=1)


def test_forget_names_the_session_in_the_store_and_removes_ours(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    ask(capsys, "archive", CART_ID)
    before = database.read_bytes()
    said = ask(capsys, "forget", CART_ID, "--yes")
    assert str(database / f"{CART_ID}.jsonl") in said
    assert database.read_bytes() == before
    assert not list(Path(find_user_paths().ark).rglob("*.pack"))


def test_another_users_database_is_told_and_not_taken(
    database: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_on(capsys)
    mine = os.geteuid()
    monkeypatch.setattr("thruline.ark.original.os.geteuid", lambda: mine + 1)
    done = json.loads(ask(capsys, "archive", "--all", "--json", code=1))
    assert (done["archived"], len(done["problems"])) == ([], 1)
    assert "another user" in done["problems"][0]["what"]
    assert list(Ark(find_user_paths().ark).entries.find_names()) == []


def test_a_database_that_a_link_leads_out_to_is_told_and_not_taken(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    database.rename(tmp_path / "elsewhere.db")
    database.symlink_to(tmp_path / "elsewhere.db")
    done = json.loads(ask(capsys, "archive", "--all", "--json", code=1))
    assert done["archived"] == []
    assert {each["what"][:32] for each in done["problems"]} == {"This is a link that leads out of"}
    assert "leads out" in ask(capsys, "archive", CART_ID, code=1)


@pytest.mark.parametrize("odd", ["ses_\x00nul", "/abs/x", "ses_a\\b", "..", b"ses_bytes", "ses_\ufffd\u2028"])
def test_a_session_with_an_id_that_no_client_makes_costs_no_other(
    database: Path, capsys: pytest.CaptureFixture[str], odd: str | bytes
) -> None:
    db = sqlite3.connect(database)
    columns = "project_id, parent_id, slug, directory, title, version, time_created"
    for parent, updated in ((None, "no time"), (CART_ID, 1)):
        name = odd if parent is None else odd + odd  # its name twice, as a subagent's
        db.execute(
            f"insert into session (id, {columns}, time_updated)"
            f" select ?, {columns.replace('parent_id', '?')}, ? from session where id = ?",
            [name, parent, updated, CART_ID],
        )
    db.commit()
    db.close()
    turn_on(capsys)
    assert CART_ID in ask(capsys, "sessions", "list", "--all", "--json")
    assert CART_ID in json.loads(ask(capsys, "archive", "--all", "--json"))["archived"]
    ask(capsys, "sessions", "show", CART_ID)
