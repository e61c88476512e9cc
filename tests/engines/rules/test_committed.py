"""Whose commits a brief tells: the session's, its subagents', and those that were only new in a log."""

from tests.engines.rules.talk import fold
from tests.session.talk import run
from thruline.engines.rules.committed import build_commits
from thruline.session.parts import Part

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
