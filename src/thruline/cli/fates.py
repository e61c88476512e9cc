"""What became of a model's claims, for both commands that make a brief of them."""

from collections.abc import Sequence
from typing import Any

from thruline.brief.model.fate import Fate, count_fates, tell_fates
from thruline.cli.terminal import say


def say_fates(fates: Sequence[Fate]) -> None:
    """One line on stderr for each section and for each thing that became of its claims."""
    for line in tell_fates(fates):
        say(line, err=True)


def build_fates_fields(fates: Sequence[Fate]) -> dict[str, Any]:
    """The same for JSON, with the claims of which all is well."""
    claims = [
        {"section": one.section, "claim": one.claim, "what": one.what, "places": list(one.places)} for one in fates
    ]
    return {"counts": dict(count_fates(fates)), "claims": claims}
