"""Small trained judges of a message: is it a correction, is it a decision, and of which variety.

A judge adds two opinions: weights of single features, and small trees that see features together. Both were learned
by `tools/train` from labelled messages; the numbers are data (`weights.json`), the arithmetic is here, and nothing but
the standard library is needed.
"""

import json
from functools import cache
from importlib.resources import files
from math import exp, sqrt
from typing import Any

from thruline.signals.features import Features

# A tree is a list: [feature, where it is absent, where it is there], or a number at the leaf.
Tree = Any

# How much a block of words may weigh in all: a long message is not a surer one.
BLOCKS = {"w": 2.0, "a": 1.5, "c": 1.5}


class Judge:
    """One question's weights. `low` and `high` are the strengths from which a message counts, and counts as sure."""

    __slots__ = ("bias", "high", "low", "reach", "scale", "shift", "trees", "weights", "words")

    def __init__(self, fields: dict[str, Any]) -> None:
        self.bias: float = fields["bias"]
        self.weights: dict[str, float] = fields["weights"]
        self.words: dict[str, dict[str, float]] = fields["words"]
        self.trees: list[Tree] = fields["trees"]
        self.scale: float = fields["scale"]
        self.shift: float = fields["shift"]
        self.low: float = fields["low"]
        self.high: float = fields["high"]
        self.reach = sum(_find_most(tree) for tree in self.trees)

    def weigh(self, features: Features) -> float:
        """What the single features say."""
        weigh = self.weights.get
        total = self.bias + sum([weigh(name, 0.0) for name in features.situations])
        for block, found in features.words.items():
            known = self.words.get(block)
            if found and known:
                weigh = known.get
                total += scale_block(block, found) * sum([weigh(word, 0.0) for word in found])
        return total

    def score(self, features: Features) -> float:
        """How much speaks for it, unbounded; only the order means something."""
        return self.weigh(features) + add_trees(self.trees, features.situations)

    def judge(self, features: Features) -> float:
        """How sure it is, between 0 and 1. The trees are not asked where they could not lift it to `low`."""
        score = self.weigh(features)
        if self._strength(score + self.reach) < self.low:
            return self._strength(score)
        return self._strength(score + add_trees(self.trees, features.situations))

    def _strength(self, score: float) -> float:
        return 1 / (1 + exp(-self.scale * score - self.shift))


def _find_most(tree: Tree) -> float:
    if isinstance(tree, list):
        return max(_find_most(tree[1]), _find_most(tree[2]))
    return float(tree)


def scale_block(block: str, found: list[str]) -> float:
    """What one word of this block counts for in this message."""
    return BLOCKS[block] / sqrt(len(found))


def add_trees(trees: list[Tree], situations: frozenset[str]) -> float:
    """The sum of the leaves that the situations lead to."""
    total = 0.0
    for tree in trees:
        while type(tree) is list:
            tree = tree[2 if tree[0] in situations else 1]
        total += float(tree)
    return total


@cache
def load_judges() -> dict[str, Judge]:
    """The judges of the package by name."""
    fields = json.loads((files(__package__) / "weights.json").read_text(encoding="utf-8"))
    return {name: Judge(judge) for name, judge in fields["judges"].items()}
