"""A hostile repository: each of its settings names a program that leaves a canary. None may sing."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.gitfacts.traced import ask_everything
from tests.tracer import trace
from thruline import gitfacts
from thruline.gitfacts import program


class Trap:
    """A program that writes down that it was run, and then behaves well enough for git to go on."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.sung = folder / "sung"
        self.path = folder / "trap"
        self.path.write_text(f'#!/bin/sh\necho "$0 $*" >> "{self.sung}"\ntimeout 0.2 cat\nexit 0\n')
        self.path.chmod(0o755)

    def was_run(self) -> str:
        return self.sung.read_text() if self.sung.exists() else ""


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path / "trap")


HOSTILE = {
    "core.fsmonitor": "{trap}",
    "core.hooksPath": "{hooks}",
    "core.pager": "{trap}",
    "pager.status": "{trap}",
    "pager.log": "{trap}",
    "pager.config": "{trap}",
    "core.editor": "{trap}",
    "core.sshCommand": "{trap}",
    "core.gitProxy": "{trap}",
    "core.askPass": "{trap}",
    "core.alternateRefsCommand": "{trap}",
    "credential.helper": "!{trap}",
    "diff.external": "{trap}",
    "diff.hostile.command": "{trap}",
    "diff.hostile.textconv": "{trap}",
    "diff.autoRefreshIndex": "true",
    "filter.hostile.clean": "{trap}",
    "filter.hostile.smudge": "{trap}",
    "filter.hostile.required": "true",
    "filter.two words.clean": "{trap}",
    "filter.served.process": "{trap}",
    "filter.served.required": "true",
    "filter..clean": "{trap}",
    "gpg.program": "{trap}",
    "gpg.ssh.program": "{trap}",
    "gpg.ssh.defaultKeyCommand": "{trap}",
    "log.showSignature": "true",
    "alias.status": "!{trap}",
    "alias.config": "!{trap}",
    "alias.log": "!{trap}",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
    "remote.origin.url": "ext::{trap}",
    "remote.origin.promisor": "true",
    "remote.origin.partialCloneFilter": "blob:none",
    "remote.origin.uploadpack": "{trap}",
    "core.repositoryFormatVersion": "1",
    "extensions.partialClone": "origin",
    "submodule.recurse": "true",
    "status.submoduleSummary": "true",
    "diff.submodule": "log",
    "diff.ignoreSubmodules": "none",
    "submodule.dep.ignore": "none",
    "submodule.dep.update": "!{trap}",
    "core.untrackedCache": "true",
    "index.threads": "2",
}


def render_setting(key: str, value: str) -> str:
    section, _, rest = key.partition(".")
    subsection, dot, name = rest.rpartition(".")
    head = f'[{section} "{subsection}"]' if dot else f"[{section}]"
    return f'{head}\n\t{name} = "{value}"\n'


@pytest.fixture
def hostile(repository, trap: Trap, tmp_path: Path):
    """Dirty files under every kind of attribute, a submodule as hostile as its parent, a commit with a signature."""
    inner = type(repository)(tmp_path / "inner")
    inner.write("in.txt")
    inner.commit()
    repository.git("submodule", "--quiet", "add", inner, "dep")
    for name in ("a.txt", "b.two", "c.served", "d.empty"):
        repository.write(name, "one\ntwo\n")
    repository.commit()
    signed = repository.git("cat-file", "commit", "HEAD").replace(
        "\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\n", 1
    )
    made = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin"],
        input=signed + "\n",
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    )
    repository.git("update-ref", "HEAD", made.stdout.strip())
    attributes = (
        '*.txt filter=hostile diff=hostile\n*.two filter="two words"\n'
        "*.served filter=served diff=hostile\n*.empty filter=\n"
    )
    repository.write(".gitattributes", attributes)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for hook in ("post-index-change", "reference-transaction", "fsmonitor-watchman", "pre-auto-gc", "post-checkout"):
        for folder in (hooks, repository.folder / ".git" / "hooks"):
            (folder / hook).symlink_to(trap.path)
    settings = "".join(render_setting(key, value.format(trap=trap.path, hooks=hooks)) for key, value in HOSTILE.items())
    for folder in (repository.folder / ".git", repository.folder / ".git" / "modules" / "dep"):
        with open(folder / "config", "a", encoding="utf-8") as file:
            file.write(settings)
    repository.write("dep/.gitattributes", attributes)
    repository.write("dep/in.txt", "changed\n")
    # Same size, other time: git must open the files to know, and would filter them on the way.
    for name in ("a.txt", "b.two", "c.served", "d.empty"):
        repository.write(name, "one\nTWO\n")
        os.utime(repository.folder / name, (1_000_000, 1_000_000))
    repository.write("untracked.txt")
    return repository


def test_git_changes_no_file_and_starts_nothing_but_itself(hostile):
    seen = trace(ask_everything, str(hostile.folder))
    assert seen.exit == 0, seen.error
    assert seen.changes() == []
    assert set(seen.programs()) == {program.find_git(os.environ)}
    assert seen.named("socket", "connect") == []
    assert len(seen.programs()) >= 7  # the trace did see them


def list_tree(folder: Path) -> dict[str, tuple[int, int, int, int]]:
    """Everything below `folder` with inode, size, change and modification time."""
    found = {}
    for parent, names, files in os.walk(folder):
        for name in [".", *names, *files]:
            seen = os.lstat(os.path.join(parent, name))
            found[os.path.join(parent, name)] = (seen.st_ino, seen.st_size, seen.st_ctime_ns, seen.st_mtime_ns)
    return found


def test_the_traps_do_work_when_git_is_run_plainly(hostile, trap):
    hostile.git("status", "--porcelain", check=False)
    hostile.git("diff", check=False)
    hostile.git("log", "-1", check=False)
    hostile.git("cat-file", "-e", "0123456789abcdef0123456789abcdef01234567", check=False)
    assert trap.was_run().count("\n") >= 4


def test_no_program_of_the_repository_is_run(hostile, trap):
    answers = ask_everything(str(hostile.folder))
    assert trap.was_run() == ""
    status = answers["status"]
    assert isinstance(status, gitfacts.Status), status
    assert {change.path for change in status.changes} == {"a.txt", "b.two", "c.served", "d.empty"}
    assert isinstance(answers["log"], tuple)
    assert isinstance(answers["diff"], gitfacts.DiffStat), answers["diff"]
    assert answers["commit"] is False
    assert answers["committed"] == frozenset()  # all of them were asked about, and differ


def test_no_program_of_a_submodule_is_run(hostile, trap):
    ask_everything(str(hostile.folder / "dep"))
    assert trap.was_run() == ""


def test_nothing_below_dot_git_changes(hostile):
    before = list_tree(hostile.folder / ".git")
    ask_everything(str(hostile.folder))
    ask_everything(str(hostile.folder / "dep"))
    assert list_tree(hostile.folder / ".git") == before


def test_plain_status_would_have_written_the_index(repository):
    # The proof above is worth something only if there was something to write.
    repository.write("a")
    repository.commit()
    os.utime(repository.folder / "a", (1, 1))
    before = list_tree(repository.folder / ".git")
    gitfacts.read_status(str(repository.folder))
    gitfacts.read_diff_stat(str(repository.folder))
    assert list_tree(repository.folder / ".git") == before
    repository.git("status")
    assert list_tree(repository.folder / ".git") != before


def test_filter_in_an_included_file_is_switched_off_too(repository, trap, tmp_path):
    repository.write("a.txt", "1\n")
    repository.commit()
    extra = tmp_path / "extra"
    repository.git("config", "-f", extra, "filter.hidden.clean", trap.path)
    repository.git("config", "include.path", extra)
    repository.write(".git/info/attributes", "*.txt filter=hidden\n")
    repository.write("a.txt", "2\n")
    status = gitfacts.read_status(str(repository.folder))
    assert status
    assert [change.path for change in status.changes] == ["a.txt"]
    assert trap.was_run() == ""


def test_filter_that_cannot_be_switched_off_stops_the_question(repository, trap):
    repository.write("a.txt", "1\n")
    repository.commit()
    repository.git("config", "filter.a=b.clean", "x")  # the key ends at the first `=`, so the file is edited by hand
    with open(repository.folder / ".git" / "config", "a", encoding="utf-8") as file:
        file.write(f'[filter "a=b"]\n\tclean = {trap.path}\n')
    repository.write(".gitattributes", "*.txt filter=a=b\n")
    repository.write("a.txt", "2\n")
    status = gitfacts.read_status(str(repository.folder))
    assert isinstance(status, gitfacts.NoAnswer)
    assert "=" in status.detail
    assert trap.was_run() == ""


def test_variables_of_a_hook_do_not_lead_git_elsewhere(repository, tmp_path, monkeypatch, trap):
    repository.write("a")
    repository.commit("here")
    other = type(repository)(tmp_path / "other")
    other.write("b")
    other.commit("there")
    for name, value in {
        "GIT_DIR": other.folder / ".git",
        "GIT_WORK_TREE": other.folder,
        "GIT_INDEX_FILE": tmp_path / "nowhere",
        "GIT_OBJECT_DIRECTORY": tmp_path / "nowhere",
        "GIT_NAMESPACE": "x",
        "GIT_PREFIX": "x/",
        "GIT_EXEC_PATH": tmp_path / "nowhere",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": trap.path,
        "GIT_CONFIG_PARAMETERS": f"'core.fsmonitor'='{trap.path}'",
        "GIT_EXTERNAL_DIFF": trap.path,
        "GIT_PAGER": trap.path,
        "GIT_SSH_COMMAND": trap.path,
        "GIT_TRACE": tmp_path / "trace",
        "GIT_TRACE2_EVENT": tmp_path / "trace2",
        "GIT_LITERAL_PATHSPECS": "1",
        "LC_ALL": "de_DE.UTF-8",
        "LANGUAGE": "de",
    }.items():
        monkeypatch.setenv(name, str(value))
    folder = str(repository.folder)
    log, status = gitfacts.read_log(folder, 5), gitfacts.read_status(folder)
    assert log
    assert status
    assert [commit.subject for commit in log] == ["here"]
    assert status.dirty == 0
    assert gitfacts.read_ignored(folder, ["a"])
    assert trap.was_run() == ""
    assert not (tmp_path / "trace").exists()
    assert not (tmp_path / "trace2").exists()


def test_git_is_never_taken_from_the_folder_itself(repository, trap, monkeypatch):
    (repository.folder / "git").symlink_to(trap.path)
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", "bin/..", os.environ["PATH"]]))
    monkeypatch.chdir(repository.folder)
    assert gitfacts.read_status(".")
    assert trap.was_run() == ""
