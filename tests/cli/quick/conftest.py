"""A machine with sessions for both lanes to answer from."""

import os
import time
from pathlib import Path

import pytest

from tests.cli.quick.lanes import KEPT, OTHER
from tests.sample import SAMPLE, SESSION
from thruline.cli import door


@pytest.fixture
def world(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sessions of this project, of another one and of another client, and one that is only in the ark."""
    here = tmp_path / "here"
    (here / "below").mkdir(parents=True)
    folder = home / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)
    text = SAMPLE.read_text()
    for number, (identity, cwd) in enumerate(((SESSION, str(here)), (OTHER, "/home/dev/caf\u00e9"), (KEPT, str(here)))):
        path = folder / f"{identity}.jsonl"
        path.write_text(text.replace("/home/dev/orders-export", cwd).replace("nightly", "nightly \u2192\\u0007"))
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    rollouts = home / ".codex" / "sessions" / "2026" / "11" / "15"
    rollouts.mkdir(parents=True)
    (rollouts / "rollout-2026-11-15T10-00-00-01a1e1a1-1b8c-7160-ad7b-4ca88adbe8a6.jsonl").write_text(
        '{"type":"session_meta","payload":{"id":"01a1e1a1-1b8c-7160-ad7b-4ca88adbe8a6","cwd":"/home/dev/app"}}\n'
    )
    monkeypatch.chdir(here)
    monkeypatch.setenv("THRULINE_ARK_ENABLED", "true")
    assert door.run(["archive", KEPT]) == 0
    monkeypatch.delenv("THRULINE_ARK_ENABLED")
    (folder / f"{KEPT}.jsonl").unlink()
    assert door.run(["sessions", "list", "--all"]) == 0
    now = time.time()
    monkeypatch.setattr("thruline.cli.sessions_list.time.time", lambda: now)
    return here
