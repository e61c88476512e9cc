"""Git as a program: missing, hanging, endless or refusing, the answer is a value that says so."""

import os
import sys
import time
from pathlib import Path

import pytest

from tests.gitfacts.traced import ask_everything
from thruline import gitfacts
from thruline.gitfacts import program


def test_without_git_every_answer_says_so(repository, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    for name, answer in ask_everything(str(repository.folder)).items():
        assert isinstance(answer, gitfacts.NoAnswer), name
        assert answer.reason == gitfacts.NO_GIT


def put_git(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A git of our own in front of PATH; `$GIT` is the real one."""
    real = program.find_git(os.environ)
    folder.mkdir()
    (folder / "git").write_text(f"#!/bin/sh\nGIT={real}\n{script}\n")
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder) + os.pathsep + os.environ["PATH"])


def test_repository_of_another_user_is_a_value_with_the_reason(repository, monkeypatch, tmp_path):
    # Git's own switch for testing this; a chown would need root.
    put_git(tmp_path / "bin", 'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec "$GIT" "$@"', monkeypatch)
    for name, answer in ask_everything(str(repository.folder)).items():
        assert isinstance(answer, gitfacts.NoAnswer), name
        assert answer.reason == gitfacts.NOT_TRUSTED, name
        assert "safe.directory" in answer.detail


@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
def test_git_that_hangs_is_stopped_with_its_children(repository, monkeypatch, tmp_path):
    monkeypatch.setattr(program, "TIMEOUT", 0.3)
    put_git(tmp_path / "bin", f"sleep 60 & echo $! > {tmp_path}/child; wait", monkeypatch)
    answer = gitfacts.read_status(str(repository.folder))
    assert isinstance(answer, gitfacts.NoAnswer)
    assert answer.reason == gitfacts.TIMED_OUT
    child = int((tmp_path / "child").read_text())
    for _ in range(100):
        if not _is_alive(child):
            break
        time.sleep(0.02)
    assert not _is_alive(child)


def _is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_pipe_in_place_of_a_file_costs_the_timeout_and_no_more(repository, monkeypatch):
    monkeypatch.setattr(program, "TIMEOUT", 0.3)
    repository.write("a")
    repository.commit()
    os.mkfifo(repository.folder / "pipe")
    repository.git("config", "core.excludesFile", repository.folder / "pipe")
    answer = gitfacts.read_status(str(repository.folder))
    assert isinstance(answer, gitfacts.NoAnswer)
    assert answer.reason == gitfacts.TIMED_OUT


def test_endless_output_is_cut_off(repository, monkeypatch, tmp_path):
    monkeypatch.setattr(program, "LIMIT", 100_000)
    put_git(tmp_path / "bin", 'case "$*" in *status*) exec cat /dev/zero;; *) exec "$GIT" "$@";; esac', monkeypatch)
    answer = gitfacts.read_status(str(repository.folder))
    assert isinstance(answer, gitfacts.NoAnswer)
    assert answer.reason == gitfacts.TOO_LARGE


def test_broken_config_of_a_repository_is_a_value(repository):
    (repository.folder / ".git" / "config").write_text("[core\n")
    for answer in ask_everything(str(repository.folder)).values():
        assert isinstance(answer, gitfacts.NoAnswer)
        assert answer.reason == gitfacts.FAILED
        assert "config" in answer.detail


def test_every_question_keeps_to_the_time_it_was_given_the_second_one_it_asks_too(repository, monkeypatch):
    folder, left = str(repository.folder), []

    def fail(_folder, arguments, _overrides, _given, deadline):
        left.append((arguments[0], deadline - time.monotonic()))
        return program.Answer(0 if arguments[0] == "config" else 128, b"", "")

    monkeypatch.setattr(program, "_run", fail)
    for ask in (
        lambda: gitfacts.read_log(folder, 1, timeout=0.2),
        lambda: gitfacts.read_diff_stat(folder, timeout=0.2),
        lambda: gitfacts.read_ignored(folder, ["a"], timeout=0.2),
        lambda: gitfacts.read_version(timeout=0.2),
        lambda: gitfacts.read_status(folder, timeout=0.2),
        lambda: gitfacts.read_branch(folder, timeout=0.2),
        lambda: gitfacts.has_commit(folder, "abcd", timeout=0.2),
    ):
        assert not ask()
    assert {word for word, _ in left} >= {"log", "rev-parse", "diff-index", "check-ignore", "--version"}
    assert max(seconds for _, seconds in left) <= 0.2


def test_a_folder_where_git_cannot_be_started_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    answer = program.ask_git(str(tmp_path / "file"), ("status",))
    assert answer == gitfacts.NoAnswer(
        gitfacts.FAILED, f"git cannot be started in {tmp_path / 'file'}: not a directory"
    )
