"""Small trained judges of a message: is it a correction, is it a decision, and of which variety.

A judge adds two opinions: weights of single features, and small trees that see features together. Both were learned
by `tools/train` from labelled messages; the numbers are data (`weights.json`), the arithmetic is here, and nothing but
the standard library is needed.
"""

import json
import os
from functools import cache
from math import exp, sqrt

from thruline.signals.features import Features

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

# A tree is a list: [feature, where it is absent, where it is there], or a number at the leaf.
Tree: "TypeAlias" = "Any"

# How much the words of a message may weigh in all: a long one is not a surer one.
WORDS = 3.0


class Judge:
    """One question's weights. `low` is the strength from which a message counts."""

    __slots__ = ("_forest", "bias", "low", "reach", "scale", "shift", "trees", "weights", "words")

    def __init__(self, fields: "dict[str, Any]") -> None:
        self.bias: float = fields["bias"]
        self.weights: dict[str, float] = fields["weights"]
        self.words: dict[str, float] = fields["words"]
        self.trees: list[Tree] = fields["trees"]
        self.scale: float = fields["scale"]
        self.shift: float = fields["shift"]
        self.low: float = fields["low"]
        self.reach = sum([_find_most(tree) for tree in self.trees])
        self._forest = Forest(self.trees)

    def weigh(self, features: Features) -> float:
        """What the single features say."""
        weights = self.weights
        total = self.bias + sum([weights[name] for name in features.situations if name in weights])
        known, found = self.words, features.words
        if known and found:
            total += scale_words(found) * sum([known[word] for word in found if word in known])
        return total

    def score(self, features: Features) -> float:
        """How much speaks for it, unbounded; only the order means something."""
        return self.weigh(features) + self._forest.add(features.situations)

    def judge(self, features: Features, least: float = -1.0) -> float:
        """How sure it is, between 0 and 1. The trees are not asked where they cannot lift it to `least` (or `low`)."""
        score = self.weigh(features)
        if self._strength(score + self.reach) < (self.low if least < 0 else least):
            return self._strength(score)
        return self._strength(score + self._forest.add(features.situations))

    def _strength(self, score: float) -> float:
        return 1 / (1 + exp(-self.scale * score - self.shift))


def _find_most(tree: Tree) -> float:
    if isinstance(tree, list):
        return max(_find_most(tree[1]), _find_most(tree[2]))
    return float(tree)


def scale_words(found: list[str]) -> float:
    """What one word of this message counts for."""
    return WORDS / sqrt(len(found))


class Forest:
    """Trees that are asked together. Most features are absent, so each tree has a default way: none is there.

    A feature that is there leads a tree off that way at one of its nodes; of several the one nearest the root counts,
    and the rest of the tree is walked from there.
    """

    __slots__ = ("_leaves", "_turns")

    def __init__(self, trees: list[Tree]) -> None:
        self._leaves: list[float] = []
        # By distance from the root, farthest first: feature -> (number of the tree, what follows the turn).
        turns: list[dict[str, list[tuple[int, Tree]]]] = []
        for number, tree in enumerate(trees):
            depth = 0
            while isinstance(tree, list):
                if depth == len(turns):
                    turns.append({})
                turns[depth].setdefault(tree[0], []).append((number, tree[2]))
                tree = tree[1]
                depth += 1
            self._leaves.append(float(tree))
        self._turns = turns[::-1]

    def add(self, situations: frozenset[str]) -> float:
        """The sum of the leaves that the situations lead to."""
        leaves = self._leaves.copy()
        for turns in self._turns:
            for there in turns.keys() & situations:
                for number, tree in turns[there]:
                    while tree.__class__ is list:
                        name, absent, present = tree
                        tree = present if name in situations else absent
                    leaves[number] = tree
        return sum(leaves, 0.0)


@cache
def load_judges() -> dict[str, Judge]:
    """The judges of the package by name."""
    with open(os.path.join(os.path.dirname(__file__), "weights.json"), encoding="utf-8") as file:
        fields = json.load(file)
    return {name: Judge(judge) for name, judge in fields["judges"].items()}
