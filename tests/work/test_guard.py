"""What one event or one step cannot do, and everything else that goes on."""

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from tests.work.shop import CORRECTION, FIRST, HARNESS, NOBODY, SECOND, THIRD, Shop
from thruline.artifacts.sessions_log import STARTED
from thruline.operations.doctor.surroundings import Surroundings
from thruline.operations.doctor.worker import check_worker
from thruline.operations.work import fold
from thruline.operations.work.event import Event, find_names

ME = os.getpid()
FUZZED = 10_000
NASTY = [
    "\ud800x",
    "/etc/\ud800x",
    "/etc/\0x",
    "\udc80",
    "a" * 5000,
    "../" * 60 + "etc",
    "~/x",
    "",
    "\n",
    "x\u2028y",
    ".",
]
NUMBERS = [0, -1, 1e14, 1e300, float("inf"), float("nan"), 2**63, 10**14, True, None, "7", 3.5]
KINDS = [*fold._TAKERS, "prompt", "subagent_end", "nothing known"]


def diagnose(shop: Shop) -> Any:
    return check_worker(Surroundings(str(shop.root), dict(os.environ)))


@pytest.mark.parametrize("field", ["files", "cwd", "transcript", "said", "summary", "source", "fork_id"])
def test_whatever_a_client_says_the_events_around_it_are_taken_in(shop: Shop, field: str) -> None:
    shop.put()
    shop.spool("session_start", source="startup", pid=ME)
    for text in NASTY:
        odd: Any = [[text, "edited"]] if field == "files" else text
        shop.spool("tool_done", SECOND, **{field: odd})
        shop.spool("after_compact", SECOND, **{field: odd})
    shop.spool("turn_end", pid=ME)
    shop.work()
    assert os.listdir(shop.hooks.spool) == []
    envelope = shop.resume()
    assert envelope is not None
    assert CORRECTION in envelope["text"]


def test_ten_thousand_fuzzed_events_leave_an_empty_spool_and_a_session_after_them_is_told(shop: Shop) -> None:
    chance = random.Random(7)
    shop.put()
    for number in range(FUZZED):
        row = build_row(chance, number, shop)
        folder = Path(shop.hooks.spool)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number:020d}-1.json").write_text(json.dumps(row) + "\n")
    shop.work()
    assert os.listdir(shop.hooks.spool) == []
    assert shop.state.parked == []
    assert find_names(os.path.join(shop.hooks.work, "unfit")) == []
    shop.run_session(THIRD, pid=ME)
    envelope = shop.resume()
    assert envelope is not None
    assert CORRECTION in envelope["text"]


def build_row(chance: random.Random, number: int, shop: Shop) -> dict[str, Any]:
    """A row that is nearly an event: every field may be odd."""
    row: dict[str, Any] = {"schema": 1, "harness": HARNESS, "session": chance.choice([FIRST, SECOND]), "at": number}
    row |= {"event": chance.choice(KINDS), "root": str(shop.root), "cwd": str(shop.root), "pid": NOBODY}
    for _ in range(chance.randrange(4)):
        key = chance.choice([field for field in Event.__dataclass_fields__ if field != "name"])
        text = chance.choice(NASTY)
        odd: list[Any] = [text, chance.choice(NUMBERS), [text], {text: 1}, [[text, "edited"], ["a.py", "created"], [1]]]
        row[key] = chance.choice(odd)
    if isinstance(row.get("said"), str):
        del row["said"]  # a turn waits a second for words that will never be in its transcript
    return row


@pytest.mark.parametrize("session", ["7", "a..b.c", "ends.", "nul1.", "\u0661\u0662\u0663\u0664\u0665"])
def test_a_session_that_no_hook_would_name_a_file_after_is_none_for_the_worker(shop: Shop, session: str) -> None:
    shop.spool("turn_end", session)
    shop.work()
    assert shop.state.sessions == {}
    assert len(find_names(os.path.join(shop.hooks.work, "bad"))) == 1


def test_an_event_that_cannot_be_taken_in_is_parked_told_at_once_and_tried_again(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("a bug of ours")

    with monkeypatch.context() as broken:
        broken.setitem(fold._TAKERS, "tool_done", fail)
        shop.put()
        shop.spool("session_start", source="startup", pid=ME)
        name = shop.spool("tool_done", pid=ME, files=[["a.py", "edited"]])
        shop.spool("turn_end", pid=ME)
        shop.work()
        assert os.listdir(shop.hooks.spool) == []
        assert find_names(os.path.join(shop.hooks.work, "unfit")) == [name]
        assert shop.resume() is not None
        (found,) = diagnose(shop)
        assert found.finding.state == "broken"
        assert "1 event could not be taken in" in found.finding.what
        found.repair()
        assert find_names(os.path.join(shop.hooks.work, "unfit")) == [name]  # still so: nothing is lost by trying
    (found,) = diagnose(shop)
    found.repair()
    assert [row["file_path"] for row in shop.rows("relevant-files.jsonl")] == ["a.py"]
    assert [each.finding.state for each in diagnose(shop)] == ["ok"]
    assert len([row for row in shop.rows("sessions.jsonl") if row["event"] == STARTED]) == 1


@pytest.mark.parametrize("kind", ["link", "file"])
def test_handoffs_that_cannot_be_put_away_keep_no_session_from_its_notes(
    marked: Shop, tmp_path: Path, kind: str
) -> None:
    marked.run_session(pid=ME)
    seen = Path(marked.project.handoffs, "seen")
    (tmp_path / "outside").mkdir()
    if kind == "link":
        seen.symlink_to(tmp_path / "outside")
    else:
        seen.write_text("mine")
    told = marked.tell(marked.hooks.build_resume(HARNESS), SECOND)
    marked.spool("session_start", SECOND, source="startup", pid=ME, told=[told])
    marked.work()
    marked.run_session(THIRD, pid=ME)
    envelope = marked.resume()
    assert envelope is not None
    assert envelope["from"] == THIRD
    assert [each.job for each in marked.state.parked] == ["seen"]
    (found,) = diagnose(marked)
    assert found.finding.state == "broken"
    assert "Putting away handoffs" in found.finding.what
    seen.unlink()
    found.repair()
    assert [each.finding.state for each in diagnose(marked)] == ["ok"]
    assert len(marked.handoffs("seen")) == 1
    assert list((tmp_path / "outside").iterdir()) == []
