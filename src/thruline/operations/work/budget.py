"""In which sizes notes for a next session are made: one for each length that some client takes."""

from thruline.harnesses.telling import find_limit, find_tellable
from thruline.inject.render import measure_notes
from thruline.spine.budget import BYTES_PER_TOKEN


def find_budgets() -> set[int]:
    """The sizes, in tokens."""
    return {build_budget(find_limit(harness)) for harness in find_tellable()}


def build_budget(limit: int) -> int:
    """The tokens of the notes for a client that takes texts of this length."""
    return measure_notes(limit) // BYTES_PER_TOKEN
