"""`thruline context` from the command line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from thruline.artifacts.root import read_marker
from thruline.cli.door import run
from thruline.layout import MARKER


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository as the working folder."""
    root = tmp_path / "work"
    (root / "sub" / "deep").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "-b", "main", root], check=True)
    monkeypatch.chdir(root)
    return root


def tell(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert run(["context", *words]) == code
    out, err = capsys.readouterr()
    return out + err


@pytest.mark.feature("F003-01", via="cli")
@pytest.mark.feature("F003-03", via="cli")
@pytest.mark.feature("F004-32", via="cli")
def test_init_in_a_real_process_makes_the_project_and_nothing_else(repository):
    done = subprocess.run(
        [sys.executable, "-m", "thruline.cli.entry", "context", "init"], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    marker = read_marker(str(repository / MARKER))
    assert done.stdout.splitlines() == [
        f"{repository} is now a project.",
        f"  project_id  {marker.project_id}",
        "  wrote       .agent/context/.gitignore",
        "  wrote       .agent/context/root.json",
    ]
    assert sorted(os.listdir(repository / ".agent" / "context")) == [".gitignore", "root.json"]


@pytest.mark.feature("F003-26", via="cli")
@pytest.mark.feature("F002-45", via="cli")
def test_init_twice_keeps_the_id_and_says_that_there_was_nothing_to_do(capsys):
    first = json.loads(tell(capsys, "init", "--json"))
    again = json.loads(tell(capsys, "init", "--json"))
    assert first["created"]
    assert not again["created"]
    assert again["wrote"] == again["moved"] == []
    assert again["project_id"] == first["project_id"]
    assert "nothing to do" in tell(capsys, "init")


@pytest.mark.feature("F003-02", via="cli")
def test_show_names_the_same_root_from_every_subfolder(repository, capsys):
    tell(capsys, "init")
    seen = {json.loads(tell(capsys, "show", "--json", "-C", folder))["root"] for folder in (".", "sub", "sub/deep")}
    assert seen == {str(repository)}


@pytest.mark.feature("F002-46", via="cli")
def test_init_in_a_subfolder_says_where_the_root_is(repository, capsys):
    tell(capsys, "init")
    told = tell(capsys, "init", "sub", code=1)
    assert told.splitlines() == [
        "This folder already belongs to a project.",
        f"  where  {repository}",
        "  try    thruline context init --nested   to make it a project of its own",
    ]
    error = json.loads(tell(capsys, "init", "sub", "--json", code=1))["error"]
    assert (error["kind"], error["where"]) == ("Refused", str(repository))
    assert tell(capsys, "init", "sub", "--nested").startswith(f"{repository / 'sub'} is now a project.")


@pytest.mark.feature("F003-26", via="cli")
def test_init_again_from_a_subfolder_has_nothing_to_do(repository, capsys, monkeypatch):
    monkeypatch.chdir(repository / "sub" / "deep")
    assert tell(capsys, "init").startswith(f"{repository} is now a project.")
    assert tell(capsys, "init").startswith(f"{repository} is a project already; nothing to do.")
    assert tell(capsys, "init", "--nested").startswith(f"{repository / 'sub' / 'deep'} is now a project.")


def test_init_of_a_file_says_that_it_is_one(repository, capsys):
    (repository / "note.md").write_text("x")
    assert tell(capsys, "init", "note.md", code=1).startswith("This is a file, not a folder.\n  where  note.md\n")
    assert tell(capsys, "init", "absent", code=1).startswith("There is no such folder.")


def test_git_does_not_see_what_a_killed_writer_leaves(repository, capsys):
    tell(capsys, "init")
    ignore = repository / ".agent" / "context" / ".gitignore"
    lines = ignore.read_text().splitlines()
    assert lines.pop() == ".thruline-*.tmp"
    for folder in (ignore.parent, ignore.parent / "packets"):
        folder.mkdir(exist_ok=True)
        (folder / ".thruline-1-x-2.tmp").write_text("half")
    status = ["git", "status", "--porcelain", "-uall"]
    assert b".tmp" not in subprocess.run(status, capture_output=True, check=True).stdout
    # A project made before that line was written, with a line of its owner's.
    ignore.write_text("\n".join([*lines, "mine"]))
    assert b".tmp" in subprocess.run(status, capture_output=True, check=True).stdout
    assert run(["doctor"]) == 1
    assert "temporary files" in capsys.readouterr().out
    assert "  wrote       .agent/context/.gitignore" in tell(capsys, "init")
    assert ignore.read_text().splitlines() == [*lines, "mine", ".thruline-*.tmp"]


@pytest.mark.feature("F002-38", via="cli")
def test_init_tells_of_a_rule_that_hides_the_marker(repository, capsys):
    (repository / ".gitignore").write_text(".agent/\n")
    told = tell(capsys, "init")
    assert "broken: Git ignores .agent/context/root.json" in told
    assert ".gitignore:1:.agent/" in told


def test_init_in_the_home_folder_needs_a_yes(home, capsys):
    assert "--yes" in tell(capsys, "init", str(home), code=1)
    assert not (home / ".agent").exists()
    tell(capsys, "init", str(home), "--yes")
    assert (home / MARKER).exists()


@pytest.mark.feature("F002-45", via="cli")
def test_show_tells_root_key_folders_git_and_config(repository, home, capsys):
    tell(capsys, "init")
    packets = repository / ".agent" / "context" / "packets"
    packets.mkdir()
    (packets / "a.md").write_text("x")
    (home / ".config" / "thruline").mkdir(parents=True)
    config = home / ".config" / "thruline" / "config.toml"
    config.write_text("[git]\ntimeout_seconds = 3\n")
    found = json.loads(tell(capsys, "show", "--json"))
    assert (found["root"], found["found_by"], found["name"]) == (str(repository), "marker", "work")
    assert found["key"].startswith("work-")
    assert [(folder["name"], folder["entries"]) for folder in found["folders"]] == [("packets", 1)]
    assert found["git"] == {"branch": "main", "commit": "", "dirty": 1, "reason": ""}
    assert found["config"] == [str(config)]
    text = tell(capsys, "show")
    for words in (str(repository), found["project_id"], found["key"], "main, no commit yet, 1 changed", "packets"):
        assert words in text


def test_show_without_a_marker_says_how_to_make_one(capsys, repository):
    told = tell(capsys, "show")
    assert "thruline context init" in told
    assert list(repository.glob(".agent")) == []


@pytest.mark.parametrize("text", ["{", '{"schema": 7}'])
def test_show_still_shows_a_project_whose_marker_is_odd(repository, capsys, text):
    (repository / MARKER).parent.mkdir(parents=True)
    (repository / MARKER).write_text(text)
    told = tell(capsys, "show")
    assert str(repository) in told
    assert "problem     root.json" in told


@pytest.mark.parametrize(
    "line",
    [
        ["context", "init"],
        ["context", "show"],
        ["doctor"],
        ["config", "path"],
        ["sessions", "list"],
        ["context", "init", "x\ny"],
    ],
)
def test_a_line_break_in_a_folder_name_makes_no_line(repository, capsys, monkeypatch, line):
    odd = repository / "a\nok      all is well"
    odd.mkdir()
    subprocess.run(["git", "init", "-q", odd], check=True)
    monkeypatch.chdir(odd)
    run(["context", "init"])
    capsys.readouterr()
    run(line)
    said = capsys.readouterr()
    assert "a␊ok" in said.out + said.err or "x␊y" in said.err
    assert not any(each.startswith("ok      all") for each in (said.out + said.err).split("\n"))


def test_show_without_git_says_so(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "git         no git" in tell(capsys, "show")


def test_show_counts_dirty_files_and_a_detached_head(repository, capsys):
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*git, "checkout", "-q", "--detach"], check=True)
    assert "detached at" in tell(capsys, "show")
    assert "nothing changed" in tell(capsys, "show")


def test_folder_name_that_is_no_text_is_survived(tmp_path, capsys):
    folder = os.path.join(os.fsencode(tmp_path), b"caf\xe9")
    os.mkdir(folder)
    done = subprocess.run(
        [sys.executable, "-m", "thruline.cli.entry", "context", "init", "--json", folder], capture_output=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["root"].endswith("caf\udce9")


@pytest.mark.feature("F003-26", via="cli")
def test_several_at_once_agree_on_one_id(repository):
    line = [sys.executable, "-m", "thruline.cli.entry", "context", "init", "--json"]
    running = [subprocess.Popen(line, stdout=subprocess.PIPE) for _ in range(5)]
    told = [json.loads(process.communicate()[0]) for process in running]
    assert {each["project_id"] for each in told} == {read_marker(str(repository / MARKER)).project_id}
    assert sum(each["created"] for each in told) == 1
