"""`python -m tools.train`: cross-validates, then fits on everything and writes the package's weights."""

import json
import sys
import time
from math import exp
from pathlib import Path
from typing import Any

import thruline.signals
from thruline.signals.people import is_ruled
from tools.train.data import read_examples
from tools.train.fit import Example, calibrate, cross_validate, fit
from tools.train.measure import average_precision, precision_at_recall, recall_at_precision

WEIGHTS = Path(thruline.signals.__file__).parent / "weights.json"
VARIETIES = ("overrule", "error", "failure", "challenge")


def train(examples: list[Example], labels: list[bool], recall: float, precision: float, **options: Any) -> Any:
    """A calibrated judge and its held-out scores. `recall` and `precision` place its two thresholds."""
    scores = cross_validate(examples, labels, **options)
    fields = fit(examples, labels, **options)
    fields["scale"], fields["shift"] = calibrate(scores, labels)

    def strength(score: float) -> float:
        return round(1 / (1 + exp(-fields["scale"] * score - fields["shift"])), 4)

    fields["low"] = strength(precision_at_recall(scores, labels, recall)[1])
    fields["high"] = strength(recall_at_precision(scores, labels, precision)[1])
    return fields, scores


def main() -> int:
    started = time.time()
    examples = read_examples()
    judges = {}
    asked = [example for example in examples if not is_ruled(example.features.situations)]
    for name, chosen, options in (
        ("correction", asked, {}),
        ("decision", examples, {"trees": 0, "blocks": ("w",)}),
    ):
        labels = [bool(example.label[name]) for example in chosen]
        judges[name], scores = train(chosen, labels, 0.81 if name == "correction" else 0.8, 0.78, **options)
        area, precision = average_precision(scores, labels), precision_at_recall(scores, labels, 0.8)[0]
        print(f"{name}: {sum(labels)} of {len(labels)}, average precision {area:.3f}, at recall 0.80 {precision:.3f}")
    right = [example for example in examples if example.label["correction_type"]]
    for name in VARIETIES:
        labels = [example.label["correction_type"] == name for example in right]
        judges[name] = fit(right, labels, trees=0, blocks=())
    WEIGHTS.write_text(json.dumps({"schema": 1, "judges": judges}, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{WEIGHTS.stat().st_size / 1000:.0f} KB in {time.time() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
