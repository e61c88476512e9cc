"""The trainer, on data small enough to know the answer; and the weights that were shipped."""

import json
from pathlib import Path

import thruline.signals
from thruline.signals.features import Features
from thruline.signals.features.text import Text
from thruline.signals.model import Judge, load_judges
from thruline.signals.people import STRONGEST
from tools.train.fit import WEIGHTS_ALONE, Example, Settings, calibrate, choose_names, cross_validate, fit
from tools.train.made import read_made
from tools.train.measure import average_precision, precision_at_recall
from tools.train.nested import RIGHT, find_tier, judge_nested, split_people

WEIGHTS = Path(thruline.signals.__file__).parent / "weights.json"


def example(names: str, person: str) -> Example:
    return Example("", Features(frozenset(names.split()), ["common"], [], Text("")), person, "o", "turn", {})


PEOPLE = ("a", "b", "c", "d", "f", "g")
EXAMPLES = [example(names, person) for person in PEOPLE for names in ("no x", "no y", "ok x", "ok y") * 2]
FEW = Settings(8.0, trees=5)
LABELS = ["no" in one.features.situations for one in EXAMPLES]


def test_what_tells_is_learned_and_the_same_every_time() -> None:
    first, second = fit(EXAMPLES, LABELS, FEW), fit(EXAMPLES, LABELS, FEW)
    assert first == second
    judge = Judge(first)
    scores = [judge.score(one.features) for one in EXAMPLES]
    assert min(score for score, label in zip(scores, LABELS, strict=True) if label) > max(
        score for score, label in zip(scores, LABELS, strict=True) if not label
    )


def test_words_of_one_person_are_not_learned() -> None:
    alone = [example("hers", "a") for _ in range(9)]
    assert "hers" not in choose_names([*EXAMPLES, *alone])[0]
    assert "no" in choose_names(EXAMPLES)[0]
    assert choose_names(EXAMPLES)[1] == ["common"]


def test_a_person_is_judged_without_that_persons_messages() -> None:
    liar = [example("no z", "e"), example("ok z", "e")] * 4
    scores = cross_validate([*EXAMPLES, *liar], [*LABELS, *[False, True] * 4], WEIGHTS_ALONE)
    assert scores[len(EXAMPLES)] > scores[len(EXAMPLES) + 1]


def test_thresholds_are_set_without_the_people_who_are_judged() -> None:
    # What tells for everyone else is turned round for the last person: a judge that saw her would know.
    liar = [example("no z", "e"), example("ok z", "e")] * 4
    everyone, labels = [*EXAMPLES, *liar], [*LABELS, *[False, True] * 4]
    verdicts = judge_nested(everyone, labels, lambda one: one.person, workers=1)
    hers = verdicts[len(EXAMPLES) :]
    assert hers[0].strength > hers[1].strength
    assert all(verdict.taken or not verdict.sure for verdict in verdicts)


def test_the_strongest_tier_begins_where_chance_alone_does_not_reach_it() -> None:
    # 9 of 10 are right from 0.6 on, which may be chance; 36 of 40 from 0.7 on is not.
    few = [(0.95, True)] * 9 + [(0.6, False)]
    assert find_tier(*zip(*few, strict=True)) == 0.65
    many = [(0.7, True)] * 36 + [(0.7, False)] * 4 + [(0.65, False)] * 20
    assert find_tier(*zip(*many, strict=True)) == 0.7
    assert find_tier([0.9] * 10, [True] * 8 + [False] * 2) == 1.0
    assert RIGHT == 0.85


def test_people_are_split_into_folds_of_about_the_same_size() -> None:
    folds = split_people([*EXAMPLES, *[example("no", "e")] * 20])
    assert sorted(person for fold in folds for person in fold) == sorted([*PEOPLE, "e"])
    assert {"e"} in folds


def test_what_is_not_told_of_a_made_up_message_is_not_learned_from() -> None:
    made = read_made()
    assert len(made) > 400
    assert all("made" in one.features.situations for one in made)
    silent = [one for one in made if "made.answered" not in one.features.situations]
    assert len(made) / 2 < len(silent) < len(made)
    names = {name for one in silent for name in one.features.situations}
    assert not [name for name in names if name.startswith(("answer", "closing"))]
    assert {one.label["correction_type"] for one in made} == {None, "overrule", "error", "failure", "challenge"}
    learned = fit(EXAMPLES, LABELS, WEIGHTS_ALONE, made)["weights"]
    assert not [name for name in learned if name.startswith("made")]


def test_a_judge_that_cannot_reach_its_threshold_does_not_ask_its_trees() -> None:
    fields = fit(EXAMPLES, LABELS, FEW) | {"low": 0.5}
    judge = Judge(fields)
    for one in EXAMPLES:
        exact = judge._strength(judge.score(one.features))
        told = judge.judge(one.features)
        assert told == exact if exact >= judge.low else told < judge.low


def test_calibrated_scores_are_probabilities() -> None:
    scale, shift = calibrate([-2.0] * 50 + [2.0] * 50, [False] * 45 + [True] * 5 + [True] * 45 + [False] * 5)
    assert scale > 0
    assert abs(shift) < 0.1


def test_measures_of_a_ranking() -> None:
    scores, labels = [4.0, 3.0, 2.0, 1.0], [True, False, True, False]
    assert average_precision(scores, labels) == (1 + 2 / 3) / 2
    assert precision_at_recall(scores, labels, 1.0) == (2 / 3, 2.0)
    assert precision_at_recall(scores, labels, 0.5) == (1.0, 4.0)
    assert average_precision([1.0, 1.0], [True, False]) == 0.5


def test_shipped_weights_are_small_and_complete() -> None:
    assert WEIGHTS.stat().st_size < 300_000
    assert json.loads(WEIGHTS.read_text(encoding="utf-8"))["schema"] == 2
    assert set(load_judges()) == {"correction", "decision", "overrule", "error", "failure", "challenge"}
    assert all(0 < judge.low <= STRONGEST for judge in load_judges().values())
