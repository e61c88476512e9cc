"""Commands that failed when they last ran, and that nothing shows to pass since.

A check is told where it failed once: whoever goes on must know that it does. Of any other command one failure is an
attempt; that it was tried again tells that it mattered. What shows it to pass since is told in `passed.py`.
"""

from collections.abc import Iterator

from thruline.brief.claims.names import render_command
from thruline.brief.pointer import place
from thruline.brief.section import Claim
from thruline.engines.rules.alike import find_core, has_answer
from thruline.engines.rules.basics import is_work, only_asks, strip_watched
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.open_threads.passed import NOT_RUN, Step, find_kind, find_steps, shows_passed
from thruline.engines.rules.working import CHECKS, rank_command
from thruline.pattern import compile_later
from thruline.session import parts
from thruline.session.ledger import CommandFact

# What a client calls a command that runs on in the background.
_HANDLE = compile_later(r"[\da-z]{4,16}\Z")
# A check that failed after the last change is how the session ended.
_LAST, _EARLIER = 0.9, 0.5


def build_failing(facts: Facts) -> Iterator[Claim]:
    """The newest check that failed last, and the newest other command that was tried more than once."""
    here = facts.summary.cwd.rstrip("/") + "/"
    changed = [fact.last for fact in facts.ledger.files.values() if fact.changes and not fact.source]
    later = _Later()
    told: set[bool] = set()
    for command in sorted(facts.ledger.commands.values(), key=lambda each: -each.line):
        if command.source or (_HANDLE.match(command.command) and any(map(str.isdigit, command.command))):
            continue
        words = command.command.replace(here, "")
        if command.outcome == parts.ERROR:
            check = _is_check(words)
            if check not in told and (check or command.runs > 1) and not later.closes(words, command.exit_status):
                told.add(check)
                yield _build_claim(command, _LAST if check and command.line > max(changed, default=0) else _EARLIER)
        if command.begun:
            later.add(words, command.outcome == parts.OK, command.exit_status)


class _Later:
    """What ran after a command, and ended well; taken apart only where something failed before it."""

    def __init__(self) -> None:
        self._unread: list[tuple[str, bool, int | None]] = []
        self._passed: dict[Step, None] = {}
        self._begun: set[str] = set()  # the programs that there were

    def add(self, words: str, passed: bool, status: int | None) -> None:
        self._unread.append((words, passed, status))

    def closes(self, words: str, status: int | None) -> bool:
        """Whether a command that failed is shown to pass, or tells no failure by its status."""
        if has_answer(find_core(words)):
            return True
        while self._unread:
            self._read(*self._unread.pop())
        steps = find_steps(words) or [(words,)]
        # One step of several failed, and it is not told which: it was a check, if one is among them.
        steps = [step for step in steps if find_kind(step)] or steps
        if status in NOT_RUN and all(step[0] in self._begun for step in steps):
            return True
        return all(any(shows_passed(one, step) for one in self._passed) for step in steps)

    def _read(self, words: str, passed: bool, status: int | None) -> None:
        steps = find_steps(words) or [(words,)]
        if status not in NOT_RUN:
            self._begun.update(step[0] for step in steps)
        if passed and not only_asks(words):
            self._passed.update(dict.fromkeys(steps))


def _is_check(words: str) -> bool:
    return is_work(strip_watched(words)) and rank_command(words) == CHECKS


def _build_claim(command: CommandFact, weight: float) -> Claim:
    status = f", exit {command.exit_status}" if command.exit_status else ""
    words = f"{render_command(command.command, 100)} failed when it last ran{status}."
    return Claim(words, pointers=(place(command.line),), weight=weight)
