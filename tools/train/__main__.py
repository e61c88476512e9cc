"""`python -m tools.train`: sets thresholds by cross-validation, fits on everything, writes the package's weights."""

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import thruline.signals
from thruline.signals.people import is_ruled
from tools.train.data import read_examples
from tools.train.fit import NO_WORDS, WEIGHTS_ALONE, Example, calibrate, cross_validate, fit, fit_weights
from tools.train.made import read_made
from tools.train.measure import average_precision, precision_at_recall
from tools.train.nested import find_threshold, score_left_out

WEIGHTS = Path(thruline.signals.__file__).parent / "weights.json"
VARIETIES = ("overrule", "error", "failure", "challenge")


def finish(fields: dict[str, Any], scores: list[float], labels: list[bool]) -> dict[str, Any]:
    """A judge with its calibration and its threshold, by scores that it was not trained on."""
    fields["scale"], fields["shift"] = calibrate(scores, labels)
    fields["low"] = find_threshold(scores, labels, fields["scale"], fields["shift"])
    return fields


def train_corrections(examples: list[Example], made: Sequence[Example]) -> dict[str, Any]:
    """The judge of corrections, on what no rule decides."""
    labels = [bool(example.label["correction"]) for example in examples]
    scores = score_left_out(examples, labels, made)
    tell("correction", scores, labels)
    return finish(fit(examples, labels, made=made), scores, labels)


def train_decisions(examples: list[Example]) -> dict[str, Any]:
    """The judge of decisions: weights alone do as well."""
    labels = [bool(example.label["decision"]) for example in examples]
    scores = cross_validate(examples, labels, WEIGHTS_ALONE)
    tell("decision", scores, labels)
    return finish(fit(examples, labels, WEIGHTS_ALONE), scores, labels)


def tell(name: str, scores: list[float], labels: list[bool]) -> None:
    """One line on a judge."""
    area, precision = average_precision(scores, labels), precision_at_recall(scores, labels, 0.8)[0]
    print(f"{name}: {sum(labels)} of {len(labels)}, average precision {area:.3f}, at recall 0.80 {precision:.3f}")


def main() -> int:
    started = time.time()
    examples, made = read_examples(), read_made()
    asked = [example for example in examples if not is_ruled(example.features.situations)]
    judges = {"correction": train_corrections(asked, made), "decision": train_decisions(examples)}
    right = [example for example in [*examples, *made] if example.label["correction_type"]]
    for name in VARIETIES:
        labels = [example.label["correction_type"] == name for example in right]
        judges[name] = fit_weights(right, labels, NO_WORDS)
    WEIGHTS.write_text(json.dumps({"schema": 2, "judges": judges}, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{WEIGHTS.stat().st_size / 1000:.0f} KB in {time.time() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
