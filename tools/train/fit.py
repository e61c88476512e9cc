"""From labelled features to a judge, and the scores of a judge that has not seen the person it judges."""

from collections import defaultdict
from dataclasses import dataclass
from math import exp
from typing import Any

from thruline.signals.features import Features
from thruline.signals.model import BLOCKS, Judge, scale_block
from tools.train.boost import fit_trees
from tools.train.logistic import fit_logistic

PENALTY = 8.0
TREES = 400
FEWEST_MESSAGES = {"words": 3, "other": 5}
FEWEST_PEOPLE = 3


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled message: its text and features, who wrote it and where it was found."""

    text: str
    features: Features
    person: str
    owner: str
    kind: str
    label: dict[str, Any]


def name_all(features: Features) -> list[str]:
    """Every feature by one name: words carry their block before a colon."""
    return [*features.situations, *[f"{block}:{word}" for block, words in features.words.items() for word in words]]


def choose_names(examples: list[Example]) -> list[str]:
    """The features that enough messages have, and words only where several people used them: the rest is hearsay."""
    messages: dict[str, int] = defaultdict(int)
    people: dict[str, set[str]] = defaultdict(set)
    for example in examples:
        for name in set(name_all(example.features)):
            messages[name] += 1
            people[name].add(example.person)
    return sorted(
        name
        for name, count in messages.items()
        if (count >= FEWEST_MESSAGES["words"] and len(people[name]) >= FEWEST_PEOPLE)
        if name[1:2] == ":" or count >= FEWEST_MESSAGES["other"]
    )


def fit(
    examples: list[Example],
    labels: list[bool],
    *,
    trees: int = TREES,
    penalty: float = PENALTY,
    blocks: tuple[str, ...] = tuple(BLOCKS),
) -> dict[str, Any]:
    """The fields of a judge, not yet calibrated. `blocks` are the words it may hear."""
    names = [name for name in choose_names(examples) if name[1:2] != ":" or name[0] in blocks]
    index = {name: at for at, name in enumerate(names)}
    rows = []
    for example in examples:
        row: dict[int, float] = {}
        for name in example.features.situations:
            if name in index:
                row[index[name]] = 1.0
        for block, words in example.features.words.items():
            for word in words:
                at = index.get(f"{block}:{word}")
                if at is not None:
                    row[at] = row.get(at, 0.0) + scale_block(block, words)
        rows.append(row)
    bias, weights = fit_logistic(rows, labels, len(names), penalty)
    kept = {name: round(weight, 2) for name, weight in zip(names, weights, strict=True) if abs(weight) >= 0.02}
    situations = [name for name in names if name[1:2] != ":"]
    grown = (
        fit_trees([example.features.situations for example in examples], labels, situations, trees, 7) if trees else []
    )
    words = {
        block: {name[2:]: weight for name, weight in kept.items() if name.startswith(f"{block}:")} for block in blocks
    }
    single = {name: weight for name, weight in kept.items() if name[1:2] != ":"}
    judge = {"bias": round(bias, 3), "weights": single, "words": words, "trees": grown}
    return judge | {"scale": 1.0, "shift": 0.0, "low": 0.5, "high": 0.9}


def cross_validate(examples: list[Example], labels: list[bool], **options: Any) -> list[float]:
    """A score for each example by a judge that saw none of that person's messages."""
    scores = [0.0] * len(examples)
    for person in sorted({example.person for example in examples}):
        train = [at for at, example in enumerate(examples) if example.person != person]
        judge = Judge(fit([examples[at] for at in train], [labels[at] for at in train], **options))
        for at, example in enumerate(examples):
            if example.person == person:
                scores[at] = judge.score(example.features)
    return scores


def calibrate(scores: list[float], labels: list[bool]) -> tuple[float, float]:
    """(scale, shift) that turn a held-out score into a probability."""
    scale, shift = 1.0, 0.0
    for _ in range(3000):
        slope_scale = slope_shift = 0.0
        for value, label in zip(scores, labels, strict=True):
            wrong = 1 / (1 + exp(-scale * value - shift)) - label
            slope_scale += wrong * value
            slope_shift += wrong
        scale -= 0.3 * slope_scale / len(scores)
        shift -= 0.3 * slope_shift / len(scores)
    return round(scale, 4), round(shift, 4)
