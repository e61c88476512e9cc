"""The scripted model servers of ../shared/rig, each as a process of its own on loopback.

They are not ours to copy: they were written beside the facts, and the facts change with them.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[3] / "shared"
MESSAGES = SHARED / "rig" / "claude" / "stub_anthropic.py"
RESPONSES = SHARED / "rig" / "stub" / "stub_model.py"
PATIENCE = 15.0

Turn = dict[str, Any]


class Model:
    """A server that hands out scripted turns in order and logs every request."""

    def __init__(self, server: Path, turns: list[Turn], folder: Path) -> None:
        folder.mkdir(parents=True)
        self.log = folder / "requests.jsonl"
        script = folder / "script.json"
        script.write_text(json.dumps({"turns": turns}), encoding="utf-8")
        said = folder / "said.txt"
        arguments = ["--scenario", str(script)] if server == MESSAGES else [str(script)]
        with said.open("w", encoding="utf-8") as output:
            self._process = subprocess.Popen(
                [sys.executable, str(server), *arguments, "--log", str(self.log)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self.url = self._wait_for_url(said)

    def _wait_for_url(self, said: Path) -> str:
        deadline = time.monotonic() + PATIENCE
        while True:
            words = said.read_text(encoding="utf-8")
            if words.endswith("\n") and "http://127.0.0.1:" in words:
                return words.split()[-1]
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"the model server did not start: {words}")
            time.sleep(0.02)

    def records(self) -> list[dict[str, Any]]:
        """Everything logged so far, in the server's own form."""
        if not self.log.exists():
            return []
        written = self.log.read_text(encoding="utf-8")
        return [json.loads(line) for line in written[: written.rfind("\n") + 1].splitlines()]  # it may be writing one

    def stop(self) -> None:
        """Ends the server."""
        self._process.terminate()
        self._process.wait(PATIENCE)
