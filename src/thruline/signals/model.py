"""Small trained judges of a message: is it a correction, a decision, a constraint, and of which variety.

A judge adds two opinions: weights of single features, and small trees that see features together. Both were learned
by `tools/train` from labelled messages; the numbers are data (`weights.json`), the arithmetic is here, and nothing but
the standard library is needed.
"""

import json
from collections.abc import Set
from functools import cache
from importlib.resources import files
from math import exp
from typing import Any

# A tree is a list: [feature, left, right] with left for "absent", or a number at the leaf.
Tree = Any

# How much a block of words may weigh in all: a long message is not a surer one.
BLOCKS = {"w:": 2.0, "a:": 1.5, "c:": 1.5}


class Judge:
    """One question's weights. `low` and `high` are the strengths from which a message counts, and counts as sure."""

    __slots__ = ("bias", "high", "low", "scale", "shift", "trees", "weights")

    def __init__(self, fields: dict[str, Any]) -> None:
        self.bias: float = fields["bias"]
        self.weights: dict[str, float] = fields["weights"]
        self.trees: list[Tree] = fields.get("trees", [])
        self.scale: float = fields["scale"]
        self.shift: float = fields["shift"]
        self.low: float = fields["low"]
        self.high: float = fields["high"]

    def score(self, features: Set[str]) -> float:
        """How much speaks for it, unbounded; only the order means something."""
        return add_weights(self.bias, self.weights, features) + add_trees(self.trees, features)

    def judge(self, features: Set[str]) -> float:
        """How sure it is, between 0 and 1."""
        return 1 / (1 + exp(-self.scale * self.score(features) - self.shift))


def scale_blocks(features: Set[str]) -> dict[str, float]:
    """What one feature of each block of words counts for in this message."""
    counts = dict.fromkeys(BLOCKS, 0)
    for name in features:
        block = name[:2]
        if block in counts:
            counts[block] += 1
    return {block: BLOCKS[block] / count**0.5 for block, count in counts.items() if count}


def add_weights(bias: float, weights: dict[str, float], features: Set[str]) -> float:
    """The sum of the weights of `features`."""
    scales = scale_blocks(features)
    total = bias
    for name in features:
        weight = weights.get(name)
        if weight is not None:
            total += weight * scales.get(name[:2], 1.0)
    return total


def add_trees(trees: list[Tree], features: Set[str]) -> float:
    """The sum of the leaves that `features` lead to."""
    total = 0.0
    for tree in trees:
        while isinstance(tree, list):
            tree = tree[2 if tree[0] in features else 1]
        total += tree
    return total


@cache
def load_judges() -> dict[str, Judge]:
    """The judges of the package by name."""
    fields = json.loads((files(__package__) / "weights.json").read_text(encoding="utf-8"))
    return {name: Judge(judge) for name, judge in fields["judges"].items()}
