"""`thruline loop`: what it prints, that both lanes print the same, and what a list may import."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from thruline.cli import door, quick
from thruline.harnesses.registry import HARNESSES
from thruline.layout import find_state_dir
from thruline.operations.hook_entry import write_entry

HARNESS = next(each for each in HARNESSES if each.session_variable)
SESSION = "0a1b2c3d-1111-2222-3333-444455556666"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(HARNESS.session_variable, SESSION)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert door.run(list(words)) == code
    said = capsys.readouterr()
    return said.out if code == 0 else said.err


@pytest.mark.feature("F003-15", via="cli")
@pytest.mark.feature("F003-16", via="cli")
def test_a_loop_from_its_start_to_its_end(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = run(
        capsys, "loop", "start", "Port it.", "--promise", "DONE", "--promise", "NONE LEFT", "--max-iterations", "5",
        "--until", "make test", "--until-seconds", "60",
    )  # fmt: skip
    loop_id = said.partition(":")[0]
    assert f"started, in {HARNESS.name}:{SESSION}" in said
    assert "ends with   DONE or NONE LEFT" in said
    assert "will run    make test   (up to 60 s" in said
    [row] = json.loads(run(capsys, "loop", "list", "--json"))
    assert (row["id"], row["status"], row["foreground"]) == (loop_id, "active", True)
    listed = run(capsys, "loop", "list").split()
    assert listed == ["*", loop_id, "active", "0/5", "now", "DONE", "or", "NONE", "LEFT"]
    assert "Port it." in run(capsys, "loop", "show", "port-it")
    assert json.loads(run(capsys, "loop", "show", "port-it", "--json"))["prompt"] == "Port it."
    second = json.loads(run(capsys, "loop", "start", "Then tidy up.", "--json"))
    assert (second["behind"], second["foreground"]) == (loop_id, True)
    assert f"{second['id']} is behind it now." in run(capsys, "loop", "activate", "port-it")
    assert "paused" in run(capsys, "loop", "pause", "tidy")
    assert "It holds nobody: thruline loop activate" in run(capsys, "loop", "resume", "tidy")
    assert run(capsys, "loop", "stop", "--all").count("paused") == 2
    assert run(capsys, "loop", "stop", "--all") == "No loop is active here.\n"
    assert "cancelled" in run(capsys, "loop", "cancel", "port-it")
    assert "cannot become" in run(capsys, "loop", "resume", "port-it", code=1)
    assert "Which loops?" in run(capsys, "loop", "stop", code=2)
    assert [row["status"] for row in json.loads(run(capsys, "loop", "list", "--status", "cancelled", "--json"))] == [
        "cancelled"
    ]


def test_a_list_shows_iteration_age_promise_and_last_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = json.loads(run(capsys, "loop", "start", "Port it.", "--promise", "DONE", "--json"))
    path = Path(made["path"])
    text = path.read_text().replace("iteration: 0", "iteration: 12").replace("last_line: null", "last_line: Nine left.")
    path.write_text(text.replace(f'updated_at: "{made["updated_at"]}"', 'updated_at: "2020-02-29T12:00:00Z"'))
    listed = run(capsys, "loop", "list")
    assert listed.split()[:4] == ["*", made["id"], "active", "12"]
    assert listed.endswith("  DONE  Nine left.\n")
    assert listed.split()[4].endswith("w")
    age = int(listed.split()[4][:-1]) * 7
    days = (datetime.now(UTC) - datetime(2020, 2, 29, 12, tzinfo=UTC)).days
    assert abs(age - days) <= 7


@pytest.mark.parametrize(
    "words", [["list"], ["list", "--json"], ["list", "--status", "active"], ["list", "--status=no"]]
)
def test_both_lanes_print_the_same(here: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    run(capsys, "loop", "start", "Port it.")
    outcomes = []
    for lane in (quick.run_quick, door.run):
        code = lane(["loop", *words])
        said = capsys.readouterr()
        outcomes.append((code, said.out, said.err))
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][0] is not None


def test_a_list_imports_nothing_dear(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "loop", "start", "Port it.")
    probe = (
        "import sys; from thruline.cli.quick import run_quick; assert run_quick(['loop', 'list']) == 0;"
        "print([n for n in ('click', 're', 'json', 'dataclasses', 'typing', 'contextlib') if n in sys.modules])"
    )
    said = subprocess.check_output([sys.executable, "-I", "-S", "-c", PATHS + probe], text=True, env=dict(os.environ))
    assert said.splitlines()[-1] == "[]"


PATHS = f"import sys; sys.path.append({str(Path(door.__file__).parents[2])!r});"


def test_who_cannot_be_told_apart_is_listed_and_nothing_is_started(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(HARNESS.session_variable)
    assert "Cannot tell which session is meant" in run(capsys, "loop", "start", "x", code=1)
    assert json.loads(run(capsys, "loop", "list", "--json")) == []
    assert "No loops here." in run(capsys, "loop", "list")


def test_the_only_loop_that_a_verb_fits_need_not_be_named_and_several_are_listed(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "No loop is active or paused here." in run(capsys, "loop", "cancel", code=1)
    run(capsys, "loop", "start", "Port it.")
    assert "No loop is paused here." in run(capsys, "loop", "resume", code=1)
    assert "port-it: paused" in run(capsys, "loop", "pause")
    assert "No loop is active here." in run(capsys, "loop", "pause", code=1)
    assert "port-it: active again" in run(capsys, "loop", "resume")
    assert "port-it: cancelled" in run(capsys, "loop", "cancel")
    run(capsys, "loop", "start", "Write it.")
    run(capsys, "loop", "start", "Read it.")
    for verb, named in (("pause", "active"), ("cancel", "active or paused")):
        said = run(capsys, "loop", verb, code=2)
        assert f"2 loops are {named} here." in said
        assert "write-it" in said
        assert "read-it" in said
    assert {row["status"] for row in json.loads(run(capsys, "loop", "list", "--json"))} == {"active", "cancelled"}


def test_a_run_needs_a_loop_that_is_active_and_a_client(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "No loop is active here." in run(capsys, "loop", "run", code=1)
    run(capsys, "loop", "start", "Port it.")
    monkeypatch.setenv("PATH", "")
    assert "is not installed" in run(capsys, "loop", "run", code=1)
    assert "can be driven" in run(capsys, "loop", "run", "--harness", "nobody", code=2)
    run(capsys, "loop", "pause", "port-it")
    assert 'This loop is "paused".' in run(capsys, "loop", "run", "port-it", code=1)


@pytest.mark.parametrize(
    "prompt",
    [
        b"one\r\ntwo\r\n",
        b"\n\n  indented, after blank lines\n\n\n",
        b"old\rmac\r",
        "```\n## Notes\n````text\n<!-- \u2028\x0c\x85 é😀\t -->\n".encode(),
        b"ends with a fence\n```",
    ],
)
def test_a_prompt_from_standard_input_is_the_same_in_every_place(here: Path, prompt: bytes) -> None:
    program = [sys.executable, "-m", "thruline.cli.entry", "loop"]

    def loop(*words: str, given: bytes = b"") -> bytes:
        return subprocess.run([*program, *words], input=given, capture_output=True, check=True).stdout

    started = json.loads(loop("start", "-", "--promise", "DONE", "--json", given=prompt))
    assert started["prompt"].encode() == prompt
    assert prompt in Path(started["path"]).read_bytes()
    assert prompt in loop("show", started["id"])
    entry = write_entry(find_state_dir())
    payload = json.dumps({"session_id": SESSION, "cwd": str(here), "last_assistant_message": "No."}).encode()
    hook = [entry.python, "-I", "-S", entry.script, HARNESS.name, "turn_end"]
    for iteration in (1, 2):
        answer = json.loads(subprocess.run(hook, input=payload, capture_output=True, check=True).stdout)
        head, _, rest = answer["reason"].partition(" -->\n")
        assert head.endswith(f"iteration {iteration}")
        assert rest.encode().startswith(prompt + b"\n\n(When")
    assert json.loads(loop("show", started["id"], "--json"))["prompt"].encode() == prompt


@pytest.mark.parametrize("given", [b"a\0b", b"not \xff text"])
def test_what_is_no_text_can_be_no_prompt(here: Path, given: bytes) -> None:
    words = [sys.executable, "-m", "thruline.cli.entry", "loop", "start", "-", "--promise", "DONE"]
    done = subprocess.run(words, input=given, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"The prompt holds what is no text" in done.stderr
