"""Whose commits a brief tells: the session's, its subagents', and those that were only new in a log."""

from tests.brief.sessions import check_text
from tests.engines.rules.talk import build, fold, render, words
from tests.session.talk import agent, edit, human, run
from thruline.engines.rules.committed import build_commits
from thruline.session.parts import Changed, Part

FIRST = ("aaaa111", "Begin the ferry timetable")


def commit(line: int, digest: str, subject: str, command: str = "git commit -m x") -> list[Part]:
    return run(line, command, commits=((digest, subject),))


def log(line: int, *listed: tuple[str, str]) -> list[Part]:
    return run(line, "git log --oneline -5", logged=listed)


def told(session: list[Part], aside: list[Part]) -> list[str]:
    facts = fold(session)
    facts.aside.see_all(aside)
    return [claim.text for claim in build_commits(facts, 4_000)]


def test_a_subagents_commit_that_the_session_saw_in_the_log_is_told_once_as_the_subagents() -> None:
    seen = [*log(3, FIRST), *log(9, ("cccc333", "Quays get names"), FIRST)]
    assert told(seen, []) == ["new in the log: `cccc333`"]
    assert told(seen, commit(2, "cccc333", "Quays get names")) == ["a subagent committed `cccc333`"]


def test_what_a_subagent_only_saw_in_a_log_was_not_committed_by_it() -> None:
    aside = [*log(1, FIRST), *log(3, ("cccc333", "Quays get names"), FIRST)]
    assert told([], aside) == []


def test_a_commit_that_a_subagent_amended_is_not_told() -> None:
    amended = commit(5, "dddd444", "Quays get names", "git commit --amend --no-edit")
    assert told([], [*commit(2, "cccc333", "Quays"), *amended]) == ["a subagent committed `dddd444`"]


def test_a_commit_that_the_sessions_own_file_tells_is_not_told_again_as_a_subagents() -> None:
    own = commit(2, "cccc333", "Quays get names")
    assert told(own, own) == ["committed `cccc333`"]


def test_what_a_subagent_amended_away_is_not_told_as_new_in_the_log() -> None:
    seen = [*log(3, FIRST), *log(9, ("cccc333", "Quays"), FIRST)]
    amended = commit(5, "dddd444", "Quays get names", "git commit --amend --no-edit")
    assert told(seen, [*commit(2, "cccc333", "Quays"), *amended]) == ["a subagent committed `dddd444`"]


def test_a_commit_in_another_folder_is_told_as_that_and_leaves_the_project_uncommitted() -> None:
    away = commit(4, "9f8e7d6", "Paint the quay", "cd /srv/quay && git commit -am x")
    session = [human(2, "Fix it."), *edit(2, "/home/dev/shop/src/export.py"), *away, agent(8, "Done.")]
    assert told(session, []) == ["committed `9f8e7d6` in another folder"]
    owed = words(build(session)["open_threads"])
    assert "not committed by the session: `src/export.py`." in owed
    assert "the session made no commit" not in owed
    text, parts = render(session), [Changed(1, "cwd", "/home/dev/shop"), *session]
    # Who does not tell the folder says nothing untrue: a brief made before there were words for it must stay true.
    for changed, untrue in ((text, 0), (text.replace(" in another folder", ""), 0), (text.replace("9f8e", "9f8f"), 1)):
        git = (
            changed.split("\n").index("### git says") + 2
        )  # nothing is asked in this test, which is no form of the rules
        kinds = [one.kind for one in check_text(changed, parts).troubles if one.line not in (1, git)]
        assert kinds == ["untrue"] * untrue


def test_a_commit_of_the_project_is_none_of_another_folder() -> None:
    session = [human(2, "Fix it."), *commit(4, "9f8e7d6", "Paint the quay"), agent(8, "Done.")]
    text, parts = render(session), [Changed(1, "cwd", "/home/dev/shop"), *session]
    for changed, untrue in ((text, []), (text.replace("`9f8e7d6`", "`9f8e7d6` in another folder", 1), ["untrue"])):
        assert [one.kind for one in check_text(changed, parts).troubles if one.kind == "untrue"] == untrue


def on(line: int, branch: str) -> Changed:
    return Changed(line, "branch", branch)


SEVERAL = [
    Changed(1, "cwd", "/home/dev/shop"),
    on(1, "tides"),
    human(2, "Fix the export."),
    *commit(3, "aaaa111", "Fix the export of tides"),
    on(6, "quays"),
    *commit(7, "bbbb222", "Quays get names"),
    agent(9, "Both are done."),
]


def test_a_commit_on_another_branch_than_the_last_is_told_with_it() -> None:
    assert told(SEVERAL, []) == ["committed `bbbb222`", "committed `aaaa111` on branch `tides`"]
    back = [*SEVERAL, on(10, "tides")]
    assert told(back, []) == ["committed `bbbb222` on branch `quays`", "committed `aaaa111`"]
    assert told([*SEVERAL, on(10, "HEAD")], []) == ["committed `bbbb222`", "committed `aaaa111`"]


def test_what_was_only_seen_in_the_log_of_another_branch_is_told_with_it() -> None:
    seen = [on(1, "tides"), *log(3, FIRST), *log(9, ("cccc333", "Quays get names"), FIRST), on(12, "main")]
    assert told(seen, []) == ["new in the log: `cccc333` on branch `tides`"]


def test_the_branch_of_a_commit_can_be_looked_up() -> None:
    text = render(SEVERAL)
    line = "- committed `aaaa111` on branch `tides`"
    assert line in text
    for named, untrue in (("`tides`", []), ("`quays`", ["untrue"]), ("`tide`", ["untrue"]), ("`main`", ["untrue"])):
        report = check_text(text.replace(line, f"- committed `aaaa111` on branch {named}"), SEVERAL)
        assert [one.kind for one in report.troubles if one.kind == "untrue"] == untrue, named
