"""What a command line tells: only what is certain."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thruline.session.commands import (
    answers_by_status,
    may_commit,
    parse_commits,
    parse_log,
    parse_pull,
    parse_steps,
)


def test_commits_are_read_from_gits_own_line() -> None:
    output = "lint ok\n[main 1a2b3c4] Fix [x] it\n 2 files changed\n[detached HEAD abcdef0123] Two\n"
    assert parse_commits(output) == (("1a2b3c4", "Fix [x] it"), ("abcdef0123", "Two"))
    assert parse_commits("[main (root-commit) 1a2b3c4] First") == (("1a2b3c4", "First"),)


@pytest.mark.parametrize(
    "output", ["", "[", "[main 1a2b3c4]", "[lint] $ go vet", "[a zzzzzzz] x", "x [main 1a2b3c4] y"]
)
def test_other_brackets_are_no_commit(output: str) -> None:
    assert parse_commits(output) == ()


def test_commands_that_may_commit_and_that_answer_by_status() -> None:
    assert may_commit("git commit -m x")
    assert may_commit("git cherry-pick abc")
    assert not may_commit("git status")
    assert answers_by_status("cd x && grep -q y z")
    assert answers_by_status("cat a | rg b")
    assert not answers_by_status("grep a b && make")


@given(st.text(alphabet="rmv git cd\"'\\;&|$<>#\n/ab-", max_size=40))
def test_any_text_is_a_command_line(command: str) -> None:
    parse_steps(command)
    parse_commits(command)
    answers_by_status(command)


LONG = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("output", "commits"),
    [
        ("1a2b3c4 Name the quays\n5d6e7f8 Begin", (("1a2b3c4", "Name the quays"), ("5d6e7f8", "Begin"))),
        ("1a2b3c4 (HEAD -> main, origin/main) Name the quays", (("1a2b3c4", "Name the quays"),)),
        ("1a2b3c4 (tides) Print heights too", (("1a2b3c4", "Print heights too"),)),
        ("1a2b3c4 (very much) faster", (("1a2b3c4", "(very much) faster"),)),
        (
            "*---.   1a2b3c4 Join all\n|\\ \\ \\\n| | * 5d6e7f8 One of them",
            (("1a2b3c4", "Join all"), ("5d6e7f8", "One of them")),
        ),
        (
            f"commit {LONG} (HEAD)\nAuthor: Jo\nDate: today\n\n    Name the quays\n\n    More words",
            ((LONG, "Name the quays"),),
        ),
        ("total 40\ndrwxr-xr-x 3 jo\nnothing here", ()),
        ("", ()),
    ],
)
def test_commits_are_read_from_a_log(output: str, commits: tuple[tuple[str, str], ...]) -> None:
    assert parse_log(output) == commits


@pytest.mark.parametrize(
    ("output", "address"),
    [
        ("https://github.com/ferry/times/pull/61\n", "https://github.com/ferry/times/pull/61"),
        ("Creating…\n\nhttps://git.example/a/b/-/merge_requests/7", "https://git.example/a/b/-/merge_requests/7"),
        ("see https://github.com/ferry/times/pull/61", ""),
        ("https://github.com/ferry/times/issues/61", ""),
        ("a pull request exists", ""),
        ("a pull request for branch tide already exists:\nhttps://github.com/ferry/times/pull/61", ""),
    ],
)
def test_the_address_of_an_opened_pull_request_stands_on_its_own_line(output: str, address: str) -> None:
    assert parse_pull(output) == address
