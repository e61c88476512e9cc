"""That something was never done, in a model's own words: "Nothing was committed", "No tests were run".

Such a sentence needs no pointer and is easily believed. The transcript decides where it can: a commit that was made
disproves it, and a session without any command that may have made one proves it. What lies between is not judged.
"""

import os
import re
from collections.abc import Iterator
from functools import cache

from thruline.brief.attempts.inert import blank_spans, fold
from thruline.brief.claims.stated import Fact
from thruline.datafile import read_data
from thruline.pattern import compile_later
from thruline.session import parts
from thruline.session.aside import Aside
from thruline.session.ledger import CommandFact, Ledger
from thruline.session.runs import CUT, NO_PUSH, find_asked, find_runs
from thruline.value import dataclass

NO_COMMIT, NO_PUSH_MADE, NO_TEST, NO_CHANGE = "no commit", "no push", "no test", "no change"
KINDS = frozenset((NO_COMMIT, NO_PUSH_MADE, NO_TEST, NO_CHANGE))

# What may have run tests; and what certainly has.
_OF_TESTS = compile_later(r"test|spec|check|verif|\bci\b|jest|tox|nox|make|build|validat", re.IGNORECASE)
_RUNNERS = frozenset("pytest py.test jest vitest mocha rspec phpunit ctest tox nox unittest".split())  # noqa: SIM905
_TESTING = compile_later(r"(?:[\w.-]*[:_-])?tests?(?:[:_-][\w.-]*)?\Z", re.IGNORECASE)
_BUILDERS = frozenset("go cargo npm pnpm yarn bun make just mise mix dotnet gradle gradlew mvn mvnw rake".split())  # noqa: SIM905
# Whoever reports what somebody thinks, or what would be, denies nothing.
_REPORTED = compile_later(
    r"\b(?:if|whether|unless|until|when|once|why|that|says?|said|told|claims?|claimed|thought|feared|as though)\b"
)
_SENTENCE = compile_later(r"[.;!?]\s")


@dataclass(frozen=True, slots=True)
class Denial:
    """Words that deny one kind of thing, with examples of what they are and are not."""

    kind: str
    needs: tuple[str, ...]
    pattern: str
    found: tuple[str, ...]
    survives: tuple[str, ...]


@cache
def read_denials() -> tuple[Denial, ...]:
    """All of them."""
    table = read_data(os.path.join(os.path.dirname(__file__), "denials.toml"))
    read = []
    for row in table["denial"]:
        pattern = row["pattern"]
        for name, each in table["words"].items():
            pattern = pattern.replace(f"{{{name}}}", each)
        read.append(Denial(row["kind"], tuple(row["needs"]), pattern, tuple(row["found"]), tuple(row["survives"])))
    return tuple(read)


@cache
def _compile(pattern: str) -> "re.Pattern[str]":
    return re.compile(pattern)


def find_denials(words: str) -> Iterator[Fact]:
    """What a claim's words deny of the whole session."""
    folded = ""
    for denial in read_denials():
        if not any(need in words.lower() for need in denial.needs):
            continue
        folded = folded or fold(blank_spans(words))
        if any(not _is_reported(folded, match.start()) for match in _compile(denial.pattern).finditer(folded)):
            yield Fact(denial.kind, "", listed=False)


def _is_reported(words: str, at: int) -> bool:
    return _REPORTED.search(_SENTENCE.split(words[:at])[-1]) is not None


def has_denied(fact: Fact, ledger: Ledger, aside: Aside) -> bool | None:
    """Whether a session never did this: False where it certainly did, None where nobody can tell."""
    if fact.kind == NO_CHANGE:
        return _has_no_change(ledger, aside)
    if any(not one.logged for one in (*ledger.commits, *ledger.commits_elsewhere)) and fact.kind == NO_COMMIT:
        return False
    ran = [each for each in (*ledger.commands.values(), *aside.ledger.commands.values()) if each.begun]
    judged = [_JUDGES[fact.kind](each) for each in ran]
    if any(state is False for state in judged):
        return False
    return True if all(judged) and aside.whole else None


def _has_no_change(ledger: Ledger, aside: Aside) -> bool | None:
    if any(one.changes for one in ledger.files.values()):
        return False
    commands = [*ledger.commands.values(), *aside.ledger.commands.values()]
    return True if aside.whole and not any(each.begun for each in commands) and not aside.ledger.files else None


def _makes_no_commit(each: CommandFact) -> bool | None:
    return True if "commit" not in each.command and not each.command.endswith(CUT) else None


def _makes_no_push(each: CommandFact) -> bool | None:
    steps = [step for step in find_asked(each.command, "git") if step.verb == "push"]
    sent = [step for step in steps if step.sure and NO_PUSH.isdisjoint(step.options)]
    if sent and each.outcome == parts.OK:
        return False
    unsure = "push" in each.command or "pr create" in each.command or each.command.endswith(CUT)
    return None if unsure else True


def _runs_no_test(each: CommandFact) -> bool | None:
    for run in find_runs(each.command):
        if run.program in _RUNNERS or (run.program in _BUILDERS and any(map(_TESTING.match, run.words[:2]))):
            return False
    return None if _OF_TESTS.search(each.command) or each.command.endswith(CUT) else True


_JUDGES = {NO_COMMIT: _makes_no_commit, NO_PUSH_MADE: _makes_no_push, NO_TEST: _runs_no_test}
