"""Which clients can be told something, and how much at once: those whose folder has a `wire`, which knows."""

from thruline.harnesses.capability import find_able, load
from thruline.harnesses.registry import Harness


def find_tellable() -> list[Harness]:
    """The clients that our hooks can speak to."""
    return find_able("wire")


def find_limit(harness: Harness) -> int:
    """How long a text the client takes, as it counts."""
    limit: int = load(harness, "wire").LIMIT
    return limit


def find_block_limit(harness: Harness) -> int:
    """How long a prompt may be that keeps a turn of the client going; 0 where it takes any, or none of ours."""
    limit: int = load(harness, "wire").BLOCK_LIMIT if harness in find_tellable() else 0
    return limit


def measure_text(harness: Harness, text: str) -> int:
    """How long a text is, as the client counts; never more than its bytes."""
    length: int = load(harness, "wire").measure_text(text)
    return length
