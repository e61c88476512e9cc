"""Commands that failed when they last ran, and that nothing shows to pass since.

A check is told where it failed once: whoever goes on must know that it does. Of any other command one failure is an
attempt; that it was tried again tells that it mattered. The side it errs on: what passed since under the same words,
or more widely (`make test` for `make test -k one`), is passed.
"""

from collections.abc import Iterator

from thruline.brief.names import render_command
from thruline.brief.pointer import place
from thruline.brief.section import Claim
from thruline.engines.rules.alike import find_core, has_answer
from thruline.engines.rules.basics import is_work, strip_watched
from thruline.engines.rules.facts import Facts
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
    passed: set[tuple[str, ...]] = set()
    unread: list[str] = []  # to take a line apart is dear, and is only needed where something failed before it
    told: set[bool] = set()
    for command in sorted(facts.ledger.commands.values(), key=lambda each: -each.line):
        if command.source or (_HANDLE.match(command.command) and any(map(str.isdigit, command.command))):
            continue
        words = command.command.replace(here, "")
        if command.outcome == parts.OK:
            unread.append(words)
        elif command.outcome == parts.ERROR:
            check = _is_check(words)
            if check in told or not (check or command.runs > 1):
                continue
            core = find_core(words)
            while unread:
                passed |= find_core(unread.pop())
            if has_answer(core) or all(_has_passed(step, passed) for step in core):
                continue
            told.add(check)
            yield _build_claim(command, _LAST if check and command.line > max(changed, default=0) else _EARLIER)


def _is_check(words: str) -> bool:
    return is_work(strip_watched(words)) and rank_command(words) == CHECKS


def _has_passed(step: tuple[str, ...], passed: set[tuple[str, ...]]) -> bool:
    """Whether a step ended well since, or a wider one: with fewer words behind it."""
    return any(step[:count] in passed for count in range(1, len(step) + 1))


def _build_claim(command: CommandFact, weight: float) -> Claim:
    status = f", exit {command.exit_status}" if command.exit_status else ""
    words = f"{render_command(command.command, 100)} failed when it last ran{status}."
    return Claim(words, pointers=(place(command.line),), weight=weight)
