"""What the model was sent, as text."""

from typing import Any

from tests.clients.world import World


def read_strings(value: Any) -> str:
    """Every text in a value."""
    if isinstance(value, str):
        return value
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return "\n".join(filter(None, map(read_strings, values)))


def read_last(world: World) -> str:
    """Everything the model was sent last."""
    return read_strings(world.requests()[-1])
