"""Which clients can be told something, and how much at once: those whose folder has a `wire`, which knows."""

import importlib
import os
from types import ModuleType

from thruline.harnesses.registry import HARNESSES, Harness


def find_tellable() -> list[Harness]:
    """The clients that our hooks can speak to."""
    here = os.path.dirname(os.path.abspath(__file__))
    return [
        harness
        for harness in HARNESSES
        if os.path.isfile(os.path.join(here, harness.package.rpartition(".")[2], "wire.py"))
    ]


def find_limit(harness: Harness) -> int:
    """How long a text the client takes, as it counts."""
    limit: int = _wire(harness).LIMIT
    return limit


def measure_text(harness: Harness, text: str) -> int:
    """How long a text is, as the client counts; never more than its bytes."""
    length: int = _wire(harness).measure_text(text)
    return length


def _wire(harness: Harness) -> ModuleType:
    return importlib.import_module(f"{harness.package}.wire")
