"""A model's words name nothing that neither the session nor the project knows, wherever in a claim the name stands."""

import subprocess
from pathlib import Path

import pytest

from tests.harnesses.claude_code.conftest import Transcript
from tests.operations.finalizing import answer, make, write
from thruline.brief.section import UNSOURCED
from thruline.operations.verify import verify_file


@pytest.fixture
def talk(tmp_path: Path) -> Transcript:
    """A session that edited one file, read another, ran its tests twice, and committed once."""
    made = Transcript(tmp_path / "t" / "5e551011-0000-4000-8000-000000000001.jsonl")
    subprocess.run(["git", "init", "-q", str(tmp_path / "shop")], check=True)
    made.user(
        "Orders are written twice, see notes/old.md. The build of yesterday was 0badc0de.", cwd=str(tmp_path / "shop")
    )
    calls = [
        ("Read", {"file_path": f"{tmp_path}/shop/src/reader.py"}, "1\tx", False),
        ("Edit", {"file_path": f"{tmp_path}/shop/src/exporter.py", "old_string": "a", "new_string": "b"}, "ok", False),
        ("Bash", {"command": "make lint"}, "Exit code 2", True),
        ("Bash", {"command": "cd src && python3 -m pytest -q tests/"}, "2 passed", False),
        ("Bash", {"command": "git commit -am 'Close the cursor'"}, "[main 1a2b3c4] Close the cursor\n 1 file", False),
    ]
    for number, (tool, given, output, failed) in enumerate(calls):
        made.agent({"type": "tool_use", "id": f"t{number}", "name": tool, "input": given})
        made.user([{"type": "tool_result", "tool_use_id": f"t{number}", "content": output, "is_error": failed}])
    made.agent("The cursor was inclusive. It is exclusive now.")
    return made


def finalized(talk: Transcript, folder: Path, claim: str) -> str:
    content = answer("code_state", f"- {claim} (`transcript:L2`)")
    return make(talk, write(folder, {"code_state": content}), {}).rendered.text


INVENTED = [
    "Changed `prod.py` so it retries",
    "`prod.py` was created",
    "The file prod.py was edited, and src/prod.py too",
    "I edited `prod.py`",
    "edited the file `prod.py`",
    "The retry lives in `src/prod.py:120` now",
    "Two files, `src/exporter.py` and `src/prod.py`, hold the fix",
    "A commit `deadbeef` fixed the export",
    "Committed as `deadbeef`",
    "The fix is in `0badc0de`, a commit of today",
    "`deadbee` closed the cursor",
    "Ran `make deploy` and it worked",
    "`make deploy` was run at the end",
    "The agent ran `make lint`, which passed",
    "Deployed to production with `make deploy`",
    "After that `npm test` passed",
    "All 500 tests pass with `pytest -x`",
    "The session pushed to main",
    "The commit was pushed",
    "Pushed to `main` at the end",
    "The work was then force-pushed",
    "`make lint` passed at the end",
]


@pytest.mark.parametrize("claim", INVENTED)
def test_a_claim_about_what_nobody_knows_is_marked_and_verify_tells_one_that_is_not(
    talk: Transcript, tmp_path: Path, claim: str
) -> None:
    text = finalized(talk, tmp_path / "s", claim)
    line = next(line for line in text.splitlines() if claim[:12] in line)
    assert line.endswith(UNSOURCED)
    # A hand that takes the mark away is found out.
    brief = tmp_path / "brief.md"
    brief.write_text(text)
    assert verify_file(str(brief), folder=str(tmp_path)).ok
    brief.write_text(text.replace(line, line.replace(UNSOURCED, "(`transcript:L2`)")))
    checked = verify_file(str(brief), folder=str(tmp_path), fix=True)
    assert {trouble.kind for trouble in checked.report.troubles} == {"untrue"}
    assert verify_file(str(brief), folder=str(tmp_path)).ok


KNOWN = [
    "Changed `src/exporter.py` so it reads each page once",
    "The cursor is made in `exporter.py`, read in `reader.py:1`",
    "`Exporter.run` calls `os.path.join`, and `self.rows` holds them",
    "`notes/old.md` tells of it, as the user said",
    "The page `docs/usage.md` is there already",
    "The fix is the commit `1a2b3c4`",
    "It is made in exporter.py. Node.js 18, example.org and v1.2.md5 have no part in it, e.g. not in it",
    "`1a2b3c4d5e6f` has the fix",
    "What was built is called `0badc0de` now",
    "Ran `pytest -q` and it passed",
    "`python3 -m pytest` passed, `make lint` failed",
    "`make deploy` was not run",
    "Whether `make deploy` was run is not known",
    "`make deploy` is still not run",
    "The work is not pushed",
    "The rows were pushed to a queue that nobody reads",
    "Nothing was pushed to main",
    "`application/json` is what it answers, `tests/*.py` hold the cases",
    "The export failed with `ENOENT`",
    "`parse_rows` returned `None` for an empty page",
    "`test_export_order` failed until the cursor was closed",
    "`client.get` returned 429 under load",
    "`Exporter` completed twice",
    "`job 7` finished twice, and `worker 3` failed",
    "`exporter` worked only with a cookie",
    "All requests pass with `verify=False`",
    "`python 3.12` passed, and the build failed with `npm ERR! code ELIFECYCLE`",
    "`python -m pytest tests/ -q` passed",
    "`make lint` failed before the fix worked",
    "The user ran `make deploy` on the server",
    "CI ran `make release` and passed",
    "The fix pushed the latency to 30 ms",
    "Work is pushed to a queue",
    "The commit pushed the limit up, and events are pushed to the main thread",
    "Images are pushed to GitHub by the pipeline",
    "It is built on `Next.js`, and `three.js` draws it",
    "The branch is `feature/login/v2`, the route `/api/v2/orders`",
    "`process.env` and `self.log` hold it, console.log is gone, and `response.json` was empty",
    "The batch is committed after `5000` rows of the `feed`, the id is `12345678`",
    "The page is `/orders`, the colour `#ff00ff`, the limit `10_000`",
]


@pytest.mark.parametrize("claim", KNOWN)
def test_a_claim_about_what_the_session_or_the_project_knows_stands_with_its_place(
    talk: Transcript, tmp_path: Path, claim: str
) -> None:
    (tmp_path / "shop" / "docs").mkdir()
    (tmp_path / "shop" / "docs" / "usage.md").write_text("usage\n")
    text = finalized(talk, tmp_path / "s", claim)
    assert f"- {claim} (`transcript:L2`)" in text
    brief = tmp_path / "brief.md"
    brief.write_text(text)
    assert verify_file(str(brief), folder=str(tmp_path)).ok


def test_what_a_subagent_touched_and_ran_is_known(talk: Transcript, tmp_path: Path) -> None:
    side = Transcript(talk.path.with_suffix("") / "subagents" / "agent-a1.jsonl")
    given = {"file_path": f"{tmp_path}/shop/src/aside.py", "old_string": "a", "new_string": "b"}
    use = {"type": "tool_use", "id": "s1", "name": "Edit", "input": given}
    side.user("Do it.", isSidechain=True, agentId="a1")
    side.agent(use, isSidechain=True, agentId="a1")
    result = {"type": "tool_result", "tool_use_id": "s1", "content": "ok"}
    side.user([result], isSidechain=True, agentId="a1")
    claim = "A subagent changed `src/aside.py`"
    assert f"- {claim} (`transcript:L2`)" in finalized(talk, tmp_path / "s", claim)
