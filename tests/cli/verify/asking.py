"""How these tests ask for a proof."""

import json

import pytest

from thruline.cli.door import run

SESSION = "5e551011-0000-4000-8000-000000000001"


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, object]]:
    capsys.readouterr()
    code = run(["verify", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)
