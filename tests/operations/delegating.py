"""A session whose work is done by subagents with transcripts of their own."""

from pathlib import Path

from tests.harnesses.claude_code.conftest import Transcript

SESSION = "5e551011-0000-4000-8000-000000000001"
TREE = "/home/dev/shop/.claude/worktrees/agent-tides"


def write_session(folder: Path, *, work: bool = True) -> Path:
    """A session that edits nothing itself; two subagents write a document each and commit it in worktrees."""
    path = folder / f"{SESSION}.jsonl"
    talk = Transcript(path)
    talk.user("Let one agent describe the tides and another one the quays.")
    for name in ("tides", "quays"):
        talk.call(f"call-{name}", "Agent", prompt=f"Describe the {name}", description=name)
        talk.result(f"call-{name}", [{"type": "text", "text": f"The {name} are described."}], result={"agentId": name})
    talk.agent("Both documents are there.")
    for number, name in enumerate(("tides", "quays") if work else ()):
        aside = Transcript(folder / SESSION / "subagents" / f"agent-{name}.jsonl")
        here = {"isSidechain": True, "agentId": name, "cwd": TREE.replace("tides", name)}
        at = aside.user(f"Describe the {name}", parent=None, **here)
        steps = [
            ("Write", {"file_path": f"{here['cwd']}/docs/{name}.md", "content": "x"}, "File created successfully"),
            ("Bash", {"command": f"git commit -m 'Describe {name}'"}, f"[{name} {number}a2b3c4] Describe the {name}"),
        ]
        for step, (tool, given, printed) in enumerate(steps):
            call = {"type": "tool_use", "id": f"{name}{step}", "name": tool, "input": given}
            at = aside.agent(call, parent=at, **here)
            at = aside.result(f"{name}{step}", printed, parent=at, **here)
    return path
