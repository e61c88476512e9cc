"""How these tests ask for a proof."""

import json

import pytest

from thruline.cli.door import run

SESSION = "5e551011-0000-4000-8000-000000000001"
# What is said of the brief of `conftest`, whose three claims a model might have written.
IN_OTHER_WORDS = (
    "3 claims are in words of `agent`: names, places and quotations in them were checked, not what they mean"
)


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, object]]:
    capsys.readouterr()
    code = run(["verify", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)
