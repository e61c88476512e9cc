"""Whether the last commit of a session was pushed, where the session tells it."""

from thruline.session import parts
from thruline.session.ledger import CommandFact, Ledger
from thruline.session.runs import CUT, find_asked, find_runs

PUSHED, KEPT = "pushed", "kept"
# A push that only shows what it would do, or takes something away.
_OTHERWISE = frozenset(("--dry-run", "-n", "--delete", "-d", "--prune", "--tags", "--help", "-h"))
# A remote and a branch; more words may be those of a next line, whose end is the one that is known.
_MOST_NAMED = 2


def find_push(ledger: Ledger, aside: Ledger | None = None) -> tuple[str, int]:
    """PUSHED and the line of the push, KEPT and the line of the last commit, or "" where nobody can tell.

    Errs on the side of silence: a script may push, and so may the end of a long command, which is not kept. `aside` is
    what subagents did, who may push at any time.
    """
    made = [one.line for one in ledger.commits if not one.source and not one.gone and not one.logged]
    if not made:
        return "", 0
    last = made[-1]
    after = [each for each in ledger.commands.values() if each.line >= last and not each.source]
    pushed = [each.line for each in after if each.outcome == parts.OK and _pushes(each, last)]
    if pushed:
        return PUSHED, max(pushed)
    unsure = any("push" in each.command or each.command.endswith(CUT) for each in after if _may_have_worked(each))
    unsure = unsure or any("push" in each for each in (aside.commands if aside is not None else ()))
    return ("", 0) if unsure else (KEPT, last)


def may_push(command: str) -> bool:
    """Whether a command asks git to push, however that ended."""
    if "push" not in command:
        return False
    return any(step.verb == "push" and _OTHERWISE.isdisjoint(step.options) for step in find_asked(command, "git"))


def _may_have_worked(each: CommandFact) -> bool:
    """Whether one of its steps may have ended well, or an earlier run of it."""
    return each.outcome == parts.OK or each.runs > 1 or len(find_runs(each.command)) != 1


def _pushes(each: CommandFact, last: int) -> bool:
    """Whether a command certainly pushed: behind the commit, where it made that as well."""
    if "push" not in each.command:
        return False
    asked = find_asked(each.command, "git")
    verbs = [step.verb for step in asked]
    first = 0
    if each.line == last:
        first = len(verbs) - verbs[::-1].index("commit") if "commit" in verbs else len(verbs)
    return any(
        step.verb == "push" and step.sure and len(step.plain) <= _MOST_NAMED and _OTHERWISE.isdisjoint(step.options)
        for step in asked[first:]
    )
