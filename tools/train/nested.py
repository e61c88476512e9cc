"""Scores that chose nothing: calibration and threshold are set without the people, or the source, that are scored.

Each group is left out in turn. Among the rest, people are left out again, in three folds, and only those inner scores
decide on calibration and threshold; then a judge is trained on all of the rest and asked about the group.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import exp, sqrt

from thruline.signals.model import Judge
from thruline.signals.people import STRONGEST, is_ruled, judge_correction
from tools.train.fit import Example, calibrate, fit
from tools.train.measure import precision_at_recall

FOLDS = 3
# What is asked for of all corrections is aimed at among those that no rule decides: typed refusals are the margin.
RECALL = 0.85
# What is asked for of the strongest tier; it begins at a step from which chance alone does not reach it.
RIGHT, STEP = 0.85, 0.05


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
) -> list[Verdict]:
    """A verdict on each example by a judge that was trained, calibrated and cut off without its group."""
    jobs = []
    for name in sorted({group(example) for example in examples}):
        out = [at for at, example in enumerate(examples) if group(example) == name]
        rest = [at for at, example in enumerate(examples) if group(example) != name]
        jobs.append((list(examples), list(labels), rest, out, list(made)))
    verdicts: dict[int, Verdict] = {}
    with ProcessPoolExecutor(workers) as pool:
        for found in pool.map(_judge_group, jobs):
            verdicts |= found
    return [verdicts[at] for at in range(len(examples))]


def _judge_group(job: tuple[list[Example], list[bool], list[int], list[int], list[Example]]) -> dict[int, Verdict]:
    examples, labels, rest, out, made = job
    open_ones = [at for at in rest if not is_ruled(examples[at].features.situations)]
    train, known = [examples[at] for at in open_ones], [labels[at] for at in open_ones]
    scores = score_left_out(train, known, made)
    fields = fit(train, known, made=made)
    fields["scale"], fields["shift"] = calibrate(scores, known)
    low = find_threshold(scores, known, fields["scale"], fields["shift"])
    judge = Judge(fields | {"low": 0.0})  # exact also below the threshold
    found = {}
    for at in out:
        strength = judge_correction(examples[at].features, judge)
        found[at] = Verdict(strength, strength >= low, strength >= STRONGEST)
    return found


def find_threshold(scores: list[float], labels: list[bool], scale: float, shift: float) -> float:
    """From which strength a message counts."""
    score = precision_at_recall(scores, labels, RECALL)[1]
    return min(round(1 / (1 + exp(-scale * score - shift)), 3), STRONGEST)  # rounded as signals carry it


def find_tier(strengths: Sequence[float], labels: Sequence[bool]) -> float:
    """From which strength so many are right as the strongest tier owes, one standard error taken off; 1 where none."""
    for step in range(round(0.5 / STEP), round(1 / STEP)):
        least = step * STEP
        there = [label for strength, label in zip(strengths, labels, strict=True) if strength >= least - 1e-9]
        right = sum(there) / max(len(there), 1)
        if there and right - sqrt(right * (1 - right) / len(there)) >= RIGHT:
            return round(least, 2)
    return 1.0


def score_left_out(examples: list[Example], labels: list[bool], made: Sequence[Example] = ()) -> list[float]:
    """A score for each example by a judge of other people, who are left out in three folds."""
    scores = [0.0] * len(examples)
    for fold in split_people(examples):
        train = [at for at, example in enumerate(examples) if example.person not in fold]
        judge = Judge(fit([examples[at] for at in train], [labels[at] for at in train], made=made))
        for at, example in enumerate(examples):
            if example.person in fold:
                scores[at] = judge.score(example.features)
    return scores


def split_people(examples: Sequence[Example], folds: int = FOLDS) -> list[set[str]]:
    """The people in folds of about the same size."""
    sizes: dict[str, int] = defaultdict(int)
    for example in examples:
        sizes[example.person] += 1
    made: list[set[str]] = [set() for _ in range(min(folds, len(sizes)))]
    for person in sorted(sizes, key=lambda one: (-sizes[one], one)):
        min(made, key=lambda fold: sum(sizes[one] for one in fold)).add(person)
    return made
