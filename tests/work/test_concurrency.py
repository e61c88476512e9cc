"""Many hooks and workers at once: one worker works, and every event counts once."""

import os
import subprocess
import sys
from pathlib import Path

from tests.work.shop import Shop

WRITERS, EVENTS = 6, 25
HOOK = """
import os, sys
from pathlib import Path
from tests.work.shop import Shop
shop = Shop(Path(sys.argv[1]), Path(os.environ["HOME"]), marked=True)
for number in range(int(sys.argv[3])):
    shop.spool("tool_done", files=[[str(shop.root / f"{sys.argv[2]}-{number}.py"), "edited"]])
    if number % 5 == 4:
        shop.work()
"""


def test_every_event_of_many_writers_is_taken_in_once(tmp_path: Path, home: Path) -> None:
    shop = Shop(tmp_path, home, marked=True)
    paths = os.pathsep.join(sys.path)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", HOOK, str(tmp_path), str(number), str(EVENTS)],
            env={**os.environ, "PYTHONPATH": paths},
        )
        for number in range(WRITERS)
    ]
    assert [writer.wait() for writer in writers] == [0] * WRITERS
    shop.work()
    rows = shop.rows("relevant-files.jsonl")
    assert sorted(str(row["file_path"]) for row in rows) == sorted(
        f"{writer}-{number}.py" for writer in range(WRITERS) for number in range(EVENTS)
    )
    assert os.listdir(shop.hooks.spool) == []
    assert shop.state.parked == []
