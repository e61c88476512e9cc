"""The commands of a session that tell whether its work holds: they become the validators of a packet."""

import re

from thruline.brief.claims.names import is_command
from thruline.engines.rules import Facts
from thruline.engines.rules.basics import is_work, strip_watched
from thruline.redact import redact
from thruline.session import parts

_MOST = 6
_TESTS = re.compile(
    r"\b(?:tests?|pytest|unittest|tox|nox|jest|vitest|mocha|rspec|ctest|check|lint|ruff(?! format)|mypy|tsc|eslint"
    r"|clippy|vet)\b"
)
# What only lists or tells, and proves nothing.
_LOOKS = re.compile(r"(?<!\S)--(?:collect-only|co|markers|fixtures|help|version|list(?:-tests)?|dry-run)\b")


def find_validators(facts: Facts) -> tuple[str, ...]:
    """The passed before the failed, the ones run most first; each once, however its output was looked at."""
    ran = [
        each
        for each in facts.ledger.commands.values()
        if not each.source and is_work(each.command) and _is_test(strip_watched(each.command))
    ]
    ran.sort(key=lambda each: (each.outcome != parts.OK, -min(each.runs, 3), -each.line))
    # They are run in the project's root, wherever that is: a path of the session's machine would be found nowhere else.
    here = facts.summary.cwd.rstrip("/") + "/" if facts.summary.cwd.rstrip("/") else ""
    commands = dict.fromkeys(_drop_folder(strip_watched(each.command), here) for each in ran)
    # One with a pipe tells how its output ends, and one of parts that stand here already tells nothing new.
    commands = {one: None for one in commands if "|" not in one.replace("||", "")}
    parts_of = {one: [part.strip() for part in one.split("&&")] for one in commands}
    whole = [one for one in commands if len(parts_of[one]) == 1 or any(part not in commands for part in parts_of[one])]
    # A secret in a command line would be tracked by git with the packet, and words in one would be read in it.
    return tuple(one for one in whole if redact(one).text == one and is_command(one))[:_MOST]


def _is_test(command: str) -> bool:
    return _TESTS.search(command) is not None and _LOOKS.search(command) is None


def _drop_folder(command: str, folder: str) -> str:
    return " ".join(word.removeprefix(folder) or "." for word in command.split(" ")) if folder else command
