"""Precision and recall of a ranking."""


def average_precision(scores: list[float], labels: list[bool]) -> float:
    """The mean precision over the true ones, read from the strongest down; ties share their place."""
    total = hits = seen = 0
    area = 0.0
    positives = sum(labels)
    order = sorted(zip(scores, labels, strict=True), reverse=True)
    at = 0
    while at < len(order):
        end = at
        while end < len(order) and order[end][0] == order[at][0]:
            end += 1
        found = sum(label for _, label in order[at:end])
        hits += found
        seen = end
        if found:
            area += found * hits / seen
        at = end
        total += found
    return area / positives if positives else 0.0


def precision_at_recall(scores: list[float], labels: list[bool], recall: float) -> tuple[float, float]:
    """(precision, threshold) of the best cut that still finds `recall` of the true ones."""
    best = (0.0, 0.0)
    positives = sum(labels)
    hits = 0
    order = sorted(zip(scores, labels, strict=True), reverse=True)
    for at, (value, label) in enumerate(order, 1):
        hits += label
        if hits >= recall * positives and (at == len(order) or order[at][0] != value):
            best = max(best, (hits / at, value))
    return best
