"""`thruline bench` runs the benches of a checkout, and says where they are when there is none."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import thruline
from tests.clients.model import SHARED
from tests.engines.loopback import Asked, Server
from thruline.cli.door import run

PROGRAM = str(Path(sys.executable).parent / "thruline")


def bench(*words: str, **env: str) -> "subprocess.CompletedProcess[str]":
    given = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | env
    return subprocess.run([PROGRAM, "bench", *words], env=given, capture_output=True, text=True, check=False)


def test_an_unknown_bench_is_told_with_those_that_there_are() -> None:
    done = bench("nonsense", "--quick")
    assert done.returncode == 2
    assert "engines" in done.stderr


def test_without_the_source_it_says_where_the_benches_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(thruline, "__file__", str(tmp_path / "a" / "b" / "thruline" / "__init__.py"))
    assert run(["bench", "--quick"]) == 1
    assert "clone the repository" in capsys.readouterr().err


@pytest.mark.shared
def test_an_engine_is_scored_beside_the_rules_with_what_it_spent() -> None:
    def answer(asked: Asked) -> dict[str, object]:
        return {"section": asked.section, "content": "Nothing to add.", "pointers": []}

    assert SHARED.is_dir(), "needs ../shared beside the project"
    server = Server(answer)
    try:
        done = bench("brief", "--quick", "--engine", "api:local/small", THRULINE_MODELS_BASE_URL=server.url + "/v1",
                     THRULINE_MODELS_DAILY_TOKENS="0")  # fmt: skip
    finally:
        server.close()
    assert done.returncode == 0, done.stderr
    assert "api:local/small, 1,000 tokens: probes missed (of 109; " in done.stdout
    assert "tokens a session" in done.stdout
    assert "api:<model>: not run" not in done.stdout
    assert "agent: not run" in done.stdout
    assert len(json.dumps([asked.body for asked in server.requests])) > 10_000
