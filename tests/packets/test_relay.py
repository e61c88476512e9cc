"""The line that opens another client, in the right folder, with the prompt, without the variables of this one."""

import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from tests.packets.projects import THEN, Project
from tests.sample import SAMPLE
from thruline.cli.door import run
from thruline.clock import stopped_at
from thruline.errors import NotFound, Refused, UsageError
from thruline.harnesses.launching import build_launch, check_installed
from thruline.harnesses.registry import HARNESSES
from thruline.operations.clipboard import copy_text, find_clipboard
from thruline.operations.packets.opening import open_client
from thruline.operations.packets.relay import PURPOSE, relay_session
from thruline.operations.sessions.locate import locate

CORRECTION = "No, don't add a pause."


def put_program(folder: Path, name: str, text: str) -> Path:
    """A program in a folder of its own, to be found in PATH."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.mark.parametrize(
    ("name", "words"),
    [("claude-code", ("--prefill", "P")), ("codex", ("--", "P")), ("opencode", ("--prompt=P",))],
)
def test_each_client_gets_the_prompt_in_its_own_way(name: str, words: tuple[str, ...]) -> None:
    launch = build_launch(name, "P", folder="/a b", source="thruline pickup x", env={"PATH": ""})
    assert launch.argv[1:] == words
    assert launch.line.startswith("cd '/a b' && ")
    assert '"$(thruline pickup x)"' in launch.line
    with pytest.raises(NotFound, match="is not installed"):
        check_installed(launch)


def test_the_variables_of_the_client_we_run_in_do_not_reach_the_next_one() -> None:
    env = dict.fromkeys(("CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CODEX_THREAD_ID", "HOME"), "1") | {"PATH": ""}
    launch = build_launch("codex", "P", folder="/a", source="s", env=env)
    assert launch.drop == ("CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CODEX_THREAD_ID")
    assert launch.line == 'cd /a && env -u CLAUDECODE -u CLAUDE_CODE_CHILD_SESSION -u CODEX_THREAD_ID codex -- "$(s)"'
    assert {each.session_variable for each in HARNESSES[:2]} <= {n for each in HARNESSES for n in each.launch_env_drop}


@pytest.mark.parametrize(
    ("name", "before"), [("codex", ["--"]), ("claude-code", ["--prefill"]), ("opencode", ["--prompt="])]
)
def test_the_line_does_what_it_says_in_a_shell(project: Project, tmp_path: Path, name: str, before: list[str]) -> None:
    seen = tmp_path / "seen"
    folder = tmp_path / "bin"
    program = next(each.programs[0] for each in HARNESSES if each.name == name)
    put_program(folder, program, f'pwd > {seen}; env >> {seen}; printf "%s\\n" "$@" >> {seen}\n')
    put_program(folder, "thruline", "printf 'first line\\nsecond \"line\" $HOME'\n")
    env = {"PATH": f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin", "CLAUDECODE": "1"}
    launch = build_launch(name, "P", folder=str(project.root), source="thruline pickup x", env=env)
    subprocess.run(["/bin/sh", "-c", launch.line], env=env, check=True)
    lines = seen.read_text().splitlines()
    assert lines[0] == str(project.root)
    assert "CLAUDECODE=1" not in lines
    *options, last = before
    first = f"{last}first line" if last.endswith("=") else "first line"
    options += [] if last.endswith("=") else [last]
    assert lines[-2 - len(options) :] == [*options, first, 'second "line" $HOME']


def test_a_client_that_cannot_be_opened_so_is_refused_before_anything_is_written(project: Project) -> None:
    located = locate(str(SAMPLE), folder=str(project.root))
    before = project.snapshot()
    for name, told in (("nobody", "one of claude-code, codex, opencode"), ("pi", "thruline pickup --copy")):
        with pytest.raises(UsageError, match="can be opened with a prompt") as caught:
            relay_session(located, project.paths, name)
        assert caught.value.next.startswith(told)
    assert project.snapshot() == before


def test_a_relay_is_a_packet_a_brief_and_the_line(
    project: Project, transcript: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["relay", str(transcript), "--to", "codex", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert CORRECTION in Path(made["path"]).read_text()
    assert Path(made["brief"]).read_text().startswith("# Brief")
    assert CORRECTION in Path(made["brief"]).read_text()
    assert CORRECTION in made["prompt"]
    assert made["launch"]["argv"][1:] == ["--", made["prompt"]]
    assert (
        made["launch"]["line"]
        == f'cd {shlex.quote(str(project.root))} && codex -- "$(thruline pickup {made["packet"]})"'
    )
    assert run(["relay", str(transcript), "--to", "claude-code"]) == 0
    assert f'claude --prefill "$(thruline pickup {made["packet"][:8]}' in capsys.readouterr().out


def relay(project: Project, transcript: Path, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    """The id of the packet that a relay of the session wrote."""
    assert run(["relay", str(transcript), "--to", "codex", "--json", *more]) == 0
    return str(json.loads(capsys.readouterr().out)["packet"])


@pytest.fixture
def transcript(project: Project, tmp_path: Path) -> Path:
    """The sample session, at work in the project."""
    path = tmp_path / "5e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34.jsonl"
    path.write_text(SAMPLE.read_text().replace("/home/dev/orders-export", str(project.root)))
    return path


def test_a_second_relay_of_the_same_session_writes_nothing_new(
    project: Project, transcript: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with stopped_at(THEN):
        first = relay(project, transcript, capsys)
    before = project.snapshot()
    with stopped_at(THEN + timedelta(hours=1)):
        assert relay(project, transcript, capsys) == first
    assert project.snapshot() == before


def test_a_relay_of_a_session_that_went_on_takes_the_place_of_its_draft(
    project: Project, transcript: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with stopped_at(THEN):
        first = relay(project, transcript, capsys)
    *_, last = transcript.read_text().splitlines()
    row = json.loads(last) | {"uuid": "00000000-0000-4000-8000-000000000009", "type": "user", "promptSource": "sdk"}
    row["message"] = {"role": "user", "content": "No, never touch the ledger table again."}
    with transcript.open("a") as file:
        file.write(json.dumps(row) + "\n")
    with stopped_at(THEN + timedelta(hours=1)):
        assert relay(project, transcript, capsys) == first
    made = project.read(first).decode()
    assert "never touch the ledger table" in made
    assert 'created_at: "2026-11-15T10:10:00Z"' in made
    with stopped_at(THEN + timedelta(hours=2)):
        assert relay(project, transcript, capsys) == first
    assert project.read(first).decode() == made
    assert len(os.listdir(project.paths.packets)) == 1


@pytest.mark.parametrize("touched", ["by hand", "edited", "activated", "dropped", "another purpose", "made by handoff"])
def test_a_draft_that_somebody_touched_or_wanted_otherwise_stays(
    project: Project, transcript: Path, capsys: pytest.CaptureFixture[str], touched: str
) -> None:
    with stopped_at(THEN):
        if touched == "made by handoff":
            assert run(["handoff", str(transcript), "--purpose", PURPOSE, "--json"]) == 0
            first = str(json.loads(capsys.readouterr().out)["id"])
        else:
            first = relay(project, transcript, capsys)
        path = Path(project.paths.packets, first + ".md")
        if touched == "by hand":
            path.write_text(path.read_text().replace("## Plan\n", "## Plan\n- ask the vendor first\n"))
        elif touched == "edited":
            assert run(["packet", "edit", first, "--section", "Plan", "--text", "- ask the vendor first"]) == 0
        elif touched in ("activated", "dropped"):
            assert run(["packet", {"activated": "activate", "dropped": "drop"}[touched], first]) == 0
        before = path.read_bytes() if path.exists() else b""
        capsys.readouterr()
    with stopped_at(THEN + timedelta(hours=1)):
        second = relay(
            project, transcript, capsys, *(["--purpose", "the tests"] if touched == "another purpose" else [])
        )
    assert second != first
    assert (path.read_bytes() if path.exists() else b"") == before


def test_a_client_is_opened_only_in_a_terminal(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_program(tmp_path / "bin", "codex", "exit 7\n")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    launch = build_launch("codex", "P", folder=str(project.root), source="s", env=os.environ)
    with pytest.raises(Refused, match="only be opened in a terminal"):
        open_client(launch)


def test_in_a_terminal_the_client_takes_our_place(project: Project, tmp_path: Path) -> None:
    if shutil.which("script") is None:
        pytest.skip("needs the program script, for a terminal")
    made = project.hand_off()
    put_program(tmp_path / "bin", "codex", 'printf "%s" "$2" > prompt; exit 7\n')
    code = "import sys; from thruline.cli.door import run; sys.exit(run(sys.argv[1:]))"
    line = shlex.join([sys.executable, "-c", code, "pickup", made.id, "--for", "codex", "--launch"])
    env = {**os.environ, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    ended = subprocess.run(["script", "-qec", line, "/dev/null"], cwd=project.root, env=env, capture_output=True)
    assert ended.returncode == 7, ended.stdout
    assert CORRECTION in (project.root / "prompt").read_text()


def test_the_clipboard_is_filled_by_the_system_s_own_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_program(tmp_path / "bin", "xclip", f'cat > {tmp_path / "copied"}; echo "$@" >> {tmp_path / "copied"}\n')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    assert copy_text("a prompt\n") == "xclip"
    assert (tmp_path / "copied").read_text() == "a prompt\n-selection clipboard\n"
    put_program(tmp_path / "bin", "xclip", "exit 3\n")
    with pytest.raises(Exception, match="xclip failed"):
        copy_text("x")


@pytest.mark.parametrize(("platform", "name"), [("darwin", "pbcopy"), ("linux", "wl-copy")])
def test_without_a_clipboard_the_error_says_what_was_looked_for(platform: str, name: str) -> None:
    with pytest.raises(NotFound, match="no clipboard") as caught:
        find_clipboard(platform, {"PATH": ""})
    assert name in caught.value.where
