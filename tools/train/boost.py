"""Gradient-boosted trees over features that are there or not, grown level by level."""

from math import exp, log
from random import Random
from typing import Any

DEPTH, SHARE, SMALLEST = 4, 0.12, 6
RATE = 0.04


def fit_trees(rows: list[frozenset[str]], labels: list[bool], names: list[str], count: int, seed: int) -> list[Any]:
    """`count` trees; each sees half of the rows and, at each level, a share of the features."""
    random = Random(seed)
    where = {name: [at for at, row in enumerate(rows) if name in row] for name in names}
    base = sum(labels) / len(labels)
    margins = [0.0] * len(rows)
    trees: list[Any] = []
    start = log(base / (1 - base))
    for _ in range(count):
        chances = [1 / (1 + exp(-start - margin)) for margin in margins]
        pulls = [label - chance for label, chance in zip(labels, chances, strict=True)]
        curves = [chance * (1 - chance) for chance in chances]
        used = [random.random() < 0.5 for _ in rows]
        tree, leaves, node = _grow(rows, where, names, pulls, curves, used, random)
        for at in range(len(rows)):
            margins[at] += leaves[node[at]]
        trees.append(tree)
    return trees


def _grow(
    rows: list[frozenset[str]],
    where: dict[str, list[int]],
    names: list[str],
    pulls: list[float],
    curves: list[float],
    used: list[bool],
    random: Random,
) -> tuple[Any, dict[int, float], list[int]]:
    # Node n has the children 2n (the feature is absent) and 2n + 1 (it is there).
    node = [1] * len(rows)
    splits: dict[int, str] = {}
    open_nodes = {1}
    for _ in range(DEPTH):
        totals: dict[int, list[float]] = {name: [0.0, 0.0, 0.0] for name in open_nodes}
        for at, flag in enumerate(used):
            if flag and node[at] in totals:
                total = totals[node[at]]
                total[0] += pulls[at]
                total[1] += curves[at]
                total[2] += 1
        best: dict[int, tuple[float, str]] = {}
        for name in random.sample(names, max(1, int(len(names) * SHARE))):
            sums: dict[int, list[float]] = {}
            for at in where[name]:
                if used[at] and node[at] in totals:
                    found = sums.setdefault(node[at], [0.0, 0.0, 0.0])
                    found[0] += pulls[at]
                    found[1] += curves[at]
                    found[2] += 1
            for at, (pull, curve, size) in sums.items():
                whole = totals[at]
                if size < SMALLEST or whole[2] - size < SMALLEST:
                    continue
                rest = whole[0] - pull
                gain = pull * pull / (curve + 1) + rest * rest / (whole[1] - curve + 1)
                gain -= whole[0] * whole[0] / (whole[1] + 1)
                if gain > best.get(at, (0.05, ""))[0]:
                    best[at] = (gain, name)
        if not best:
            break
        for at, (_, name) in best.items():
            splits[at] = name
        for at, row in enumerate(rows):
            split = best.get(node[at])
            if split:
                node[at] = 2 * node[at] + (split[1] in row)
        open_nodes = {child for at in best for child in (2 * at, 2 * at + 1)}
    sums: dict[int, list[float]] = {}
    for at, flag in enumerate(used):
        if flag:
            found = sums.setdefault(node[at], [0.0, 0.0])
            found[0] += pulls[at]
            found[1] += curves[at]
    leaves = {at: RATE * pull / (curve + 1) for at, (pull, curve) in sums.items()}
    for at in set(node):
        leaves.setdefault(at, 0.0)

    def build(at: int) -> Any:
        if at in splits:
            return [splits[at], build(2 * at), build(2 * at + 1)]
        return round(leaves.get(at, 0.0), 4)

    return build(1), leaves, node
