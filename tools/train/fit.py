"""From labelled features to a judge, and the scores of a judge that has not seen the person it judges."""

from collections import defaultdict
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from math import exp
from typing import Any

from thruline.signals.features import Features
from thruline.signals.model import Judge, scale_words
from tools.train.boost import fit_trees
from tools.train.logistic import fit_logistic

FEWEST_MESSAGES = {"words": 3, "other": 5}
FEWEST_PEOPLE = 3
# What a made-up message counts for beside a real one, as inner scores had it.
MASS_OF_MADE = 1.0


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled message: its text and features, who wrote it and where it was found."""

    text: str
    features: Features
    person: str
    owner: str
    kind: str
    label: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Settings:
    """How a judge is trained: the penalty on weights, how many trees stand beside them, whether words count."""

    penalty: float
    trees: int = 0
    words: bool = True


# What inner scores preferred, for corrections and for what weights alone tell as well.
USUAL, WEIGHTS_ALONE, NO_WORDS = Settings(4.0, trees=200), Settings(8.0), Settings(8.0, words=False)


def choose_names(examples: Sequence[Example]) -> tuple[list[str], list[str]]:
    """(situations, words) that enough messages have and several people used: the rest is hearsay."""
    situations = _choose(examples, lambda one: one.situations, FEWEST_MESSAGES["other"])
    return situations, _choose(examples, lambda one: set(one.words), FEWEST_MESSAGES["words"])


def _choose(examples: Sequence[Example], read: Callable[[Features], Set[str]], fewest: int) -> list[str]:
    messages: dict[str, int] = defaultdict(int)
    people: dict[str, set[str]] = defaultdict(set)
    for example in examples:
        for name in read(example.features):
            messages[name] += 1
            people[name].add(example.person)
    return sorted(name for name, count in messages.items() if count >= fewest and len(people[name]) >= FEWEST_PEOPLE)


def fit(
    examples: list[Example], labels: list[bool], settings: Settings = USUAL, made: Sequence[Example] = ()
) -> dict[str, Any]:
    """The fields of a judge, not yet calibrated. `made` are examples that help and are nobody's."""
    fields = fit_weights(examples, labels, settings, made)
    fields["trees"] = fit_forest(examples, labels, settings.trees, made)
    return fields


def fit_weights(
    examples: list[Example], labels: list[bool], settings: Settings, made: Sequence[Example] = ()
) -> dict[str, Any]:
    """A judge of weights alone."""
    masses = [1.0] * len(examples) + [MASS_OF_MADE] * len(made)
    examples, labels = [*examples, *made], [*labels, *[bool(one.label["correction"]) for one in made]]
    situations, words = choose_names(examples)
    names = [*situations, *words] if settings.words else situations
    index = {name: at for at, name in enumerate(situations)}
    spoken = {name: len(situations) + at for at, name in enumerate(words)} if settings.words else {}
    rows = []
    for example in examples:
        row = {index[name]: 1.0 for name in example.features.situations if name in index}
        found = example.features.words
        row |= {spoken[word]: scale_words(found) for word in found if word in spoken}
        rows.append(row)
    bias, weights = fit_logistic(rows, labels, masses, len(names), settings.penalty)
    kept = [round(weight, 2) if abs(weight) >= 0.02 else 0.0 for weight in weights]
    first = len(situations)
    return {
        "bias": round(bias, 3),
        "weights": {
            name: weight
            for name, weight in zip(situations, kept, strict=False)
            if weight and not name.startswith("made")
        },
        "words": {name: weight for name, weight in zip(names[first:], kept[first:], strict=True) if weight},
        "trees": [],
        "scale": 1.0,
        "shift": 0.0,
        "low": 0.5,
    }


def fit_forest(examples: list[Example], labels: list[bool], count: int, made: Sequence[Example] = ()) -> list[Any]:
    """`count` trees; the first of more are the same as fewer."""
    masses = [1.0] * len(examples) + [MASS_OF_MADE] * len(made)
    examples, labels = [*examples, *made], [*labels, *[bool(one.label["correction"]) for one in made]]
    rows = [example.features.situations for example in examples]
    names = choose_names(examples)[0]
    return fit_trees(rows, labels, masses, names, count, 7) if count and names else []


def cross_validate(
    examples: list[Example],
    labels: list[bool],
    settings: Settings = USUAL,
    made: Sequence[Example] = (),
) -> list[float]:
    """A score for each example by a judge that saw none of that person's messages."""
    scores = [0.0] * len(examples)
    for person in sorted({example.person for example in examples}):
        train = [at for at, example in enumerate(examples) if example.person != person]
        judge = Judge(fit([examples[at] for at in train], [labels[at] for at in train], settings, made))
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
