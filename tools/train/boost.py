"""Gradient-boosted trees over features that are there or not, grown level by level."""

from math import exp, log
from random import Random
from typing import Any

DEPTH, SHARE, SMALLEST = 4, 0.12, 6
RATE = 0.04
LEAST_GAIN = 0.05


def fit_trees(
    rows: list[frozenset[str]], labels: list[bool], masses: list[float], names: list[str], count: int, seed: int
) -> list[Any]:
    """`count` trees; each sees half of the rows and, at each level, a share of the features. `masses`: see logistic."""
    random = Random(seed)
    where = {name: [at for at, row in enumerate(rows) if name in row] for name in names}
    base = sum(mass for mass, label in zip(masses, labels, strict=True) if label) / sum(masses)
    start = log(base / (1 - base))
    margins = [start] * len(rows)
    trees: list[Any] = []
    for _ in range(count):
        pulls, curves = [], []
        for margin, label, mass in zip(margins, labels, masses, strict=True):
            chance = 1 / (1 + exp(-margin))
            pulls.append(mass * (label - chance))
            curves.append(mass * chance * (1 - chance))
        used = [random.random() < 0.5 for _ in rows]
        tree, leaves, node = _grow(rows, where, names, pulls, curves, used, random)
        margins = [margin + leaves[at] for margin, at in zip(margins, node, strict=True)]
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
    # Node n has the children 2n (the feature is absent) and 2n + 1 (it is there); an unused row is summed up in none.
    node = [1] * len(rows)
    splits: dict[int, str] = {}
    size = 2 << DEPTH
    live = [1 if flag else 0 for flag in used]
    for level in range(DEPTH):
        totals = _sum(range(len(rows)), live, pulls, curves, size)
        best: dict[int, tuple[float, str]] = {}
        for name in random.sample(names, max(1, int(len(names) * SHARE))):
            pulled, curved, counts = _sum(where[name], live, pulls, curves, size)
            for at in range(1 << level, 2 << level):
                held, whole = counts[at], totals[2][at]
                if held < SMALLEST or whole - held < SMALLEST:
                    continue
                pull, curve = pulled[at], curved[at]
                rest = totals[0][at] - pull
                gain = pull * pull / (curve + 1) + rest * rest / (totals[1][at] - curve + 1)
                gain -= totals[0][at] ** 2 / (totals[1][at] + 1)
                if gain > best.get(at, (LEAST_GAIN, ""))[0]:
                    best[at] = (gain, name)
        if not best:
            break
        for at, (_, name) in best.items():
            splits[at] = name
        for at, row in enumerate(rows):
            split = best.get(node[at])
            if split:
                node[at] = 2 * node[at] + (split[1] in row)
                if live[at]:
                    live[at] = node[at]
            elif node[at] < 2 << level:
                live[at] = 0  # a leaf: nothing below it is split
    flags = [at if flag else 0 for flag, at in zip(used, node, strict=True)]
    pulled, curved, _ = _sum(range(len(rows)), flags, pulls, curves, size)
    leaves = {at: RATE * pulled[at] / (curved[at] + 1) for at in range(1, size)}

    def build(at: int) -> Any:
        if at in splits:
            return [splits[at], build(2 * at), build(2 * at + 1)]
        return round(leaves[at], 4)

    return build(1), leaves, node


def _sum(
    chosen: "list[int] | range", live: list[int], pulls: list[float], curves: list[float], size: int
) -> tuple[list[float], list[float], list[int]]:
    pulled, curved, counts = [0.0] * size, [0.0] * size, [0] * size
    for at in chosen:
        node = live[at]
        if node:
            pulled[node] += pulls[at]
            curved[node] += curves[at]
            counts[node] += 1
    return pulled, curved, counts
