"""Nothing that a transcript says acts in what a command prints, into a pipe as well: behind it is often a terminal."""

import json
import re
from pathlib import Path

import pytest

from tests.harnesses.claude_code.conftest import Transcript
from thruline.cli.door import run

EVIL = "\x1b[2J\x1b]0;owned\x07\x9b31m\x7f\u202ex\u2066"
ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
COMMANDS = [
    ["sessions", "list", "--all"],
    ["sessions", "show", "{}"],
    ["sessions", "spine", "{}"],
    ["sessions", "messages", "{}"],
    ["sessions", "signals", "{}"],
    ["sessions", "open", "{}", "L2"],
    ["sessions", "fork-tree", "{}"],
    ["sessions", "compactions", "{}"],
    ["handoff", "{}", "--fresh"],
    ["verify", "brief.md"],
    ["packet", "show", "escape"],
    ["loop", "list"],
    ["doctor"],
    ["no such verb"],
]


@pytest.fixture
def poisoned(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Transcript:
    """A session of this project with escape sequences wherever a session can hold a text or a name."""
    (tmp_path / f"shop{EVIL}").mkdir()
    monkeypatch.chdir(tmp_path)
    name = "5e551011-0000-4000-8000-000000000001.jsonl"
    talk = Transcript(home / ".claude" / "projects" / "-home-dev-shop" / name)
    at = {"gitBranch": f"fix{EVIL}", "cwd": str(tmp_path / f"shop{EVIL}"), "version": f"2{EVIL}"}
    talk.note(type="ai-title", aiTitle=f"Export{EVIL}")
    talk.user(f"No, that is wrong{EVIL}: never touch the writer.", **at)
    talk.agent(f"The root cause is the reader{EVIL}.", **at)
    talk.call("w1", "Write", file_path=f"/home/dev/shop/a{EVIL}.py", content="x")
    talk.result("w1", "File created", result={"type": "create", "filePath": f"/home/dev/shop/a{EVIL}.py"})
    talk.call("b1", f"Bash{EVIL}", command=f"make {EVIL}")
    talk.result("b1", f"Exit code 1\n{EVIL}", error=True)
    talk.call("c1", "Bash", command="git commit -m x")
    talk.result("c1", f"[main 1a2b3c4] Close it{EVIL}\n 1 file changed, 1 insertion(+)")
    talk.user(f"And what of the lock{EVIL}?", **at)
    return talk


@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_character_of_a_transcript_acts_in_what_a_command_prints(
    poisoned: Transcript, words: list[str], as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    headings = "".join(f"## {one}\n" for one in ("Convergence", "Dead-ends", "Code-state"))
    Path("brief.md").write_text(f"{headings}- {EVIL} (`file:{EVIL}`)\n\n## Sources\n- `transcript` `/{EVIL}`\n")
    run([*(word.format(poisoned.path) for word in words), *(["--json"] if as_json else [])])
    done = capsys.readouterr()
    assert done.out + done.err
    assert ACTS.findall(done.out + done.err) == []
    if as_json and done.out:
        json.loads(done.out)


def test_json_gives_back_the_very_characters(poisoned: Transcript, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sessions", "messages", str(poisoned.path), "--json"]) == 0
    assert any(EVIL in message["text"] for message in json.loads(capsys.readouterr().out))
