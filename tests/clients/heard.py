"""What the model was sent, as text."""

from collections.abc import Iterator
from typing import Any

from tests.clients.world import World


def find_strings(value: Any) -> Iterator[str]:
    """Every text in a value, one after another."""
    if isinstance(value, str):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from find_strings(each)


def read_strings(value: Any) -> str:
    """Every text in a value."""
    return "\n".join(filter(None, find_strings(value)))


def read_last(world: World) -> str:
    """Everything the model was sent last."""
    return read_strings(world.requests()[-1])
