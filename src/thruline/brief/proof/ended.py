"""How a session stands at its end and what was refused in it, folded from its parts: proof for `standing.py`."""

from collections.abc import Callable, Container, Iterable, Iterator

from thruline.brief.claims import standing
from thruline.brief.claims.called import is_called, is_named, is_path, name_call
from thruline.brief.claims.shown import Shown
from thruline.brief.claims.stated import CREATED, DELETED, EDITED, Fact
from thruline.brief.pointer import Pointer
from thruline.brief.proof.maybe_back import MaybeBack
from thruline.brief.proof.placed import is_at, is_part
from thruline.brief.proof.plans import PLAN_KINDS, Plans
from thruline.brief.proof.printed import shows_run
from thruline.brief.proof.set_aside import SetAside
from thruline.brief.proof.turns import Turns
from thruline.brief.quotation.quote import CUT, MARKER
from thruline.session import parts
from thruline.session.files import FileFact
from thruline.session.ledger import PROSE, Ledger
from thruline.session.summary import Summary
from thruline.signals.agent import announces

_CHANGING = ("edit", "write")
# What must be owed a run or a commit; what only commands wrote or moved may be ignored by git.
_OWED = (CREATED, EDITED, DELETED)
_OPEN = ("pending", "in_progress")


class Ended:
    """Give it each part of the session itself with `see`; `has` tells at the end, by the ledger of the same parts."""

    def __init__(self, ledger: Ledger, name_command: Callable[[str], str]) -> None:
        self.summary = Summary()
        self._ledger = ledger
        self._shown = Shown(name_command)
        self._calls: dict[str, parts.Call] = {}
        self._bad: list[tuple[parts.Call, parts.Result]] = []
        self._rejections: list[parts.Said] = []
        self._handed: list[parts.Said] = []
        self._asked: list[parts.Asked] = []
        self._plans = Plans(ledger, self._changed)
        self._rewinds: list[parts.Rewound] = []
        self._tasks: list[parts.Tasks] = []
        self.branches: list[tuple[int, str]] = []
        self._tried = 0  # where a person last showed what a program printed
        self.turns = Turns()
        self.maybe_back = MaybeBack(ledger)
        self.aside = SetAside(ledger)

    def see(self, part: parts.Part) -> None:
        """Takes one part in."""
        self.summary.see(part)
        self.turns.see(part)
        if isinstance(part, parts.Call):
            self._calls[part.call_id] = part
        elif isinstance(part, parts.Result):
            call = self._calls.pop(part.call_id, None)
            if call is not None and part.outcome != parts.OK:
                self._bad.append((call, part))
            elif call is not None:
                self.maybe_back.see(call)
        elif isinstance(part, parts.Said):
            if part.by == "human":
                self._tried = part.line if not part.source and shows_run(part.text) else self._tried
                self._rejections += [part] if part.kind == "rejection" else []
            elif part.by == "client" and part.kind in ("plan", "command"):
                self._handed.append(part)
        elif isinstance(part, parts.Asked):
            self._asked.append(part)
        elif isinstance(part, parts.Planned):
            self._plans.see(part)
        elif isinstance(part, parts.Rewound):
            self._rewinds.append(part)
        elif isinstance(part, parts.Tasks):
            self._tasks.append(part)
        elif isinstance(part, parts.Changed) and part.name == "branch" and not part.source:
            self.branches.append((part.line, part.value))

    def find_untold(self, told: Container[str]) -> Iterator[str]:
        """What must be told of how the session stands, by its kind, and is not among what is `told`.

        Errs on the side of silence: of a file that may be as it was before nobody need tell anything.
        """
        sure = [one for one in self._changed() if one.judge() in _OWED and not self.maybe_back.may_be_back(one)]
        own = [one.line for one in self._ledger.commits if not one.source]
        ran = [one.begun for one in self._ledger.commands.values() if not one.source]
        after = [one for one in sure if one.last > max(own, default=0) and self._is_inside(one.path)]
        unproved = [one.last for one in sure if one.last > max(ran, default=0) and not one.path.lower().endswith(PROSE)]
        if unproved and self._tried < max(unproved) and standing.UNTESTED not in told:
            yield standing.UNTESTED
        if after and own and standing.LEFT not in told:
            yield standing.LEFT
        alone = not self._has_committed() and not self.summary.subagents
        if after and alone and standing.UNCOMMITTED not in told:
            yield standing.UNCOMMITTED

    def has_changed(self) -> bool:
        """Whether the session itself changed a file, or made a commit."""
        return any(self._changed()) or any(not one.source and not one.gone for one in self._ledger.commits)

    def was_refused(self) -> bool:
        """Whether somebody refused a call with a reason, or a plan with none approved after it, or went back."""
        return self._plans.was_refused() or bool(self._rewinds) or any(one.text.strip() for one in self._rejections)

    def _is_inside(self, path: str) -> bool:
        root = self.summary.cwd.rstrip("/\\")
        # One that is called like a place elsewhere (`~x`) is told as one: of that nobody need say more.
        inside = bool(root) and path.startswith((f"{root}/", f"{root}\\"))
        return inside and not path[len(root) + 1 :].startswith(("/", "~", "…", "../"))

    def has(self, fact: Fact) -> bool:
        """Whether the session stands as this says."""
        if fact.kind in PLAN_KINDS:
            return self._plans.has(fact)
        check = _CHECKS.get(fact.kind)
        return self.summary.state == fact.kind if check is None else check(self, fact)

    # --- what is left -------------------------------------------------------------------------------------------

    def _is_untested(self, _: Fact) -> bool:
        ran = [one.begun for one in self._ledger.commands.values() if not one.source]
        return any(one.last > max(ran, default=0) for one in self._changed())

    def _is_uncommitted(self, _: Fact) -> bool:
        return not self._has_committed() and any(self._changed())

    def _has_committed(self) -> bool:
        return bool(self._ledger.commits or self._ledger.commits_elsewhere)

    def _is_left(self, fact: Fact) -> bool:
        committed = max((made.line for made in self._ledger.commits if not made.source), default=0)
        after = [one for one in self._changed() if one.last > committed]
        return (
            self._has_committed() and fact.count <= len(after) and any(is_called(fact.name, one.path) for one in after)
        )

    def _is_stashed(self, fact: Fact) -> bool:
        return self.aside.is_stashed(fact)

    def _is_pushed_away(self, fact: Fact) -> bool:
        return self.aside.is_pushed_away(fact, self.summary.cwd, self.branches)

    def _has_tasks(self, fact: Fact) -> bool:
        last = [one for one in self._tasks if not one.source][-1:]
        left = [text for one in last for text, status in one.items if status in _OPEN and text.strip()]
        return fact.count < len(left)

    def _has_task(self, fact: Fact) -> bool:
        wanted = "in_progress" if fact.kind == standing.BEGUN else "pending"
        told = [item for one in self._tasks if is_at(fact, one.line, one.source) for item in one.items]
        return any(status == wanted and is_part(fact.said, text) for text, status in told)

    def _is_asked(self, fact: Fact) -> bool:
        told = [one for one in self._asked if is_part(fact.said, one.question)]
        return bool(told) and not any(one.answer.strip() for one in told)

    def _is_passed_over(self, fact: Fact) -> bool:
        told = [one for one in self._asked if is_at(fact, one.line, one.source) and one.answer.strip() in one.options]
        return any(fact.said in one.options and fact.said != one.answer.strip() for one in told)

    def _is_announced(self, fact: Fact) -> bool:
        """Whether the last words before nothing more was changed are quoted, and announce something."""
        last = max([*(one.last for one in self._changed()), *(one.line for one in self._ledger.commits)], default=0)
        late = all(place.source or place.line >= last for place in fact.places)
        # What was left out, is a secret or is quoted elsewhere may be what announces.
        unsaid = not fact.said or CUT in fact.said or MARKER.search(fact.said) is not None
        return late and (unsaid or announces(fact.said))

    def _changed(self) -> Iterator[FileFact]:
        return (one for one in self._ledger.files.values() if one.changes and not one.source)

    # --- calls that failed or were refused ----------------------------------------------------------------------

    def _has_change(self, fact: Fact) -> bool:
        outcome = parts.ERROR if fact.kind == standing.CHANGE_FAILED else parts.REFUSED
        for call, result in self._bad:
            if result.outcome != outcome or call.action not in _CHANGING or not is_called(fact.name, call.target):
                continue
            later = any(one.path == call.target and one.last > result.line for one in self._changed())
            if later == (fact.kind == standing.CHANGED_AFTER):
                return True
        return False

    def _has_failed(self, fact: Fact) -> bool:
        ran = [one for one in self._ledger.commands.values() if one.outcome == parts.ERROR and not one.source]
        told = [one for one in ran if fact.file in (str(one.exit_status or standing.NO_STATUS), "")]
        return any(is_at(fact, one.line, one.source) and self._shown.is_shown(fact.name, one.command) for one in told)

    def _has_worked(self, fact: Fact) -> bool:
        ran = [one for one in self._ledger.commands.values() if one.outcome == parts.OK and not one.source]
        return any(is_at(fact, one.line, one.source) and self._shown.is_shown(fact.name, one.command) for one in ran)

    def _has_failure(self, fact: Fact) -> bool:
        there = [call for call, result in self._bad if is_at(fact, result.line, result.source)]
        return any(self._shown.is_shown(fact.name, call.target) for call in there)

    def _has_refusal(self, fact: Fact) -> bool:
        # What is said to have been done later was done where the claim points as well.
        done = [(one.line, one.source) for one in self._ledger.commands.values() if one.outcome == parts.OK]
        done += [(one.line, one.source) for one in self._ledger.commits]
        if fact.file and not any(is_at(fact, *place) for place in done):
            return False
        return any(fact.name in name_call(one.about) for one in self._rejections if is_at(fact, one.line, one.source))

    # --- rewinds, where it was ---------------------------------------------------------------------------

    def _is_handed(self, fact: Fact) -> bool:
        wanted = "plan" if fact.kind == standing.HANDED_PLAN else "command"
        return any(one.kind == wanted for one in self._handed if is_at(fact, one.line, one.source))

    def _is_rewound(self, fact: Fact) -> bool:
        return any(_covers(one, fact.places) for one in self._rewinds)

    def _is_given_up(self, fact: Fact) -> bool:
        ended = [call for call, _ in self._bad if call.action == "delegate"]
        return any(is_part(fact.said, call.target) for call in ended)

    def _is_undone(self, fact: Fact) -> bool:
        """Whether an edit of such a file undid another at that place, after the user spoke at the other, if told."""
        lines = [line for path, at in self.maybe_back.undone.items() if is_named(fact.name, path) for line in at]
        return any(is_at(fact, line) and self._is_answer(fact, line) for line in lines)

    def _is_put_back(self, fact: Fact) -> bool:
        work = [(command, line) for command, line in self.maybe_back.work if is_at(fact, line)]
        told = [command for command, line in work if self._is_answer(fact, line)]
        return any(self._shown.is_shown(fact.name, command) for command in told)

    def _is_answer(self, fact: Fact, undone: int) -> bool:
        before = [line for line in self.turns.answered if line < undone]
        return fact.file != standing.ANSWER or any(is_at(fact, line) for line in before)

    def _is_folder(self, fact: Fact) -> bool:
        return is_path(fact.name, self.summary.cwd)

    def _is_branch(self, fact: Fact) -> bool:
        return is_path(fact.name, self.summary.branch)


_CHECKS: dict[str, Callable[[Ended, Fact], bool]] = {
    standing.UNTESTED: Ended._is_untested,
    standing.UNCOMMITTED: Ended._is_uncommitted,
    standing.LEFT: Ended._is_left,
    standing.LAID_ASIDE: Ended._is_stashed,
    standing.PUSHED_AWAY: Ended._is_pushed_away,
    standing.TASKS: Ended._has_tasks,
    standing.BEGUN: Ended._has_task,
    standing.WAITING: Ended._has_task,
    standing.ASKED: Ended._is_asked,
    standing.NOT_CHOSEN: Ended._is_passed_over,
    standing.ANNOUNCED: Ended._is_announced,
    standing.CHANGE_FAILED: Ended._has_change,
    standing.CHANGE_REFUSED: Ended._has_change,
    standing.CHANGED_AFTER: Ended._has_change,
    standing.FAILED: Ended._has_failed,
    standing.FAILED_THEN: Ended._has_failure,
    standing.WORKED: Ended._has_worked,
    standing.REFUSED: Ended._has_refusal,
    standing.HANDED_PLAN: Ended._is_handed,
    standing.HANDED_COMMAND: Ended._is_handed,
    standing.REWOUND: Ended._is_rewound,
    standing.GIVEN_UP: Ended._is_given_up,
    standing.UNDONE_EDIT: Ended._is_undone,
    standing.UNDONE_WORK: Ended._is_put_back,
    standing.FOLDER: Ended._is_folder,
    standing.BRANCH: Ended._is_branch,
}


def _covers(rewound: parts.Rewound, places: Iterable[Pointer]) -> bool:
    return any(rewound.first <= place.line <= rewound.last for place in places)
