"""The plans of a session and what became of them, folded from its parts: proof for what `standing.py` tells."""

from collections.abc import Callable, Iterable

from thruline.brief.claims import standing
from thruline.brief.claims.stated import Fact
from thruline.brief.proof.placed import is_part
from thruline.brief.proof.planned import find_name, find_planned_command, find_planned_files
from thruline.session import parts
from thruline.session.files import FileFact
from thruline.session.ledger import Ledger

_PROPOSED, _VERDICTS = "proposed", ("approved", "refused")


class Plans:
    """Give it each plan with `see`; `has` tells at the end, by the files that were `changed`."""

    def __init__(self, ledger: Ledger, changed: Callable[[], Iterable[FileFact]]) -> None:
        self._ledger = ledger
        self._changed = changed
        self._plans: list[parts.Planned] = []

    def see(self, part: parts.Planned) -> None:
        """Takes one in."""
        self._plans.append(part)

    def was_refused(self) -> bool:
        """Whether the last verdict was a refusal."""
        return [one.verdict for one in self._plans if one.verdict in _VERDICTS][-1:] == ["refused"]

    def has(self, fact: Fact) -> bool:
        """Whether this became of such a plan."""
        return _CHECKS[fact.kind](self, fact)

    def _has_plan(self, fact: Fact) -> bool:
        verdict = "refused" if fact.kind == standing.PLAN_REFUSED else "approved"
        calls = {one.call_id for one in self._plans if one.call_id and is_part(fact.said, one.text)}
        judged = [one for one in self._plans if one.verdict == verdict]
        return any(one.call_id in calls or is_part(fact.said, one.text) for one in judged)

    def _is_last_plan(self, fact: Fact) -> bool:
        own = [one for one in self._plans if not one.source]
        told = {one.call_id: one.text for one in own if one.call_id and one.verdict == _PROPOSED and one.text.strip()}
        texts = [(one, told.get(one.call_id, one.text)) for one in own]
        last, text = max(((one, text) for one, text in texts if text.strip()), key=_find_line, default=(None, ""))
        if last is None or not is_part(fact.said, text):
            return False
        verdict = last.verdict if last.verdict in _VERDICTS else standing.NO_VERDICT
        made = [one.line for one in self._ledger.commits if not one.source]
        made += [one.last for one in self._changed()]
        return fact.file == verdict and max(made, default=0) <= last.line

    def _is_unchanged(self, fact: Fact) -> bool:
        since = self._find_since(fact)
        names = {find_name(one.path) for one in self._changed() if one.last > since}
        return names.isdisjoint(find_planned_files(fact.said))

    def _is_not_run(self, fact: Fact) -> bool:
        since = self._find_since(fact)
        ran = [one.command for one in self._ledger.commands.values() if one.line > since and not one.source]
        planned = find_planned_command(fact.said)
        return not planned or not any(planned in command for command in ran)

    def _find_since(self, fact: Fact) -> int:
        """The line from which on a plan counts: where it was approved last, or where it stands."""
        calls = {one.call_id for one in self._plans if one.call_id and is_part(fact.said, one.text)}
        judged = [one.line for one in self._plans if one.call_id in calls or is_part(fact.said, one.text)]
        return max([*judged, *(place.line for place in fact.places)], default=0)


def _find_line(told: tuple[parts.Planned, str]) -> int:
    return told[0].line


_CHECKS: dict[str, Callable[[Plans, Fact], bool]] = {
    standing.PLAN_REFUSED: Plans._has_plan,
    standing.PLAN_APPROVED: Plans._has_plan,
    standing.PLAN_LAST: Plans._is_last_plan,
    standing.PLAN_UNCHANGED: Plans._is_unchanged,
    standing.PLAN_NOT_RUN: Plans._is_not_run,
}
PLAN_KINDS = frozenset(_CHECKS)
