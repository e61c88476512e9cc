"""Commands that are in the table for one test."""

import sys
import types
from collections.abc import Callable

import pytest

from thruline.cli.command import command, command_group
from thruline.cli.table import COMMANDS


@pytest.fixture
def declare(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Puts a command named `sample`, and one named `group sample`, into the table."""

    def add(action: Callable[[], object]) -> None:
        def sample(as_json: bool) -> object:
            return action()

        def sample_below(as_json: bool) -> object:
            return action()

        group = command_group("group", help="Hold a sample.", example="thruline group sample")
        command("sample", help="Do it.", example="thruline group sample", group=group)(sample_below)
        for name, made in (
            ("sample", command("sample", help="Do it.", example="thruline sample")(sample)),
            ("group", group),
        ):
            module = types.ModuleType(f"sample_{name}")
            module.command = made  # type: ignore[attr-defined]
            monkeypatch.setitem(sys.modules, module.__name__, module)
            monkeypatch.setitem(COMMANDS, name, (module.__name__, "Do it."))

    return add
