"""One thing that a check has to say."""

from dataclasses import dataclass

OK, NOTE, BROKEN = "ok", "note", "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found. `state` is `ok`, `note` or `broken`; `fix` says what to do, empty where nothing is.

    `automatic` says that `thruline doctor --fix` does it.
    """

    name: str
    state: str
    what: str
    fix: str = ""
    automatic: bool = False
