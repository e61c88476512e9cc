"""Settings that are broken, odd or taken: left as they are, and told."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.install.homes import CLAUDE, CODEX, read_tree
from tests.cli.kept import ask
from thruline.cli.door import run
from thruline.layout import find_user_paths


@pytest.mark.parametrize("broken", [b'{"hooks": ', b"[]", b'{"hooks": []}', b'{"hooks": {"Stop": {}}}', b"\xff\xfe{\0"])
def test_what_cannot_be_parsed_is_refused_and_nothing_is_written(
    clients: Path, broken: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (clients / CLAUDE).write_bytes(broken)
    tree = read_tree(clients)
    assert "settings.json" in ask(capsys, "install", "--yes", code=1)
    assert read_tree(clients) == tree
    assert not os.path.exists(find_user_paths().hook)


def test_settings_that_broke_since_are_left_alone_and_told(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(capsys, "install", "--yes")
    (clients / CLAUDE).write_text("{")
    assert "left alone" in ask(capsys, "uninstall", "--yes")
    assert (clients / CLAUDE).read_text() == "{"
    assert not (clients / CODEX).exists()
    assert os.path.exists(find_user_paths().hook_entry)  # those settings may still name it


TAKEN = [
    '{"hooks": {"Stop": null}}',
    '{\n  "enabledPlugins": {\n    "thruline@thruline": false\n  }\n}\n',
    '{"extraKnownMarketplaces": {"thruline": {"source": {"source": "github", "repo": "x/y"}}}}',
]


@pytest.mark.parametrize("text", TAKEN)
def test_what_somebody_else_has_set_stays_and_comes_back(
    clients: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    path = clients / ".claude" / "settings.json"
    path.write_text(text)
    ask(capsys, "install", "--yes")
    value, theirs = json.loads(path.read_text()), json.loads(text)
    for key in ("enabledPlugins", "extraKnownMarketplaces"):
        for name, setting in theirs.get(key, {}).items():
            assert value[key][name] == setting
    assert value["hooks"]["Stop"]
    ask(capsys, "uninstall", "--yes")
    assert path.read_text() == text


@pytest.mark.parametrize(
    "text", ['{"enabledPlugins": null}', '{"a": %s}' % ("9" * 5000), '{"hooks": {"Stop": [null, 5]}}']
)
def test_odd_settings_are_no_bug(clients: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    path = clients / ".claude" / "settings.json"
    path.write_text(text)
    (clients / ".codex" / "config.toml").write_text("features = 1\nhooks = 'x'\n")
    assert run(["install", "--yes"]) in (0, 1)
    assert run(["doctor"]) in (0, 1)
    assert run(["uninstall", "--yes"]) in (0, 1)
    assert "bug" not in "".join(capsys.readouterr())
    assert path.read_text() == text


def test_a_pipe_in_place_of_settings_is_refused_at_once(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(clients / ".claude" / "settings.json")
    assert run(["install", "--yes", "--harness", "claude-code"]) == 1
    assert "settings.json" in capsys.readouterr().err
