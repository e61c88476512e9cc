"""What git prints when it pushes, read from git itself."""

import subprocess
from pathlib import Path

import pytest

from thruline.session.commands import parse_pushed
from thruline.session.runs import find_asked, may_push


def git(folder: Path, *words: str) -> str:
    """Everything that git prints."""
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"]
    ran = subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True, check=False)
    return ran.stdout + ran.stderr


@pytest.fixture
def ferry(tmp_path: Path) -> Path:
    """A repository with a commit on `tides`, and an empty one that it pushes to."""
    git(tmp_path, "init", "-q", "--bare", "quay.git")
    git(tmp_path, "clone", "-q", str(tmp_path / "quay.git"), "ferry")
    git(tmp_path / "ferry", "checkout", "-q", "-b", "tides")
    git(tmp_path / "ferry", "commit", "-q", "--allow-empty", "-m", "one")
    return tmp_path / "ferry"


def test_what_was_sent_what_was_there_and_what_was_refused_are_told_apart(ferry: Path) -> None:
    assert parse_pushed(git(ferry, "push", "-u", "origin", "tides")) == (("tides", "sent"),)
    assert parse_pushed(git(ferry, "push")) == (("", "current"),)
    git(ferry, "tag", "v1")
    assert parse_pushed(git(ferry, "push", "origin", "v1")) == (("v1", "tag"),)
    git(ferry, "commit", "-q", "--allow-empty", "-m", "two")
    assert parse_pushed(git(ferry, "push", "origin", "HEAD")) == (("HEAD", "sent"),)
    git(ferry, "commit", "-q", "--allow-empty", "--amend", "-m", "other")
    refused = parse_pushed(git(ferry, "push"))
    assert refused[0] == ("tides", "refused")
    assert {how for _, how in refused} == {"refused"}
    assert parse_pushed(git(ferry, "push", "--force")) == (("tides", "sent"),)
    assert parse_pushed(git(ferry, "push", "nowhere", "tides"))[0] == ("", "refused")
    assert parse_pushed(git(ferry, "push", "-q")) == ()


@pytest.mark.parametrize(
    ("command", "folder"),
    [
        ("git push", ""),
        ("cd ferry && git push", "ferry"),
        ("cd ferry && cd ../quay && git push", "quay"),
        ("git -C /srv/ferry push", "/srv/ferry"),
        ("cd /srv && git -C ferry push", "/srv/ferry"),
        ("git -c http.proxy=x -C ferry push", "ferry"),
        ('cd "$HOME/ferry" && git push', "?"),
        ("cd - && git push", "?"),
        ("git commit -m 'cd ferry' && git push", ""),
    ],
)
def test_where_git_runs_is_told_by_the_command_line(command: str, folder: str) -> None:
    assert [step.folder for step in find_asked(command, "git")][-1] == folder
    assert may_push(command)
