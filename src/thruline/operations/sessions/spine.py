"""The spine of a session, as text, entry by entry."""

from collections.abc import Iterator

from thruline.operations.sessions.locate import Located
from thruline.operations.sessions.reading import Reading
from thruline.spine.build import build_spine
from thruline.spine.entry import Entry, render_entry


def build_entries(located: Located) -> Iterator[Entry]:
    """The entries in order; nothing is held but what waits for its result."""
    return build_spine(Reading(located, tokens=False))


def render_spine(located: Located) -> Iterator[str]:
    """The entries as text."""
    for entry in build_entries(located):
        yield render_entry(entry)
