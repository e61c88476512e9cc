"""Which commits a session made, and which of them still stand."""

import pytest

from tests.session.talk import commit, run
from thruline.session.ledger import Ledger
from thruline.session.parts import Part


def standing(*session: list[Part]) -> list[tuple[str, bool]]:
    """The commits that stand, the oldest first, and whether each is only known to be new in the log."""
    ledger = Ledger()
    for parts in session:
        ledger.see_all(parts)
    return [(made.digest, made.logged) for made in ledger.commits if not made.gone]


def log(line: int, *listed: tuple[str, str], command: str = "git log --oneline -5") -> list[Part]:
    return run(line, command, logged=listed)


FIRST, OLD = ("aaaa111", "Begin the ferry timetable"), ("0bbb222", "An older commit")


def test_an_amended_commit_gives_way_to_the_one_that_took_its_place() -> None:
    amended = commit(3, "c2c2c2c", "Print tides", "git add . && git commit --amend --no-edit")
    assert standing(commit(1, "c1c1c1c", "Print tide"), amended) == [("c2c2c2c", False)]


def test_one_command_that_commits_and_amends_leaves_the_second() -> None:
    both = run(1, "git commit -m a && git commit --amend -m b", commits=(("c1c1c1c", "a"), ("c2c2c2c", "b")))
    assert standing(commit(0, "c0c0c0c", "Before"), both) == [("c0c0c0c", False), ("c2c2c2c", False)]


@pytest.mark.parametrize(
    ("command", "left"),
    [
        ("git reset --soft HEAD~1", 2),
        ("git reset --hard HEAD~2", 1),
        ("git reset HEAD^", 2),
        ("git reset HEAD^^", 1),
        ("git reset HEAD -- tides.py", 3),
        ("git reset --hard HEAD", 3),
        ("git reset --soft HEAD~2; git status", 1),
        ("git reset HEAD~2&& make", 1),
        ('git reset --hard "HEAD~3"', 0),
        ("git -C ferry reset --soft HEAD~", 2),
        ("git reset HEAD~1 tides.py", 3),
        ("git reset --soft HEAD~1 git status", 2),  # of two lines
        ("git commit -qm 'Say what git reset HEAD~1 does'", 3),
        ("cat > notes.md <<'END' After git reset HEAD~2 nothing is lost. END", 3),
        ("echo git reset --hard HEAD~1", 3),
        ("make # not git reset HEAD~1", 3),
    ],
)
def test_a_commit_that_was_reset_does_not_stand(command: str, left: int) -> None:
    made = [commit(at, f"{at}c1c1c1", f"Step {at}") for at in (1, 3, 5)]
    assert len(standing(*made, run(7, command))) == left


def test_a_message_that_explains_amending_amends_nothing() -> None:
    second = commit(3, "c2c2c2c", "Explain --amend", "git commit -am 'Explain --amend'")
    assert standing(commit(1, "c1c1c1c", "Print tide"), second) == [("c1c1c1c", False), ("c2c2c2c", False)]


def test_commits_that_were_reset_and_made_anew_in_one_command_are_one() -> None:
    made = [commit(at, f"{at}c1c1c1", f"Step {at}") for at in (1, 3, 5)]
    anew = commit(7, "fe01fe0", "Steps", "git reset --soft HEAD~2 && git commit -m Steps")
    assert standing(*made, anew) == [("1c1c1c1", False), ("fe01fe0", False)]


@pytest.mark.parametrize(
    ("command", "subject"),
    [
        ("git commit -qam 'Sort quays by name'", "Sort quays by name"),
        ('git merge --no-ff quays tides -m "Bring quays and tides together"', "Bring quays and tides together"),
        ("git merge origin/quays --no-edit", "Merge remote-tracking branch 'origin/quays' into main"),
    ],
)
def test_a_commit_that_printed_nothing_is_known_by_a_later_log(command: str, subject: str) -> None:
    assert standing(run(1, command), log(3, ("fe01fe0", subject), FIRST)) == [("fe01fe0", False)]


def test_a_log_tells_nothing_of_a_command_that_failed() -> None:
    failed = run(1, "git commit -qm 'Sort quays by name'", "error", exit_status=1)
    assert standing(failed, log(3, ("fe01fe0", "Sort quays by name"))) == []


@pytest.mark.parametrize("command", ["git log --oneline -5", "git log --oneline aaaa111..HEAD"])
def test_what_stands_in_the_log_above_where_it_began_is_new(command: str) -> None:
    later = [("cccc333", "Quays get names"), ("bbbb222", "Tides get heights")]
    rest = [] if ".." in command else [FIRST, OLD]
    found = standing(log(1, FIRST, OLD), log(9, *later, *rest, command=command))
    assert found == [("bbbb222", True), ("cccc333", True)]


@pytest.mark.parametrize(
    "between", ["git pull", "git checkout quays", "git fetch && git rebase origin/main", "git merge quays"]
)
def test_after_the_branch_moved_a_log_shows_anybodys_work(between: str) -> None:
    assert standing(log(1, FIRST), run(3, between), log(5, ("cccc333", "Of somebody else"), FIRST)) == []


@pytest.mark.parametrize(
    "command",
    ["git log --oneline --all", "git log --oneline origin/quays", "git log -3 --author=jo", "git log --oneline quays"],
)
def test_a_log_of_other_branches_or_of_some_commits_tells_nothing_new(command: str) -> None:
    assert standing(log(1, FIRST), log(5, ("cccc333", "Of somebody else"), FIRST, command=command)) == []


def test_a_commit_before_a_rebase_is_doubted_until_a_log_has_it() -> None:
    ledger = Ledger()
    for parts in (commit(1, "c1c1c1c", "Print tides"), run(3, "git pull --rebase")):
        ledger.see_all(parts)
    assert [made.rebased for made in ledger.commits] == [True]
    ledger.see_all(log(5, ("c1c1c1c", "Print tides"), FIRST))
    assert [made.rebased for made in ledger.commits] == [False]


@pytest.mark.parametrize(
    ("command", "doubted"),
    [
        ("git rebase -i HEAD~3", True),
        ("git -C ferry rebase main 2>&1 | tail -3", True),
        ("git fetch && git pull --rebase=merges", True),
        ("git rebase --abort", False),
        ("git config pull.rebase false", False),
        ("git log --oneline | grep rebase", False),
        ("ls .git/rebase-merge", False),
        ("git commit -qm 'Tell when to rebase'", False),
        ("git pull", False),
    ],
)
def test_only_a_rebase_casts_doubt_on_commits(command: str, doubted: bool) -> None:
    ledger = Ledger()
    for parts in (commit(1, "c1c1c1c", "Print tides"), run(3, command)):
        ledger.see_all(parts)
    assert ledger.commits[0].rebased is doubted


def test_a_commit_that_a_rebase_renamed_stands_under_its_new_name() -> None:
    session = [
        commit(1, "c1c1c1c", "Print tides"),
        run(3, "git rebase main"),
        log(5, ("d2d2d2d", "Print tides"), FIRST),
    ]
    assert standing(*session) == [("d2d2d2d", False)]
    assert standing(*session, run(7, "git reset --hard HEAD~1")) == []


def test_what_is_only_new_in_the_log_was_not_committed_before_a_rebase() -> None:
    ledger = Ledger()
    for parts in (log(1, FIRST), log(3, ("cccc333", "Of somebody else"), FIRST), run(5, "git rebase main")):
        ledger.see_all(parts)
    assert [(made.logged, made.rebased) for made in ledger.commits] == [(True, False)]


def test_a_short_subject_may_stand_in_a_command_by_chance() -> None:
    silent = run(3, "git commit -qm 'Fix the quays' -m 'Print all tides'")
    later = log(5, ("eeee555", "Print all tides"), ("dddd444", "Fix"), FIRST)
    assert standing(log(1, FIRST), run(2, "git pull"), silent, later) == [("eeee555", False)]


def test_an_old_name_that_a_log_shows_again_is_no_surprise() -> None:
    renamed = log(5, ("d2d2d2d", "Print tides"), FIRST)
    again = log(7, ("c1c1c1c", "Print tides"), FIRST, command="git log --oneline old")
    session = (commit(1, "c1c1c1c", "Print tides"), run(3, "git rebase main"), renamed, again)
    assert standing(*session) == [("d2d2d2d", False)]


def test_an_amended_commit_lends_its_subject_to_nobody_after_a_rebase() -> None:
    amended = commit(3, "c2c2c2c", "Print tides", "git commit --amend --no-edit")
    shown = log(7, ("d2d2d2d", "Print tides"), ("eeee555", "Print tides"), FIRST)
    assert standing(commit(1, "c1c1c1c", "Print tides"), amended, run(5, "git rebase main"), shown) == [
        ("d2d2d2d", False)
    ]


def test_a_reset_counts_a_renamed_commit_once() -> None:
    made = (commit(1, "c1c1c1c", "Name quays"), commit(3, "c2c2c2c", "Print tides"), run(5, "git rebase main"))
    renamed = log(7, ("d2d2d2d", "Print tides"), ("c1c1c1c", "Name quays"), FIRST)
    assert standing(*made, renamed) == [("c1c1c1c", False), ("d2d2d2d", False)]
    assert standing(*made, renamed, run(9, "git reset --hard HEAD~2")) == []


def test_what_stands_behind_a_commit_in_a_command_that_failed_may_not_have_run() -> None:
    command = "git commit -am 'Print tides' && make && git reset --hard HEAD~1"
    assert standing(run(1, command, "error", commits=(("c1c1c1c", "Print tides"),))) == [("c1c1c1c", False)]
