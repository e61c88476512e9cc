"""What a client can do: which modules its folder has. No table says it a second time.

Every list of sessions imports this module, as it does the registry.
"""

import os
import sys

from thruline.harnesses.registry import HARNESSES, Harness

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

_HERE = os.path.dirname(os.path.abspath(__file__))


def has(harness: Harness, capability: str) -> bool:
    """Whether the client's folder has that module, or a folder of that name."""
    path = os.path.join(_HERE, harness.package.rpartition(".")[2], capability)
    return os.path.isfile(path + ".py") or os.path.isdir(path)


def find_able(capability: str) -> "list[Harness]":
    """The clients that have that module, in the registry's order."""
    return [harness for harness in HARNESSES if has(harness, capability)]


def find_named(capability: str, name: str) -> "Harness | None":
    """The client of that name, where it has that module."""
    return next((harness for harness in find_able(capability) if harness.name == name), None)


def load(harness: Harness, capability: str) -> "ModuleType":
    """That module of the client's."""
    name = f"{harness.package}.{capability}"
    __import__(name)  # not importlib: a list of sessions pays for the `warnings` that it brings along
    return sys.modules[name]
