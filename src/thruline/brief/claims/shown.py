"""What a brief may call a command: each is rendered once, however many claims are held against it."""

from collections.abc import Callable

from thruline.brief.attempts.inert import parse_span
from thruline.brief.claims.called import LENGTHS
from thruline.brief.claims.names import render_command
from thruline.brief.quotation.quote import CUT

# A name that was cut is as long as one may be, but for blanks at the cut.
_CUT_AT = min(LENGTHS) - 20

# A secret may stand first, and prose.
_REDACTED = "["


class Shown:
    """Tells whether a name may be that of a command; `name_command` makes of a command what a brief shows."""

    def __init__(self, name_command: Callable[[str], str]) -> None:
        self._name_command = name_command
        self._names: dict[str, tuple[str, frozenset[str]]] = {}

    def is_shown(self, name: str, command: str) -> bool:
        """Whether a brief may call this command so."""
        if not command or name[:1] not in (command.lstrip()[:1], CUT, _REDACTED):
            return False
        known = self._names.get(command)
        if known is None:
            whole = self._name_command(command)
            rendered = {parse_span(render_command(command, most)) or "" for most in LENGTHS}
            known = self._names[command] = whole, frozenset(rendered - {""} | {whole})
        whole, names = known
        return name in names or (name.endswith(CUT) and len(name) > _CUT_AT and whole.startswith(name[: -len(CUT)]))
