"""Whether the last commit of a session was pushed, where the session tells it.

That a `git push` ended well does not say so: it may have sent a tag, another branch, or the work of another repository;
and a line such as `git push | tail` ends well where the push was refused. What git printed decides, where it is known.
"""

from thruline.session import parts
from thruline.session.commands import CURRENT, REFUSED, SENT
from thruline.session.commits import CommitFact, count_back
from thruline.session.ledger import CommandFact, Ledger
from thruline.session.runs import CUT, NO_PUSH, SAYING, UNKNOWN, Asked, find_asked, find_runs, may_push, only_says

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

PUSHED, KEPT = "pushed", "kept"
# A remote and a branch; more words may be those of a next line, whose end is the one that is known.
_MOST_NAMED = 2
_HEAD = frozenset(("HEAD", "@"))
_EVERY = frozenset(("--all", "--mirror", "--branches"))
_MOVING = frozenset(("pull", "merge", "switch", "worktree", "rebase", "am", "update-ref", "branch", "symbolic-ref"))
_MOVING_WORDS = (*_MOVING, "checkout", "reset")
# What lays work aside, and pushes nothing.
_STASHED = ("stash push", "stash")
_MAKING = frozenset(("-b", "-B", "-c", "-C", "--orphan"))


def find_push(
    ledger: Ledger, aside: Ledger | None = None, folder: str = "", branches: "Iterable[tuple[int, str]]" = ()
) -> tuple[str, int]:
    """PUSHED and the line of the push, KEPT and the line of the last commit, or "" where nobody can tell.

    Errs on the side of silence: a script may push, and so may the end of a long command, which is not kept. `aside` is
    what subagents did, who may push at any time. `folder` is the project, `branches` are those that the session was
    on, each with the line from which on it was.
    """
    made = [one.line for one in ledger.commits if not one.source and not one.gone and not one.logged]
    # Those of other folders count where there are no others.
    made = made or [one.line for one in ledger.commits_elsewhere if not one.source]
    if not made:
        return "", 0
    last = made[-1]
    commit = next((each for each in ledger.commands.values() if each.line == last), None)
    where = next((step.folder for step in _ask(commit)[::-1] if step.verb == "commit"), "")
    names = _find_branches(ledger, branches, last)
    after = [each for each in ledger.commands.values() if each.line >= last and not each.source]
    judged = [(each, _judge(each, last, where, folder, names)) for each in after]
    pushed = [each.line for each, state in judged if state == PUSHED]
    if pushed:
        return PUSHED, max(pushed)
    unsure = any(not state and _may_have_worked(each) for each, state in judged)
    unsure = unsure or any("push" in each for each in (aside.commands if aside is not None else ()))
    return ("", 0) if unsure else (KEPT, last)


def find_pushed_away(
    ledger: Ledger, aside: Ledger | None = None, folder: str = "", branches: "Iterable[tuple[int, str]]" = ()
) -> "tuple[list[CommitFact], int]":
    """The commits that the last push sent and that a reset, an amendment or a rebase took off the branch since.

    With the line of that push. Nothing where another push may have followed, or where the branch may be another one or
    have got them back: errs on the side of silence.
    """
    gone = [one for one in ledger.commits if one.gone and one.left_at and not one.source and not one.logged]
    if not gone or any("push" in each for each in (aside.commands if aside is not None else ())):
        return [], 0
    # What certainly sent nothing may stand behind it: a push that was rejected for want of force.
    sent = [each for each in ledger.pushes if not each.source and _may_have_pushed(each) and not _was_rejected(each)]
    push = sent[-1] if sent else None
    away = [one for one in gone if push is not None and one.line <= push.line < one.left_at]
    if push is None or not away:
        return [], 0
    first, left = away[0].line, {one.left_at for one in away if one.gone == "rebased"}
    if any(_may_move(each, left) for each in ledger.commands.values() if each.line > first and not each.source):
        return [], 0
    made = next((each for each in ledger.commands.values() if each.line == first), None)
    where = next((step.folder for step in _ask(made)[::-1] if step.verb == "commit"), "")
    state = _judge(push, away[-1].line, where, folder, _find_branches(ledger, branches, away[-1].line))
    return (away, push.line) if state == PUSHED else ([], 0)


def _may_have_pushed(each: CommandFact) -> bool:
    """Whether a command with such a word may have pushed: also a script that is called so."""
    if not _may_have_worked(each):
        return False
    runs = find_runs(each.command.replace(*_STASHED))
    named = [[run.program, *run.words] for run in runs if run.program not in SAYING and run.program != "git"]
    return not runs or may_push(each.command) or any("push" in word for words in named for word in words)


def _was_rejected(each: CommandFact) -> bool:
    """Whether a push certainly sent nothing: as git told, or as its line ended that ends with it."""
    told = {how for _, how in each.pushed}
    if told:
        return REFUSED in told and SENT not in told
    asked = _ask(each)
    alone = sum(step.verb == "push" for step in asked) == 1 and asked[-1].verb == "push" and asked[-1].sure
    return each.outcome == parts.ERROR and alone


def _may_move(each: CommandFact, rebased: "set[int]") -> bool:
    """Whether a command may have changed the branch, or brought a commit back."""
    if each.outcome == parts.REFUSED or not any(word in each.command for word in _MOVING_WORDS):
        return False
    asked = _ask(each)
    if not asked and "git" in each.command:
        return not only_says(each.command)
    return any(_moves(step) and not (step.verb == "rebase" and each.line in rebased) for step in asked)


def _moves(step: Asked) -> bool:
    if step.verb == "checkout":
        return "--" not in step.words
    if step.verb == "reset":  # one that goes further back brings nothing
        named = bool(step.plain) and step.plain[0] != "HEAD" and "--" not in step.words
        return named and not count_back(step)
    return step.verb in _MOVING


def _ask(each: CommandFact | None) -> list[Asked]:
    return find_asked(each.command, "git") if each is not None else []


def _may_have_worked(each: CommandFact) -> bool:
    """Whether one of its steps may have ended well, or an earlier run of it."""
    return each.outcome == parts.OK or each.runs > 1 or len(find_runs(each.command)) != 1


def _judge(each: CommandFact, last: int, where: str, folder: str, names: set[str]) -> str:
    """PUSHED where a command certainly pushed what was committed, KEPT where it certainly did not, else ""."""
    if "push" not in each.command:
        return "" if each.command.endswith(CUT) else KEPT
    asked = _ask(each)
    first = 0
    if each.line == last:  # only behind the commit, where it made that as well
        verbs = [step.verb for step in asked]
        first = len(verbs) - verbs[::-1].index("commit") if "commit" in verbs else len(verbs)
    steps = [step for step in asked[first:] if step.verb == "push" and NO_PUSH.isdisjoint(step.options)]
    here = [step for step in steps if _is_same_place(step.folder, where, folder)]
    if len(here) < len(steps) or not steps:
        return ""
    if each.pushed:
        return _judge_printed(each, here, names)
    sure = [step for step in here if step.sure and len(step.plain) <= _MOST_NAMED]
    return PUSHED if each.outcome == parts.OK and any(_sends(step, names) for step in sure) else ""


def _judge_printed(each: CommandFact, steps: list[Asked], names: set[str]) -> str:
    told = [(name, how) for name, how in each.pushed if not name or name in names | _HEAD]
    if any(how == SENT for _, how in told):
        return PUSHED
    if any(how == REFUSED for _, how in each.pushed):
        return KEPT
    current = any(how == CURRENT for _, how in told)  # it was there already
    return PUSHED if current and any(_sends(step, names) for step in steps) else ""


def _sends(step: Asked, names: set[str]) -> bool:
    """Whether a push sends the branch that is checked out: by default, or by its name."""
    if not _EVERY.isdisjoint(step.options):
        return True
    sent = [word.lstrip("+").partition(":")[0].removeprefix("refs/heads/") for word in step.plain[1:]]
    return not sent or any(name in _HEAD or name in names for name in sent)


def _is_same_place(folder: str, where: str, project: str) -> bool:
    """Whether a push and a commit ran in one repository: in one folder, or both in the project."""
    if UNKNOWN in (folder, where):
        return False
    return folder == where or (_is_inside(folder, project) and _is_inside(where, project))


def _is_inside(folder: str, project: str) -> bool:
    if not folder.startswith(("/", "~")):
        return not folder.startswith("..")
    root = project.rstrip("/")
    return bool(root) and (folder == root or folder.startswith(f"{root}/"))


def _find_branches(ledger: Ledger, branches: "Iterable[tuple[int, str]]", last: int) -> set[str]:
    """What the branch at a line may be called: as the client tells, and as the last `git checkout` before it does."""
    line, name = max([(at, name) for at, name in branches if at <= last], default=(0, ""))
    found = {name} - {""}
    moved, to = 0, ""
    for each in ledger.commands.values():
        if line <= each.line <= last and each.outcome == parts.OK and each.line >= moved and not each.source:
            for step in _ask(each) if "checkout" in each.command or "switch" in each.command else ():
                made = [step.words[at + 1 : at + 2] for at, word in enumerate(step.words) if word in _MAKING]
                named = made[0] if made else step.plain if len(step.plain) == 1 and "--" not in step.words else []
                if step.verb in ("checkout", "switch") and named:
                    moved, to = each.line, named[0]
    return found | ({to} - {""})
