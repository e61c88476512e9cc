"""`thruline archive`: what is taken, and that it reads like the client's own."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.archive.sessions import find_ark, put_another
from tests.cli.kept import ask, remove_session, turn_on
from tests.sample import SESSION
from thruline.ark.store import Ark
from thruline.cli.door import run
from thruline.harnesses.registry import HARNESSES
from thruline.layout import find_user_paths

READS = (
    ("sessions", "show", SESSION, "--json"),
    ("sessions", "spine", SESSION),
    ("sessions", "spine", SESSION, "--json"),
    ("sessions", "messages", SESSION, "--json"),
    ("sessions", "fork-tree", SESSION, "--json"),
    ("sessions", "show", SESSION[:8]),
)


def test_nothing_is_copied_until_the_user_says_so(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--all"], [SESSION]):
        said = ask(capsys, "archive", *arguments, code=1)
        assert "thruline config set ark.enabled true" in said
    assert not os.path.exists(find_user_paths().ark)


def test_a_project_cannot_turn_the_ark_on(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".agent" / "context").mkdir(parents=True)
    (tmp_path / ".agent" / "context" / "root.json").write_text('{"project_id":"p","schema":1}')
    (tmp_path / ".agent" / "context" / "config.toml").write_text("[ark]\nenabled = true\n")
    monkeypatch.chdir(tmp_path)
    ask(capsys, "archive", "--all", code=1)


def test_one_of_ref_and_all_must_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["latest", "--all"], ["--all", "--fresh"]):
        ask(capsys, "archive", *arguments, code=2)


def read_everything(capsys: pytest.CaptureFixture[str], out: Path) -> dict[str, Any]:
    """Every answer about the session, and every label of its spine opened."""
    answers: dict[str, Any] = {" ".join(words): ask(capsys, *words) for words in READS}
    entries = json.loads(answers[" ".join(READS[2])])["entries"]
    labels = [entry["label"] for entry in entries] + ["L1", "a1:L1"]
    assert len(labels) > 20
    for label in labels:
        answers[label] = ask(capsys, "sessions", "open", SESSION, label)
        answers[label + " raw"] = ask(capsys, "sessions", "open", SESSION, label, "--raw")
    plan = json.loads(ask(capsys, "handoff", "prepare", SESSION, "--out", str(out), "--json"))
    answers["plan"] = plan
    answers["written"] = {path.name: path.read_bytes() for path in out.iterdir()}
    return answers


def test_every_pointer_opens_the_same_after_the_client_deleted_the_session(
    home: Path, kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    before = read_everything(capsys, tmp_path / "out")
    (row,) = json.loads(ask(capsys, "sessions", "list", "--all", "--json"))
    done = json.loads(ask(capsys, "archive", SESSION, "--json"))
    assert done["archived"] == [SESSION]
    remove_session(home)
    after = read_everything(capsys, tmp_path / "out")
    differing = {key for key in before if before[key] != after[key]}
    # Only where the session is said to be is it told that the client's file is gone.
    assert differing == {"sessions show 5e0c7f4a", f"sessions show {SESSION} --json"}
    told = json.loads(after[f"sessions show {SESSION} --json"])
    assert told == json.loads(before[f"sessions show {SESSION} --json"]) | {"in_ark_only": True}
    assert "only in the ark" in after["sessions show 5e0c7f4a"]
    (again,) = json.loads(ask(capsys, "sessions", "list", "--all", "--json"))
    assert again == row | {"in_ark_only": True}
    assert " ark, answered " in ask(capsys, "sessions", "list", "--all")


@pytest.mark.parametrize("ref", ["path", "latest"])
def test_a_deleted_session_is_found_by_its_path_and_as_the_latest(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, ref: str
) -> None:
    turn_on(capsys)
    project = home / "work"
    project.mkdir()
    kept.write_text(kept.read_text().replace("/home/dev/orders-export", str(project)))
    monkeypatch.chdir(project)
    expected = ask(capsys, "sessions", "spine", str(kept))
    ask(capsys, "archive", "latest")
    remove_session(home)
    # From the ark alone, without what was indexed before.
    os.remove(find_user_paths().index)
    assert ask(capsys, "sessions", "spine", str(kept) if ref == "path" else "latest") == expected


def test_an_id_that_fits_one_session_here_and_one_in_the_ark_is_asked_back(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    ask(capsys, "archive", SESSION)
    kept.rename(kept.with_name(SESSION[:-4] + "ffff.jsonl"))
    assert "fits 2 sessions" in ask(capsys, "sessions", "show", SESSION[:8], code=2)


def test_everything_of_a_session_is_archived_with_it(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turn_on(capsys)
    ask(capsys, "archive", SESSION)
    entry = find_ark().get(HARNESSES[0].name, SESSION)
    assert sorted((member.kind, os.path.basename(member.path)) for member in entry.members) == [
        ("session", f"{SESSION}.jsonl"),
        ("sidecar", "agent-a1b2c3d4.meta.json"),
        ("sidecar", "out.txt"),
        ("subagent", "agent-a1b2c3d4.jsonl"),
        ("tasks", "1.json"),
    ]
    assert entry.members[0].path == str(kept)


def test_a_second_run_reads_nothing_and_a_grown_session_only_its_end(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    put_another(home, 1)
    first = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert len(first["archived"]) == 2
    second = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert (second["archived"], second["unchanged"], second["read"]) == ([], 2, 0)
    with kept.open("a") as file:
        file.write('{"type":"mode"}\n')
    third = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert (third["archived"], third["unchanged"]) == ([SESSION], 1)


def test_an_interrupted_run_keeps_what_it_did_and_the_next_goes_on(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_on(capsys)
    names = [put_another(home, number).stem for number in range(1, 5)]
    plain = Ark.archive

    def stop_at_third(ark: Ark, shelf: str, name: str, *rest: Any, **more: Any) -> Any:
        if name == names[2]:
            raise KeyboardInterrupt
        return plain(ark, shelf, name, *rest, **more)

    with monkeypatch.context() as patch:
        patch.setattr(Ark, "archive", stop_at_third)
        assert "Interrupted" in ask(capsys, "archive", "--all", code=130)
    # The newest first.
    assert sorted(name for _, name in find_ark().entries.find_names()) == names[:2]
    done = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert (done["archived"], done["unchanged"]) == (names[2:], 2)


def test_subagents_of_a_session_whose_own_file_is_empty_are_archived(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    kept.write_bytes(b"")
    kept.with_name("ffffffff-31b2-4c6d-9a58-7d1f0e2b9c34.jsonl").write_bytes(b"")
    done = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert done["archived"] == [SESSION]
    entry = find_ark().get(HARNESSES[0].name, SESSION)
    assert (entry.members[0].size, len(entry.members)) == (0, 5)
    remove_session(home)
    made = find_ark().restore(entry.shelf, entry.name, str(home / "out"))
    assert len(made) == 5


def test_an_empty_session_with_subagents_is_named_before_its_client_deletes_it(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept.write_bytes(b"")
    stamp = time.time() - 28 * 86_400
    os.utime(kept, (stamp, stamp))
    run(["doctor", "--json"])
    assert str(kept) in capsys.readouterr().out


def test_people_are_told_in_sentences(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turn_on(capsys)
    said = ask(capsys, "archive", "--all")
    assert said.startswith("1 session archived, 0 unchanged; read ")
    assert "The ark takes " in said


def test_the_tree_of_forks_is_the_same_after_the_client_deleted_them(
    kept: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fork = "0f0f0f0f-31b2-4c6d-9a58-7d1f0e2b9c34"
    lines = kept.read_text().replace(SESSION, fork).splitlines(keepends=True)
    kept.with_name(f"{fork}.jsonl").write_text("".join(lines[:80]))
    turn_on(capsys)
    before = json.loads(ask(capsys, "sessions", "fork-tree", SESSION, "--json"))
    assert len(before["root"]["children"]) == 1
    ask(capsys, "archive", "--all")
    kept.with_name(f"{fork}.jsonl").unlink()
    assert json.loads(ask(capsys, "sessions", "fork-tree", SESSION, "--json")) == before
    remove_session(home)
    assert json.loads(ask(capsys, "sessions", "fork-tree", SESSION, "--json")) == before
    left = Path(find_user_paths().restored)
    assert len(list(left.iterdir() if left.exists() else ())) <= 1  # what is asked for, until the process ends


def test_a_session_comes_back_as_the_files_it_was(
    kept: Path, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    data = kept.read_bytes()
    ask(capsys, "archive", SESSION)
    kept.write_bytes(data[:2000])
    ask(capsys, "archive", SESSION)
    remove_session(home)
    for ref, whole in ((SESSION, data[:2000]), (f"{SESSION}@1", data)):
        made = json.loads(ask(capsys, "archive", ref, "--out", str(tmp_path / ref), "--json"))
        assert Path(made[str(kept)]).read_bytes() == whole
        assert Path(made[str(kept)]).is_relative_to(tmp_path / ref)
        assert [path for path in made if "subagents" in path]
    said = ask(capsys, "archive", SESSION, "--out", str(tmp_path / SESSION), code=1)
    assert "no empty folder" in said
