"""The user's folders."""

from pathlib import Path

import pytest

from thruline import layout
from thruline.errors import NotFound, UsageError


@pytest.mark.parametrize(
    ("platform", "env", "expected"),
    [
        ("linux", {}, "/h/.local/state/thruline"),
        ("linux", {"XDG_STATE_HOME": "/x/"}, "/x/thruline"),
        ("linux", {"XDG_STATE_HOME": "relative"}, "/h/.local/state/thruline"),
        ("linux", {"XDG_STATE_HOME": ""}, "/h/.local/state/thruline"),
        ("linux", {"THRULINE_HOME": "/t", "XDG_STATE_HOME": "/x"}, "/t"),
        ("freebsd14", {}, "/h/.local/state/thruline"),
        ("darwin", {}, "/h/Library/Application Support/thruline"),
        ("darwin", {"XDG_STATE_HOME": "/x"}, "/x/thruline"),
        ("darwin", {"XDG_STATE_HOME": "relative"}, "/h/Library/Application Support/thruline"),
        ("darwin", {"THRULINE_HOME": "/t"}, "/t"),
        ("win32", {"LOCALAPPDATA": "C:\\U\\AppData\\Local"}, "C:\\U\\AppData\\Local\\thruline"),
        ("win32", {}, "/h\\AppData\\Local\\thruline"),
        ("win32", {"XDG_STATE_HOME": "/x"}, "/h\\AppData\\Local\\thruline"),
        ("win32", {"THRULINE_HOME": "D:\\t"}, "D:\\t"),
    ],
)
def test_the_state_folder_follows_the_customs_of_each_platform(
    platform: str, env: dict[str, str], expected: str
) -> None:
    assert layout.build_state_dir(platform, env, "/h") == expected


@pytest.mark.parametrize(
    ("platform", "env", "expected"),
    [
        ("linux", {}, "/h/.config/thruline"),
        ("linux", {"XDG_CONFIG_HOME": "/x"}, "/x/thruline"),
        ("linux", {"XDG_CONFIG_HOME": "relative"}, "/h/.config/thruline"),
        ("linux", {"THRULINE_HOME": "/t"}, "/h/.config/thruline"),
        ("darwin", {}, "/h/.config/thruline"),
        ("win32", {"APPDATA": "C:\\R"}, "C:\\R\\thruline"),
        ("win32", {}, "/h\\AppData\\Roaming\\thruline"),
    ],
)
def test_the_config_folder_follows_the_customs_of_each_platform(
    platform: str, env: dict[str, str], expected: str
) -> None:
    assert layout.build_config_dir(platform, env, "/h") == expected


def test_this_users_folders_come_from_the_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    paths = layout.find_user_paths()
    assert paths.state == str(home / ".local/state/thruline")
    assert paths.config_file == str(home / ".config/thruline/config.toml")
    monkeypatch.setenv("THRULINE_HOME", str(home / "t"))
    assert layout.find_user_paths().ark == str(home / "t" / "ark")


def test_a_relative_thruline_home_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THRULINE_HOME", "here")
    with pytest.raises(UsageError, match="THRULINE_HOME"):
        layout.find_state_dir()


def test_an_unknown_home_is_told_instead_of_making_a_folder_named_tilde(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    for find in (layout.find_state_dir, layout.find_config_dir):
        with pytest.raises(NotFound, match="home"):
            find()


def test_an_empty_home_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "")
    for find in (layout.find_state_dir, layout.find_config_dir):
        with pytest.raises(NotFound, match="no home folder"):
            find()
