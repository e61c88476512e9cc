"""Which of the commands that ended well are worth knowing: those that verify or build, not what only sets up or looks.

That a command ended well is not that it helped. The fact this rests on: who is not helped by an installation says so in
the next message. The side it errs on: a test that ran is worth knowing, whatever was said of its result, unless a pipe
hides how it ended.
"""

from bisect import bisect_right
from functools import lru_cache

from thruline.engines.rules.candidates import SURE
from thruline.engines.rules.cues import FAILING, find_cues
from thruline.engines.rules.facts import Facts
from thruline.pattern import compile_later
from thruline.session.ledger import CommandFact

CHECKS, RUNS, SETS_UP = range(3)
# So much of what is said after a run tells how it ended.
MOST_READ = 400

# A program with what is set before it, at the beginning of a step; some have a word for the part that is asked.
_STEP = r"(?:\A|&&|\|\||;)\s*(?:\w+=\S+ )*(?:sudo )?\S+ (?:(?:tool|pip|mod|cache|compose|container|image|-\S+) )*"
_LOOKING = compile_later(
    _STEP
    + r"(?:list|ls|show|search|info|view|ps|logs|get|describe|images|outdated|tree|freeze|docs?|env|version|why|which"
    r"|inspect|history|status|metadata|dir|help)(?=\s|\Z)"
)
# A task of a project may be called anything, and so may what is run by an interpreter.
_NAMED = compile_later(
    r"(?:\w+=\S+ )*(?:\S*/)?(?:(?:make|just|task|mise|rake|(?:npm|pnpm|yarn|bun|uv|go|cargo|poetry) run)\b|\./)"
)
_SETS_UP = compile_later(
    _STEP
    + r"(?:(?:un|re)?install|add|remove|upgrade|update|sync|ci|clean|prune|init|tidy|download|pull|login)(?=\s|\Z)"
)
_CHECKS = compile_later(
    r"test|\bspecs?\b|check|\blint|build|compile|\bvet\b|clippy|\btox\b|\bnox\b|\bruff\b|mypy|\btsc\b|verify|\bbench"
    r"|\bmake\s*\Z|\bninja\b|xcodebuild|\bmvnw?\b|gradle"
)


def is_looking(command: str) -> bool:
    """Whether a command only lists or searches."""
    return _NAMED.match(command) is None and _LOOKING.match(command) is not None


# Asked of every command for every size of a brief that is tried.
@lru_cache(maxsize=4096)
def rank_command(command: str) -> int:
    """CHECKS, RUNS or SETS_UP: the lower, the more worth knowing."""
    if _NAMED.match(command) is None and _SETS_UP.search(command):
        return SETS_UP
    return CHECKS if _CHECKS.search(command) else RUNS


def find_in_vain(facts: Facts) -> set[str]:
    """Commands that set something up and did not help: the user corrected the agent in the next message."""
    corrected = {
        one.line
        for one in facts.signals
        if one.kind == "correction" and one.strength >= SURE and not one.source and not one.withdrawn
    }
    if not corrected:
        return set()
    lines = [message.line for message in facts.material.humans() if not message.source]
    return {fact.command for fact in facts.ledger.commands.values() if _is_corrected(fact, lines, corrected)}


def _is_corrected(fact: CommandFact, lines: list[int], corrected: set[int]) -> bool:
    if fact.source or rank_command(fact.command) != SETS_UP:
        return False
    return next((line for line in lines if line > fact.line), 0) in corrected


def is_said_to_fail(fact: CommandFact, facts: Facts) -> bool:
    """Whether the agent's next words after a run say that something does not work."""
    messages = facts.material.messages
    after = bisect_right(messages, fact.line, key=lambda message: message.line)
    said = next((one for one in messages[after:] if not one.source), None)
    return said is not None and said.by == "agent" and bool(find_cues(said.text[:MOST_READ], FAILING))
