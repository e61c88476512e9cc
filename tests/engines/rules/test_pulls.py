"""Pull requests that a session opened, merged or worked on, and whether its last commit was pushed."""

import pytest

from tests.engines.rules.talk import build
from tests.session.talk import human, run
from thruline.session.parts import Changed, Part


def did(*session: Part) -> list[str]:
    """What the code-state says of them."""
    branch = Changed(1, "branch", "tides")
    claims = build([branch, human(2, "See to the ferry timetable."), *session])["code_state"].claims
    return [claim.text for claim in claims if "pull request" in claim.text or "pushed" in claim.text]


def test_a_pull_request_that_the_session_opened_is_named() -> None:
    opened = Changed(5, "pull", "https://example.org/ferry/times/pull/61")
    assert did(*run(4, "gh pr create --fill"), opened) == ["opened pull request `#61`"]


def test_those_it_worked_on_are_told_the_most_worked_on_first() -> None:
    session = [
        *run(3, "gh pr view 40 --json title"),
        *run(5, "gh pr view 41"),
        *run(7, "gh pr diff 41"),
        *run(8, "gh pr checks 41"),
        *run(9, "gh pr checkout 42 && make"),
        *run(11, "gh api repos/ferry/times/pulls/42/comments --paginate"),
        *run(13, "gh api repos/ferry/times/pulls/comments/777 --jq .body"),
    ]
    assert did(*session) == ["worked on pull request `#42`"]  # at the others it only looked


def test_one_that_was_merged_is_told_as_merged() -> None:
    assert did(*run(3, "gh pr checkout 42"), *run(5, "gh pr merge 42 --squash")) == ["merged pull request `#42`"]
    assert did(*run(5, "gh pr merge 42", "error", exit_status=1)) == []


@pytest.mark.parametrize(
    "command",
    [
        "git commit -am 'Say that gh pr merge 42 needs a review'",
        "cat notes/pulls/42",
        "echo gh pr merge 42",
        "grep -rn 'gh pr checkout 42' docs",
        "gh api repos/ferry/times/pulls/42/comments",
        "gh api -X GET repos/ferry/times/pulls/42/comments -f per_page=50",
        "gh pr view 42 --json body",
    ],
)
def test_words_about_a_pull_request_and_one_look_at_it_are_no_work_on_it(command: str) -> None:
    assert did(*run(3, command)) == []


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("gh pr merge 42 --auto --squash", "worked on pull request `#42`"),  # queued
        ("gh pr merge 42 | tail -2", "worked on pull request `#42`"),  # how it ended is not known
        ("gh pr merge 42 --body 'Also closes 43' --squash", "merged pull request `#42`"),
        ("cd ferry && gh pr merge '#42' && git pull", "merged pull request `#42`"),
        ("gh pr merge https://example.org/ferry/times/pull/42 --merge", "merged pull request `#42`"),
        ("gh api -X PUT repos/ferry/times/pulls/42/merge", "merged pull request `#42`"),
        ("gh api repos/ferry/times/pulls/42/comments -f body='See pulls/43'", "worked on pull request `#42`"),
        ("gh pr comment 42 --body 'gh pr merge 43 comes first'", "worked on pull request `#42`"),
    ],
)
def test_what_was_done_to_a_pull_request_is_told_by_the_command_itself(command: str, said: str) -> None:
    assert did(*run(3, command)) == [said]


PUSHED, NOT = ["pushed after the last commit."], ["not pushed, as far as the session shows."]


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ("git push", PUSHED),
        ("git -C /home/dev/shop push -u origin tides", PUSHED),
        ("git push origin HEAD", PUSHED),
        ("git push --force-with-lease origin +tides:review/tides", PUSHED),
        ("git push --all origin", PUSHED),
        # Another repository, a tag, another branch: nobody knows of this one.
        ("git -C /home/dev/ferry push -u origin tides", []),
        ("cd ../ferry && git push", []),
        ("cd /home/dev/ferry && git push", []),
        ("cd ~/ferry; git push", []),
        ("cd $FERRY && git push", []),
        ("git --git-dir=/srv/ferry.git push", []),
        ("git push origin v2.1", []),
        ("git push origin tag v2", []),
        ("git push origin refs/tags/v2", []),
        ("git push origin main", []),
        ("git push origin main:tides", []),
        ("cd /home/dev/shop/quay && git push", PUSHED),
        ("git push --dry-run", []),
        ("git stash push", []),
        ("cd ferry && git push 2>&1", PUSHED),
        ("git push --tags", []),
        ("git push origin :tides --delete", []),
        ("git push; make test", []),  # it may have failed
        ("git push 2>&1 | tail -3", []),
        ("git tag -m 'To push later' v2", []),
        ("make test && echo git push", []),
        ("make test", NOT),
        ("./publish-and-push.sh", []),  # who knows
        ("git tag v1 -m 'A very long message " + "so " * 80 + "…", []),
    ],
)
def test_whether_the_last_commit_was_pushed_is_told_where_it_is_known(after: str, said: list[str]) -> None:
    made = run(3, "git commit -m x", commits=(("1a2b3c4", "Name the quays"),))
    assert did(*run(1, "git push"), *made, *run(5, after)) == said


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("git commit -am 'Handle push events of the quay'", []),
        ("git commit -am 'Name the quays' && git push", PUSHED),
        ('git add . && git commit -m "$(cat <<\'EOF\' Don\'t "push" yet EOF )" && git push origin HEAD', PUSHED),
        ("git push && git commit -am 'Name the quays'", []),
        ("git commit -am 'Name the quays'", NOT),
    ],
)
def test_a_push_counts_behind_the_commit_that_the_same_command_made(command: str, said: list[str]) -> None:
    assert did(*run(3, command, commits=(("1a2b3c4", "Name the quays"),))) == said


@pytest.mark.parametrize(("command", "said"), [("git push", NOT), ("git push && make test", [])])
def test_a_push_that_failed_pushed_nothing(command: str, said: list[str]) -> None:
    made = run(3, "git commit -m x", commits=(("1a2b3c4", "Name the quays"),))
    assert did(*made, *run(5, command, "error", exit_status=1)) == said


REJECTED = (("tides", "refused"), ("", "refused"))


@pytest.mark.parametrize(
    ("command", "printed", "said"),
    [
        ("git push 2>&1 | tail -3", (("tides", "sent"),), PUSHED),
        ("git push || true", (("tides", "sent"),), PUSHED),
        ("git push origin HEAD | cat", (("HEAD", "sent"),), PUSHED),
        ("git push", (("", "current"),), PUSHED),  # it was there already
        ("git push 2>&1 | tail -3", REJECTED, NOT),
        ("git push || true", REJECTED, NOT),
        ("git push origin tides; echo done", (("", "refused"),), NOT),
        ("git push", (("main", "sent"),), []),
        ("git push origin main | tail", (("", "current"),), []),
        ("git push --follow-tags", (("v2", "tag"), ("tides", "sent")), PUSHED),
        ("git push origin v2 | tail", (("v2", "tag"),), []),
    ],
)
def test_what_git_printed_tells_what_was_pushed(
    command: str, printed: tuple[tuple[str, str], ...], said: list[str]
) -> None:
    made = run(3, "git commit -m x", commits=(("1a2b3c4", "Name the quays"),))
    assert did(*made, *run(5, command, pushed=printed)) == said


def test_a_commit_and_a_push_in_one_other_folder_belong_together() -> None:
    made = run(3, "cd ../ferry && git commit -m x", commits=(("1a2b3c4", "Name the quays"),))
    assert did(*made, *run(5, "cd ../ferry && git push")) == PUSHED
    assert did(*made, *run(5, "git push")) == []


def test_a_branch_that_was_changed_on_the_way_is_the_one_that_counts() -> None:
    made = run(5, "git commit -m x", commits=(("1a2b3c4", "Name the quays"),))
    for moved in ("git checkout -b quays", "git switch -c quays", "git switch quays"):
        assert did(*run(3, moved), *made, *run(7, "git push -u origin quays")) == PUSHED
    assert did(*made, *run(7, "git push -u origin quays")) == []


def test_a_pull_request_that_was_closed_again_is_not_told_as_opened() -> None:
    opened = [*run(4, "gh pr create --fill"), Changed(5, "pull", "https://example.org/ferry/times/pull/61")]
    worked = ["worked on pull request `#61`"]
    assert did(*opened, *run(6, "gh pr close 61 --delete-branch")) == worked
    assert did(*opened, *run(6, "gh pr close https://example.org/ferry/times/pull/61")) == worked
    assert did(*opened, *run(6, "gh pr close tides")) == worked
    assert did(*opened, *run(6, "gh api -X PATCH repos/ferry/times/pulls/61 -f state=closed")) == worked
    told = ["opened pull request `#61`"]
    assert did(*opened, *run(6, "gh pr close 60"))[0] == told[0]
    assert did(*opened, *run(6, "gh pr close 61", "error", exit_status=1)) == told
    assert did(*opened, *run(6, "echo gh pr close 61")) == told
    assert did(*opened, *run(6, "gh pr close 61"), *run(8, "gh pr reopen 61")) == told


def test_nothing_is_said_of_pushes_where_nothing_was_committed() -> None:
    assert did(*run(3, "git push")) == []
