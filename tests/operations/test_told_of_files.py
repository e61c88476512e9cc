"""From the transcript that a client writes to a brief, and to what verify says of it: stashed, moved, written, lost."""

import json
import uuid
from pathlib import Path

from thruline.operations.handoff.brief import make_brief
from thruline.operations.sessions.locate import locate
from thruline.operations.verify import verify_file

SESSION = "0b7e5c1a-6a34-4b0e-9d0f-1c2d3e4f5a6b"
HOME = "/home/dev/shop"


class Transcript:
    """A session written line by line, each record a child of the one before."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._last: str | None = None

    def add(self, kind: str, content: object, **fields: object) -> None:
        record = {"parentUuid": self._last, "isSidechain": False, "userType": "external", "cwd": HOME}
        record |= {"sessionId": SESSION, "version": "2.1.0", "gitBranch": "main", "type": kind}
        record |= {"message": {"role": kind, "content": content}, "timestamp": "2026-05-03T08:00:00.000Z"}
        self._last = str(uuid.UUID(int=len(self.lines) + 1))
        self.lines.append(json.dumps({**record, "uuid": self._last, **fields}))

    def run(self, command: str, output: str = "") -> None:
        self._use("Bash", {"command": command}, output)

    def edit(self, path: str) -> None:
        given = {"file_path": f"{HOME}/{path}", "old_string": "a", "new_string": path}
        self._use("Edit", given, "The file has been updated.")

    def _use(self, name: str, given: dict[str, str], output: str) -> None:
        use = f"toolu_{len(self.lines)}"
        self.add("assistant", [{"type": "tool_use", "id": use, "name": name, "input": given}])
        self.add("user", [{"type": "tool_result", "tool_use_id": use, "content": output}])


def write_session(folder: Path) -> Path:
    told = Transcript()
    told.add("user", "Close the cursor, and tidy the folder up.")
    told.edit("src/kept.py")
    told.run("git mv src/old.py src/new.py && ls src")
    told.run("cat > docs/notes.md <<'EOF'\nrm src/kept.py\nEOF")
    told.run("git commit -am 'Close the cursor'", "[main c1c1c1c] Close the cursor\n 1 file changed")
    told.run("git push", "To example.org:shop.git\n   b0b0b0b..c1c1c1c  main -> main")
    told.run("git commit --amend -m 'Close it once'", "[main c2c2c2c] Close it once\n 1 file changed")
    told.edit("src/aside.py")
    told.run("git stash push -m wip -- src/aside.py", "Saved working directory and index state On main: wip")
    told.run("make test 2>&1 | tail -3")
    told.add("assistant", [{"type": "text", "text": "The cursor is closed once now; the rest is laid aside."}])
    path = folder / f"{SESSION}.jsonl"
    path.write_text("\n".join(told.lines) + "\n")
    return path


def test_each_is_told_in_its_own_words_and_verify_takes_the_brief(tmp_path: Path) -> None:
    path = write_session(tmp_path)
    for budget in (1_000, 3_000):
        text = make_brief(locate(str(path), folder=str(tmp_path)), None, budget=budget).text
        for told in (
            "- edited `src/kept.py`",
            "- moved `src/old.py` to `src/new.py`",
            "- written by commands `docs/notes.md`",
            "- stashed `src/aside.py`",
            "- ⚑ verify: stashed, not taken out again: `src/aside.py`.",
            "- ⚑ verify: pushed, and gone from the branch since: `c1c1c1c`.",
        ):
            assert told in text
        assert "deleted" not in text
        assert "reverted" not in text
        brief = tmp_path / "brief.md"
        brief.write_text(text)
        assert verify_file(str(brief), folder=str(tmp_path)).report.troubles == ()


def test_a_brief_that_somebody_changed_is_refused(tmp_path: Path) -> None:
    text = make_brief(locate(str(write_session(tmp_path)), folder=str(tmp_path)), None, budget=3_000).text
    for told, changed in (
        ("- moved `src/old.py` to `src/new.py`", "- deleted `src/old.py`"),
        ("- moved `src/old.py` to `src/new.py`", "- moved `src/old.py` to `src/kept.py`"),
        ("- written by commands `docs", "- created `docs"),
        ("- stashed `src/aside.py`", "- reverted `src/aside.py`"),
        ("taken out again: `src/aside.py`", "taken out again: `src/kept.py`"),
        ("since: `c1c1c1c`", "since: `c2c2c2c`"),
    ):
        assert told in text
        brief = tmp_path / "brief.md"
        brief.write_text(text.replace(told, changed))
        assert not verify_file(str(brief), folder=str(tmp_path)).ok, changed
