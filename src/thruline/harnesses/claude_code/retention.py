"""How long this client keeps a transcript. At its start it deletes those that were last written longer ago."""

import json
import os

from thruline.harnesses.claude_code.find import find_homes

DEFAULT_DAYS = 30.0


def read_retention(env: dict[str, str], home: str) -> list[tuple[str, float]]:
    """Each folder with transcripts, and after how many days the client deletes one that lies in it."""
    return [(os.path.join(config, "projects"), _read_days(config)) for config in find_homes(env, home)]


def _read_days(config: str) -> float:
    # The last word counts. What a project says is left out: transcripts of all projects lie in one place.
    days = DEFAULT_DAYS
    for name in ("settings.json", "settings.local.json"):
        try:
            with open(os.path.join(config, name), "rb") as file:
                value = json.loads(file.read(1 << 20))
        except (OSError, ValueError, RecursionError):
            continue
        told = value.get("cleanupPeriodDays") if isinstance(value, dict) else None
        if isinstance(told, int | float) and not isinstance(told, bool) and told >= 0:
            days = float(told)
    return days
