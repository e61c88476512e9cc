"""A session, its project, and a brief of both."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.verify.asking import SESSION
from tests.harnesses.claude_code.conftest import Transcript
from thruline.operations.handoff.finalize import finalize
from thruline.operations.sessions.locate import locate


@pytest.fixture
def talk(home: Path) -> Transcript:
    """A short session in the client's own folder."""
    transcript = Transcript(home / ".claude" / "projects" / "-home-dev-shop" / f"{SESSION}.jsonl", SESSION)
    transcript.user("Please fix the export.")
    transcript.agent("I will add a pause between the batches.")
    transcript.user("No, don't add a pause. Look at the cursor.")
    transcript.agent("The cursor was inclusive; every page began with the last row of the one before.")
    return transcript


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit and one file, and the working folder."""
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "export.py").write_text("def export(rows):\n    return rows\n")
    who = ["-c", "user.name=t", "-c", "user.email=t@t"]
    for arguments in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "Add the export"]):
        subprocess.run(["git", *arguments], cwd=folder, check=True)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def brief(talk: Transcript, project: Path, tmp_path: Path) -> Path:
    """A brief of three sections and nothing else."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=project, check=True, capture_output=True, text=True)
    sections = tmp_path / "sections"
    sections.mkdir()
    contents = {
        "convergence": "- Pages overlapped since the cursor was inclusive (`transcript:L4`).",
        "dead_ends": '- A pause. > "No, don\'t add a pause." (`transcript:L3`)',
        "code_state": f"- Exported by one function (`file:export.py:export`, `commit:{commit.stdout[:10]}`)",
    }
    for name, content in contents.items():
        (sections / f"{name}.json").write_text(json.dumps({"section": name, "content": content, "pointers": []}))
    located = locate(str(talk.path), folder=str(project))
    path = tmp_path / "brief.md"
    path.write_text(finalize(located, str(sections), root=str(project)).rendered.text)
    return path
