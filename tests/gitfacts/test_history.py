import os

import pytest

from thruline.gitfacts import (
    FAILED,
    NO_COMMIT,
    NOT_A_REPOSITORY,
    Commit,
    FileStat,
    NoAnswer,
    has_commit,
    read_committed,
    read_diff_stat,
    read_log,
)


def test_log_has_the_newest_first_with_the_author_s_own_date(repository):
    ids = []
    for number in range(3):
        repository.write("a", f"{number}\n")
        ids.append(repository.commit(f"step {number}\n\nwith a body"))
    log = read_log(str(repository.folder), 2)
    assert log == (
        Commit(ids[2], "2026-11-01T12:00:00+01:00", "Ada", "step 2"),
        Commit(ids[1], "2026-11-01T12:00:00+01:00", "Ada", "step 1"),
    )


def test_log_is_empty_before_the_first_commit(repository):
    assert read_log(str(repository.folder), 5) == ()


def test_log_outside_a_repository_is_a_value(tmp_path):
    log = read_log(str(tmp_path), 5)
    assert isinstance(log, NoAnswer)
    assert log.reason == NOT_A_REPOSITORY


def test_log_survives_separators_and_odd_bytes_in_a_message(repository):
    repository.write("a")
    repository.git("add", "-A")
    (repository.folder / "message").write_bytes(b"a\x1fb\x1e \xff end\n")
    repository.git("-c", "i18n.commitEncoding=UTF-8", "commit", "-q", "-F", "message")
    log = read_log(str(repository.folder), 1)
    assert log
    assert log[0].subject.startswith("a\x1fb\x1e ")
    assert log[0].subject.endswith(" end")


def test_log_in_another_encoding_arrives_as_unicode(repository):
    repository.write("a")
    repository.git("add", "-A")
    (repository.folder / "message").write_bytes("Grüße\n".encode("latin-1"))
    repository.git("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "-F", "message")
    log = read_log(str(repository.folder), 1)
    assert log
    assert log[0].subject == "Grüße"


def test_log_takes_head_even_if_a_file_has_that_name(repository):
    repository.write("HEAD")
    repository.commit("only")
    log = read_log(str(repository.folder), 9)
    assert log
    assert [commit.subject for commit in log] == ["only"]


def test_commit_exists_by_id_and_by_its_beginning(repository):
    repository.write("a")
    commit = repository.commit()
    assert has_commit(str(repository.folder), commit) is True
    assert has_commit(str(repository.folder), commit[:8]) is True


def test_commit_that_is_not_there_does_not_exist(repository):
    repository.write("a")
    repository.commit()
    assert has_commit(str(repository.folder), "0123456789abcdef" * 2 + "01234567") is False
    assert has_commit(str(repository.folder), "0123456789") is False


def test_tree_or_blob_is_not_a_commit(repository):
    repository.write("a")
    repository.commit()
    assert has_commit(str(repository.folder), repository.git("rev-parse", "HEAD^{tree}")) is False


def test_branch_called_like_an_id_is_not_that_commit(repository):
    repository.write("a")
    commit = repository.commit()
    name = "deadbeef" if not commit.startswith("deadbeef") else "feedbeef"
    repository.git("branch", name)
    assert has_commit(str(repository.folder), name) is False


@pytest.mark.parametrize(
    "text", ["", "abc", "HEAD", "main", "--all", "-n1", "HEAD^{/x}", "ABCDEF12", "abcd\n", "g" * 40, "a" * 65]
)
def test_what_is_not_an_id_never_reaches_git(repository, text):
    repository.write("a")
    repository.commit()
    assert has_commit(str(repository.folder), text) is False


def test_commit_outside_a_repository_is_unknown_and_false(tmp_path):
    found = has_commit(str(tmp_path), "a" * 40)
    assert isinstance(found, NoAnswer)
    assert not found


def test_diff_stat_counts_lines_and_names_renames(repository):
    repository.write("a", "1\n2\n3\n")
    repository.write("old", "".join(f"{n}\n" for n in range(20)))
    repository.write("same")
    repository.commit()
    repository.write("a", "1\n3\n4\n5\n")
    repository.git("mv", "old", "new\tname")
    (repository.folder / "bin").write_bytes(b"\0\1\2")
    repository.git("add", "bin")
    stat = read_diff_stat(str(repository.folder))
    assert stat
    assert set(stat.files) == {
        FileStat("a", 2, 1),
        FileStat("new\tname", 0, 0, "old"),
        FileStat("bin", None, None),
    }
    assert (stat.added, stat.deleted) == (2, 1)


def test_diff_stat_leaves_out_a_file_that_was_only_touched(repository):
    repository.write("a")
    repository.write("tool")
    repository.commit()
    os.utime(repository.folder / "a", (1, 1))
    (repository.folder / "tool").chmod(0o755)
    stat = read_diff_stat(str(repository.folder))
    assert stat
    assert stat.files == (FileStat("tool", 0, 0),)


def test_diff_stat_between_two_commits(repository):
    repository.write("dir/a", "1\n")
    first = repository.commit()
    repository.write("dir/a", "1\n2\n")
    second = repository.commit()
    repository.write("dir/a", "1\n2\n3\n")
    stat = read_diff_stat(str(repository.folder), first, second)
    assert stat
    assert stat.files == (FileStat("dir/a", 1, 0),)
    whole = read_diff_stat(str(repository.folder / "dir"), first)
    assert whole
    assert whole.files == (FileStat("dir/a", 2, 0),)


def test_diff_stat_before_the_first_commit_is_a_value(repository):
    stat = read_diff_stat(str(repository.folder))
    assert isinstance(stat, NoAnswer)
    assert stat.reason == NO_COMMIT


@pytest.mark.parametrize("name", ["--output=stolen", "main", "-R", "HEAD~1"])
def test_diff_stat_takes_only_ids(repository, name):
    repository.write("a")
    repository.commit()
    stat = read_diff_stat(str(repository.folder), name)
    assert isinstance(stat, NoAnswer)
    assert stat.reason == FAILED
    assert not (repository.folder / "stolen").exists()


def test_what_commits_changed_and_nobody_since(repository):
    for name in ("a", "b", "c", "*", "sub/d"):
        repository.write(name, "1\n")
    first = repository.commit("first")
    for name in ("a", "b", "*", "sub/d"):
        repository.write(name, "2\n")
    repository.commit("second")
    repository.write("b", "3\n")
    repository.write("c", "3\n")
    folder = str(repository.folder)
    assert read_committed(folder, first, ["a", "b", "c", "nowhere"]) == {"a"}
    assert read_committed(folder, first, ["*"]) == {"*"}
    assert read_committed(os.path.join(folder, "sub"), first, ["d", "a"]) == {"d"}
    assert read_committed(folder, first, []) == frozenset()
    assert isinstance(read_committed(folder, "--output=x", ["a"]), NoAnswer)
    assert isinstance(read_committed(folder, "0" * 40, ["a"]), NoAnswer)
