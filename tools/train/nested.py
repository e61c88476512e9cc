"""Scores that chose nothing: settings and thresholds are picked without the people, or the source, that are scored.

Each group is left out in turn. Among the rest, people are left out again, in three folds, and only those inner scores
decide on settings, calibration and thresholds; then a judge is trained on all of the rest and asked about the group.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from math import exp

from thruline.signals.model import Forest, Judge
from thruline.signals.people import REFUSED, REFUSING, STRONGEST, SUREST, WORDLESS, is_refusing, is_ruled
from tools.train.fit import Example, Settings, calibrate, fit, fit_forest, fit_weights
from tools.train.measure import average_precision, precision_at_recall

PENALTIES, TREES, MIXES = (4.0,), (200,), (1.0, 2.0)
FOLDS = 3
# Where the threshold is set, among messages that no rule decides: typed refusals lift it afterwards.
RECALL = 0.85


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge that had not seen a message said of it: how sure, whether it counts, whether it counts as sure."""

    strength: float
    taken: bool
    sure: bool


def judge_nested(
    examples: Sequence[Example],
    labels: Sequence[bool],
    group: Callable[[Example], str],
    made: Sequence[Example] = (),
    workers: int = 2,
) -> tuple[list[Verdict], dict[str, Settings]]:
    """A verdict on each example by a judge chosen and trained without its group; and what was chosen for each group."""
    groups = sorted({group(example) for example in examples})
    jobs = []
    for name in groups:
        out = [at for at, example in enumerate(examples) if group(example) == name]
        rest = [at for at, example in enumerate(examples) if group(example) != name]
        jobs.append((list(examples), list(labels), rest, out, list(made)))
    verdicts: dict[int, Verdict] = {}
    chosen: dict[str, Settings] = {}
    with ProcessPoolExecutor(workers) as pool:
        for name, (settings, found) in zip(groups, pool.map(_judge_group, jobs), strict=True):
            chosen[name] = settings
            verdicts |= found
    return [verdicts[at] for at in range(len(examples))], chosen


def _judge_group(
    job: tuple[list[Example], list[bool], list[int], list[int], list[Example]],
) -> tuple[Settings, dict[int, Verdict]]:
    examples, labels, rest, out, made = job
    open_ones = [at for at in rest if not is_ruled(examples[at].features.situations)]
    train, known = [examples[at] for at in open_ones], [labels[at] for at in open_ones]
    settings, scores = choose_settings(train, known, made)
    fields = fit(train, known, settings, made)
    fields["scale"], fields["shift"] = calibrate(scores, known)
    low = find_threshold(scores, known, fields["scale"], fields["shift"])
    judge = Judge(fields)
    found = {}
    for at in out:
        features = examples[at].features
        if is_ruled(features.situations):
            strength = REFUSED if "kind.rejection" in features.situations else WORDLESS
        else:
            strength = min(1 / (1 + exp(-judge.scale * judge.score(features) - judge.shift)), SUREST)
            strength = max(strength, REFUSING) if is_refusing(features) else strength
        found[at] = Verdict(strength, strength >= low, strength >= STRONGEST)
    return settings, found


def find_threshold(scores: list[float], labels: list[bool], scale: float, shift: float) -> float:
    """From which strength a message counts."""
    score = precision_at_recall(scores, labels, RECALL)[1]
    return min(round(1 / (1 + exp(-scale * score - shift)), 3), STRONGEST)  # rounded as signals carry it


def choose_settings(
    examples: list[Example], labels: list[bool], made: Sequence[Example] = ()
) -> tuple[Settings, list[float]]:
    """The settings with the best average precision over people left out in three folds, and the scores they gave."""
    scores: dict[Settings, list[float]] = defaultdict(lambda: [0.0] * len(examples))
    for fold in split_people(examples):
        train = [at for at, example in enumerate(examples) if example.person not in fold]
        test = [at for at, example in enumerate(examples) if example.person in fold]
        seen, known = [examples[at] for at in train], [labels[at] for at in train]
        grown = fit_forest(seen, known, max(TREES), made)
        forests = {count: Forest(grown[:count]) for count in TREES}
        found = {at: examples[at].features for at in test}
        added = {(count, at): forests[count].add(found[at].situations) for count in TREES for at in test}
        for penalty in PENALTIES:
            judge = Judge(fit_weights(seen, known, Settings(penalty), made))
            for at in test:
                weight = judge.weigh(found[at])
                for count, mix in product(TREES, MIXES):
                    scores[Settings(penalty, count, mix)][at] = weight + mix * added[count, at]
    best = max(scores, key=lambda one: (round(average_precision(scores[one], labels), 4), one.penalty, -one.trees))
    return best, scores[best]


def split_people(examples: Sequence[Example], folds: int = FOLDS) -> list[set[str]]:
    """The people in folds of about the same size."""
    sizes: dict[str, int] = defaultdict(int)
    for example in examples:
        sizes[example.person] += 1
    made: list[set[str]] = [set() for _ in range(min(folds, len(sizes)))]
    for person in sorted(sizes, key=lambda one: (-sizes[one], one)):
        min(made, key=lambda fold: sum(sizes[one] for one in fold)).add(person)
    return made
