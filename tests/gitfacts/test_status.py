import os
from pathlib import Path

import pytest

from thruline.gitfacts import NOT_A_REPOSITORY, Branch, NoAnswer, Status, read_branch, read_status
from thruline.gitfacts.status import Change


def status(folder: object) -> Status:
    found = read_status(os.fspath(folder))  # type: ignore[call-overload]
    assert isinstance(found, Status), found
    return found


def test_branch_before_the_first_commit_has_a_name_and_no_commit(repository):
    assert read_branch(str(repository.folder)) == Branch("main", "")
    assert status(repository).branch == Branch("main", "")
    assert status(repository).branch.unborn


def test_branch_names_the_commit_it_is_at(repository):
    repository.write("a")
    commit = repository.commit()
    repository.git("checkout", "-q", "-b", "fix/ümlaut")
    assert read_branch(str(repository.folder)) == Branch("fix/ümlaut", commit)
    assert status(repository).branch == Branch("fix/ümlaut", commit)


def test_detached_head_has_a_commit_and_no_name(repository):
    repository.write("a")
    commit = repository.commit()
    repository.git("checkout", "-q", "--detach")
    branch = read_branch(str(repository.folder))
    assert branch == Branch("", commit)
    assert status(repository).branch == branch


def test_a_branch_called_like_the_words_of_git_is_still_a_branch(repository):
    repository.write("a")
    repository.commit()
    repository.git("update-ref", "refs/heads/-n", "HEAD")
    repository.git("symbolic-ref", "HEAD", "refs/heads/-n")
    branch = read_branch(str(repository.folder))
    assert isinstance(branch, Branch)
    assert branch.name == "-n"


def test_clean_tree_is_not_dirty(repository):
    repository.write("a")
    repository.commit()
    assert status(repository).dirty == 0


def test_staged_unstaged_untracked_and_deleted_are_told_apart(repository):
    for name in ("staged", "unstaged", "both", "gone"):
        repository.write(name)
    repository.commit()
    repository.write("staged", "new\n")
    repository.write("both", "new\n")
    repository.write("added", "new\n")
    repository.git("add", "staged", "both", "added")
    repository.write("both", "newer\n")
    repository.write("unstaged", "new\n")
    (repository.folder / "gone").unlink()
    repository.write("loose")
    repository.write("folder/one")
    repository.write("folder/two")
    found = status(repository)
    assert set(found.changes) == {
        Change("staged", "M", ""),
        Change("both", "M", "M"),
        Change("added", "A", ""),
        Change("unstaged", "", "M"),
        Change("gone", "", "D"),
    }
    assert {change.path for change in found.staged} == {"staged", "both", "added"}
    assert {change.path for change in found.unstaged} == {"both", "unstaged", "gone"}
    assert found.untracked == ("folder/", "loose")
    assert found.dirty == 7


def test_rename_keeps_both_names(repository):
    repository.write("old name", "a\nb\nc\nd\n")
    repository.commit()
    repository.git("mv", "old name", "new name")
    assert status(repository).changes == (Change("new name", "R", "", "old name"),)


def test_conflict_is_neither_staged_nor_unstaged(repository):
    repository.write("a", "base\n")
    repository.commit()
    repository.git("checkout", "-q", "-b", "other")
    repository.write("a", "theirs\n")
    repository.commit()
    repository.git("checkout", "-q", "main")
    repository.write("a", "ours\n")
    repository.commit()
    repository.git("merge", "other", check=False)
    found = status(repository)
    assert found.conflicts == ("a",)
    assert found.changes == ()
    assert found.dirty == 1


@pytest.mark.parametrize(
    "name", [b"with space", b"new\nline", b'quo"te', b"\xff\xfe latin", "ß".encode(), b"-n", b"--help"]
)
def test_any_name_survives(repository, name):
    repository.write(name)
    assert status(repository).untracked == (os.fsdecode(name),)
    repository.commit()
    repository.write(name, "new\n")
    assert status(repository).changes == (Change(os.fsdecode(name), "", "M"),)


def test_paths_are_relative_to_the_root_also_from_a_subfolder(repository):
    repository.write("sub/a")
    repository.write("b")
    repository.commit()
    repository.write("sub/a", "new\n")
    repository.write("b", "new\n")
    repository.git("config", "status.relativePaths", "true")
    assert {change.path for change in status(repository.folder / "sub").changes} == {"sub/a", "b"}


def test_moved_submodule_is_one_change_and_its_inside_is_not_looked_at(repository, tmp_path):
    inner = type(repository)(tmp_path / "inner")
    inner.write("a")
    inner.commit()
    repository.git("submodule", "--quiet", "add", inner, "dep")
    repository.commit()
    repository.write("dep/loose")
    assert status(repository).dirty == 0
    repository.git("commit", "-q", "--allow-empty", "-m", "inside", cwd=repository.folder / "dep")
    assert status(repository).changes == (Change("dep", "", "M", "", submodule=True),)


def test_worktree_has_its_own_branch(repository, tmp_path):
    repository.write("a")
    repository.commit()
    repository.git("worktree", "add", "-q", "-b", "side", tmp_path / "side")
    assert status(tmp_path / "side").branch.name == "side"


def test_folder_outside_any_repository_is_a_value(tmp_path: Path):
    for found in (read_status(str(tmp_path)), read_branch(str(tmp_path))):
        assert isinstance(found, NoAnswer)
        assert found.reason == NOT_A_REPOSITORY
        assert not found


def test_bare_repository_is_none_so_that_a_hidden_one_is_never_opened(tmp_path, repository):
    repository.git("init", "-q", "--bare", tmp_path / "bare")
    for found in (read_status(str(tmp_path / "bare")), read_branch(str(tmp_path / "bare"))):
        assert isinstance(found, NoAnswer)
        assert found.reason == NOT_A_REPOSITORY


def test_missing_folder_is_a_value(tmp_path):
    assert isinstance(read_status(str(tmp_path / "nowhere")), NoAnswer)
