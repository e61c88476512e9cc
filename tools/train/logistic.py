"""Logistic regression with a quadratic penalty, fitted one weight at a time."""

from math import exp

SWEEPS = 14


def fit_logistic(
    rows: list[dict[int, float]], labels: list[bool], masses: list[float], size: int, penalty: float
) -> tuple[float, list[float]]:
    """(bias, weights): each step is Newton's with the curvature bounded from above, so it never goes uphill.

    `masses` says how much each row counts.
    """
    columns: list[list[tuple[int, float]]] = [[] for _ in range(size)]
    for at, row in enumerate(rows):
        for name, value in row.items():
            columns[name].append((at, value))
    weights = [0.0] * size
    curves = [penalty + 0.25 * sum([masses[at] * value * value for at, value in column]) for column in columns]
    margins = [0.0] * len(rows)
    wrong = [mass * (0.5 - label) for mass, label in zip(masses, labels, strict=True)]
    bias = 0.0
    for _ in range(SWEEPS):
        step = -sum(wrong) / (0.25 * sum(masses))
        bias += step
        for at in range(len(rows)):
            margins[at] += step
            wrong[at] = masses[at] * (1 / (1 + exp(-margins[at])) - labels[at])
        for name, column in enumerate(columns):
            if not column:
                continue
            slope = penalty * weights[name]
            for at, value in column:
                slope += wrong[at] * value
            step = -slope / curves[name]
            if -1e-4 < step < 1e-4:
                continue
            weights[name] += step
            for at, value in column:
                margins[at] += step * value
                wrong[at] = masses[at] * (1 / (1 + exp(-margins[at])) - labels[at])
    return bias, weights
