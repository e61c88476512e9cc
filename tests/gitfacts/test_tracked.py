from pathlib import Path

from tests.gitfacts.conftest import Repository
from thruline.gitfacts import NOT_A_REPOSITORY, NoAnswer, read_tracked


def test_tracked_files_are_told_from_others_whatever_their_name(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repo")
    for name in ("a*.md", "ab.md", "c.md"):
        (repository.folder / name).write_text("x")
    repository.git("add", "ab.md", ":(literal)c.md")
    assert read_tracked(str(repository.folder), ["a*.md", "c.md"]) == {"c.md"}
    assert read_tracked(str(repository.folder), []) == frozenset()


def test_outside_a_repository_nothing_can_be_told(tmp_path: Path) -> None:
    answer = read_tracked(str(tmp_path), ["a.md"])
    assert isinstance(answer, NoAnswer)
    assert answer.reason == NOT_A_REPOSITORY
