"""Another version of ours was, or is, installed."""

from pathlib import Path

import pytest

from tests.cli.install.homes import CLAUDE
from tests.cli.kept import ask
from thruline.layout import find_user_paths
from thruline.operations.install.record import read_record
from thruline.operations.install.stale import _order


def test_after_an_upgrade_the_next_command_writes_the_stub_and_the_commands_anew(
    clients: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(capsys, "install", "--yes")
    user = find_user_paths()
    settings = (clients / CLAUDE).read_bytes()
    now = Path(user.hook_entry).read_text()
    older = now.replace("# Written by thruline ", "# Written by thruline 0.0.").replace(
        "sys.path.append('", "sys.path.append('/gone"
    )
    Path(user.hook_entry).write_text(older)
    command = Path(user.plugin) / "claude-code" / "thruline" / "commands" / "verify.md"
    was = command.read_text()
    command.write_text("older")
    ask(capsys, "config", "list")
    assert Path(user.hook_entry).read_text() == now
    assert command.read_text() == was
    assert (clients / CLAUDE).read_bytes() == settings
    assert read_record(user).settings


def test_a_newer_version_is_not_written_over(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(capsys, "install", "--yes")
    stub = Path(find_user_paths().hook_entry)
    newer = stub.read_text().replace("# Written by thruline ", "# Written by thruline 999.")
    stub.write_text(newer)
    ask(capsys, "config", "list")
    assert stub.read_text() == newer


@pytest.mark.parametrize(("older", "newer"), [("0.3.0rc1", "0.3.0"), ("0.9", "0.10"), ("1.2", "1.2.1"), ("", "0.1")])
def test_versions_are_ordered_as_people_read_them(older: str, newer: str) -> None:
    assert _order(older) < _order(newer)
