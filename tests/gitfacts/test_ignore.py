import os

from thruline.gitfacts import NOT_A_REPOSITORY, NoAnswer, read_ignored


def test_each_path_gets_its_answer_and_the_rule_that_decided(repository):
    repository.write(".gitignore", "*.log\n!keep.log\ncache/\n")
    found = read_ignored(str(repository.folder), ["a.log", "keep.log", "cache/", "a.txt", "--help"])
    assert found
    assert [(rule.path, rule.ignored) for rule in found] == [
        ("a.log", True),
        ("keep.log", False),
        ("cache/", True),
        ("a.txt", False),
        ("--help", False),
    ]
    assert found[0].rule == ".gitignore:1:*.log"
    assert found[1].rule == ".gitignore:2:!keep.log"
    assert found[3].rule == ""


def test_tracked_file_still_counts_as_ignored_by_rule(repository):
    repository.write("a.log")
    repository.commit()
    repository.write(".gitignore", "*.log\n")
    found = read_ignored(str(repository.folder), ["a.log"])
    assert found
    assert found[0].ignored


def test_names_that_are_not_unicode_survive(repository):
    name = os.fsdecode(b"\xff.log")
    repository.write(".gitignore", "*.log\n")
    found = read_ignored(str(repository.folder), [name])
    assert found
    assert found[0].path == name


def test_nothing_asked_nothing_answered(tmp_path):
    assert read_ignored(str(tmp_path), []) == ()


def test_outside_a_repository_is_a_value(tmp_path):
    found = read_ignored(str(tmp_path), ["a"])
    assert isinstance(found, NoAnswer)
    assert found.reason == NOT_A_REPOSITORY
