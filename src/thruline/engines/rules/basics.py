"""Basics, from structure: where the work is, what was run and works."""

from collections.abc import Iterable, Iterator

from thruline.brief.attempts.inert import parse_span
from thruline.brief.claims.names import render_command, render_path
from thruline.brief.pointer import place
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import Claim
from thruline.brief.wording import TITLED
from thruline.engines.rules.alike import Core, find_core
from thruline.engines.rules.candidates import ASKED, CONTEXT
from thruline.engines.rules.decided import build_decided, quote_plan
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.material import Message
from thruline.engines.rules.working import find_in_vain, is_looking, is_said_to_fail, rank_command
from thruline.pattern import compile_later
from thruline.session import parts
from thruline.session.ledger import CommandFact
from thruline.session.runs import hides_status

# How projects are built, run and tested, whatever the language; looking around is no basics.
_PROGRAMS = (
    "make|just|task|mise|npm|pnpm|yarn|bunx?|npx|node|deno|python[\\d.]*|pytest|uvx?|pip|poetry|pdm|hatch|tox|nox|cargo|go"
    "|docker|docker-compose|podman|kubectl|gradlew?|mvnw?|dotnet|swift|xcodebuild|ruby|bundle|rake|rails|php|composer|mix"
    "|cmake|ctest|ninja|bazel|terraform|golangci-lint|ruff|mypy|tsc|eslint|vite|wrangler|gcc|clang|sbt|lein|stack|cabal"
    "|zig|flutter|dart"
)
# Where a program runs is set up before it, often in a shell of its own: "(source .venv/bin/activate && pytest)".
_SETTING = r"(?:\(\s*)?(?:(?:source|\.|cd) \S+ *(?:&&|;) *)*"
_WORKS = compile_later(rf"{_SETTING}(?:\S+=\S+ )*(?:(?:[./~]\S*/)?(?:{_PROGRAMS})\b(?! -[ce]\b)|\./\S+)")

# What only asks a program about itself, or what it would do.
_LOOKS = compile_later(
    r"\s(?:--?(?:help|version|list(?:-\w+)?|show-\w+|collect-only|co|markers|fixtures|dry-run|print-\w+)|-h|-V)(?=\s|\Z)"
)

MOST_HANDED, FEWEST_WORDS = 3, 3
# Which part of the room a plan may take that the session was begun with.
PLAN_SHARE, LONGEST_PLAN = 11, 1600
# Which part of it the commands: a session needs few of them, and looks up the others.
COMMANDS_SHARE = 20
LONGEST_COMMAND = 120
# So many commands are told, of the weightiest so many.
MOST_SHOWN, MOST_WEIGHED = 6, 60

# How much of the output was looked at does not make it another command.
_WATCHED = compile_later(
    r"(?:\s+2>&1)?(?:\s*\|\s*(?:tail|head|grep|less|cat|tee)\b(?:\"[^\"]*\"|'[^']*'|[^|&;\"'])*)*(?:\s+2>&1)?\Z"
)


def build_basics(facts: Facts, works: list[CommandFact], room: int) -> list[Claim]:
    """The claims about place, commands and decisions; `works` are those that `find_works` tells."""
    return [*_handed(facts, room), *build_decided(facts, room), *_place(facts), *_commands(works, room)]


def _handed(facts: Facts, room: int) -> Iterator[Claim]:
    """What the session was asked for through the client: a plan to carry out, words behind a slash command."""
    for part in [part for part in facts.material.handed if not part.source][:MOST_HANDED]:
        if part.kind == "plan":
            plan = Message("client", part.kind, part.text, part.line, part.uuid, part.source, 0)
            quote = quote_plan(plan, min(room // PLAN_SHARE, LONGEST_PLAN))
            words = "Begun with a plan:"
        else:
            asked = part.about.strip()
            quote = Quote(asked if asked in part.text else "", place(part.line, uuid=part.uuid), "client")
            words = "Asked with a slash command:"
        if len(quote.text.split()) >= FEWEST_WORDS:  # `/model opus` asks for nothing
            yield Claim(words, (quote,), topic=ASKED, weight=0.6, shown=part.line)


def _place(facts: Facts) -> Iterator[Claim]:
    summary = facts.summary
    title = facts.material.title
    if title is not None and title.value.strip():
        quote = Quote(title.value.strip(), place(title.line, uuid=title.uuid), "client")
        yield Claim(TITLED, (quote,), topic=CONTEXT, weight=0.52)
    if not summary.cwd:
        return
    branch = f" on branch {render_path(summary.branch, 80)}" if summary.branch else ""
    yield Claim(f"In {render_path(summary.cwd)}{branch}.", pointers=(place(1),), topic=CONTEXT, weight=0.5)


def find_works(facts: Facts) -> list[CommandFact]:
    """The commands that ran and worked, the weightiest first: the same for every size of a brief."""
    in_vain = find_in_vain(facts)
    works = [
        each
        for each in facts.ledger.commands.values()
        if each.outcome == parts.OK and not each.source and is_work(each.command) and each.command not in in_vain
    ]
    hidden = {each.command for each in works if hides_status(each.command)}
    works = [each for each in works if each.command not in hidden or not is_said_to_fail(each, facts)]

    def rank(each: CommandFact) -> tuple[int, bool, int, bool, int]:
        unseen = each.command in hidden
        return rank_command(each.command), unseen, -min(each.runs, 3), len(each.command) > 60, -each.line

    return sorted(works, key=rank)[:MOST_WEIGHED]


def _commands(works: list[CommandFact], room: int) -> Iterator[Claim]:
    shown: dict[str, CommandFact] = {}
    steps: dict[str, Core] = {}
    left = max(100, room // COMMANDS_SHARE)
    for fact in works:
        command = strip_watched(fact.command)
        if command in shown or len(command) + 4 > left or len(shown) >= MOST_SHOWN:
            continue
        core = find_core(command)
        if _is_covered(core, steps.values()):
            continue
        # `make test` tells how to test; one of its cases need not be named beside it.
        for narrow in [one for one, known in steps.items() if _is_covered(known, [core])]:
            del shown[narrow], steps[narrow]
            left += len(narrow) + 4
        shown[command], steps[command] = fact, core
        left -= len(command) + 4
    for words, hidden in (("Ran and worked:", False), ("Ran, status not seen:", True)):
        told = {name: fact for name, fact in shown.items() if hides_status(fact.command) == hidden}
        if told:
            lines = sorted(each.line for each in told.values())
            where = place(lines[0], lines[-1] if lines[-1] != lines[0] else 0)
            names = ", ".join(map(_render, told))
            yield Claim(f"{words} {names}", pointers=(where,), topic=CONTEXT, weight=0.53 if hidden else 0.55)


def _is_covered(core: Core, known: Iterable[Core]) -> bool:
    """Whether every step of a command line stands in others, or is one of theirs with more words behind it."""
    steps = [step for each in known for step in each]
    return all(any(words[: len(step)] == step for step in steps) for words in core)


def name_command(command: str) -> str:
    """What a brief shows of a command, without the code span around it."""
    return parse_span(_render(strip_watched(command))) or ""


def _render(command: str) -> str:
    return render_command(command, LONGEST_COMMAND)


def is_work(command: str) -> bool:
    """Whether a command builds, runs or tests something, in one line."""
    command = command.strip()
    if len(command) > 100 or "\n" in command or _WORKS.match(command) is None:
        return False
    return not only_asks(command)


def only_asks(command: str) -> bool:
    """Whether a command only asks a program about itself, or what it would do."""
    return _LOOKS.search(command) is not None or is_looking(command)


def strip_watched(command: str) -> str:
    """A command without what was only done to look at its output."""
    return _WATCHED.sub("", command.strip())
