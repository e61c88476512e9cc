"""How well signals are mined: corrections by judges that never saw the person they judge, decisions and constraints
beside. Writes the tables of docs/signals.md.

Scores, not times; a row's bar is on what goes wrong (1 - precision), since bars are upper limits here.
"""

import time
from collections.abc import Callable
from pathlib import Path

from bench import Context, Row
from thruline.signals.constraints import find_constraints
from thruline.signals.model import load_judges
from thruline.signals.people import is_ruled
from tools.train.data import SHARED, read_examples
from tools.train.fit import Example, cross_validate
from tools.train.measure import average_precision, precision_at_recall, recall_at_precision

PAGE = Path(__file__).resolve().parents[1] / "docs" / "signals.md"
RECALL, SURE = 0.85, 0.85
WRONG_BAR, AREA_BAR, SURE_BAR = 0.45, 0.20, 0.15

# Rules alone: what a person would write down without counting anything.
PUSHBACK = ("no", "instead", "undo", "redirect", "wrong", "missing", "doubt", "still", "told", "concern")
YIELDING = ("answer.agree", "answer.apology", "answer.retreat", "answer.undid", "interrupted", "ask.negative")


def score_by_rules(example: Example) -> float:
    """Pushback counts one, more when it comes early; a yielding answer two; approval takes one away."""
    there = example.features.situations
    total = sum((f"cue.{name}" in there) + 0.5 * (f"first.{name}" in there) for name in PUSHBACK)
    total += 2 * sum(name in there for name in YIELDING) - ("first.approve" in there) - 2 * ("report" in there)
    return float(total)


def force(examples: list[Example], scores: list[float]) -> list[float]:
    """The scores with the rules on top: a typed refusal is a correction, pasted matter is none."""
    return [
        (1e6 if "kind.rejection" in example.features.situations else -1e6)
        if is_ruled(example.features.situations)
        else score
        for example, score in zip(examples, scores, strict=True)
    ]


def score_held_out(examples: list[Example], labels: list[bool]) -> list[float]:
    """Corrections as a judge sees them that was trained without that person."""
    open_ones = [at for at, example in enumerate(examples) if not is_ruled(example.features.situations)]
    judged = cross_validate([examples[at] for at in open_ones], [labels[at] for at in open_ones])
    scores = [0.0] * len(examples)
    for at, score in zip(open_ones, judged, strict=True):
        scores[at] = score
    return force(examples, scores)


def run(context: Context) -> list[Row]:
    """Scores of corrections with their bars; decisions and constraints to compare."""
    if not SHARED.is_dir():
        return [Row("labelled messages", 0, "", note="../shared is not there")]
    examples = read_examples()
    labels = [bool(example.label["correction"]) for example in examples]
    scores = score_held_out(examples, labels)
    rules = force(examples, [score_by_rules(example) for example in examples])
    wrong = 1 - precision_at_recall(scores, labels, RECALL)[0]
    area = average_precision(scores, labels)
    sure, threshold = recall_at_precision(scores, labels, SURE)
    taken = [label for score, label in zip(scores, labels, strict=True) if score >= threshold]
    decided = [bool(example.label["decision"]) for example in examples]
    decisions = cross_validate(examples, decided, trees=0, blocks=("w",))
    ruled = [bool(example.label["constraint"]) for example in examples]
    found = [find_constraints(example.text, example.features.spans, example.features.own) for example in examples]
    strengths = [max([sure for _, sure, _ in one], default=0.0) for one in found]
    if not context.quick:
        tables = [
            _table_all(labels, scores, rules),
            _table_owners(examples, labels, scores),
            _table_people(examples, labels, scores),
            _table_beside(decisions, decided, strengths, ruled),
        ]
        _write("\n\n".join(tables))
    return [
        Row(f"corrections wrongly taken at recall {RECALL}", wrong, "", bar=WRONG_BAR),
        Row("corrections, area missing to an average precision of 1", 1 - area, "", bar=AREA_BAR),
        Row(
            "strongest corrections wrongly taken",
            1 - sum(taken) / len(taken),
            "",
            bar=SURE_BAR,
            note=f"recall {sure:.2f}",
        ),
        Row("by rules alone, wrongly taken at that recall", 1 - precision_at_recall(rules, labels, RECALL)[0], ""),
        Row("decisions wrongly taken at recall 0.8", 1 - precision_at_recall(decisions, decided, 0.8)[0], ""),
        Row("judging a message", _time_judging(examples), "ms", bar=1.0),
    ]


def _time_judging(examples: list[Example]) -> float:
    judge = load_judges()["correction"]
    started = time.process_time()
    for example in examples:
        judge.judge(example.features)
    return (time.process_time() - started) * 1000 / len(examples)


def _row(name: str, scores: list[float], labels: list[bool]) -> str:
    area = average_precision(scores, labels)
    precision = precision_at_recall(scores, labels, RECALL)[0]
    recall = recall_at_precision(scores, labels, SURE)[0]
    return f"| {name} | {len(labels)} | {sum(labels)} | {area:.3f} | {precision:.3f} | {recall:.3f} |"


HEAD = (
    "| {} | messages | corrections | average precision | precision at recall 0.85 | recall at precision 0.85 |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: |"
)


def _table_all(labels: list[bool], scores: list[float], rules: list[float]) -> str:
    rows = [_row("trained, held-out people", scores, labels), _row("rules alone", rules, labels)]
    return "\n".join([HEAD.format("corrections"), *rows])


def _table(
    title: str, name: Callable[[Example], str], examples: list[Example], labels: list[bool], scores: list[float]
) -> str:
    rows = []
    for group in sorted({name(example) for example in examples}):
        here = [at for at, example in enumerate(examples) if name(example) == group]
        if sum(labels[at] for at in here) > 4:
            rows.append((len(here), _row(group, [scores[at] for at in here], [labels[at] for at in here])))
    return "\n".join([HEAD.format(title), *[row for _, row in sorted(rows, reverse=True)]])


def _table_owners(examples: list[Example], labels: list[bool], scores: list[float]) -> str:
    return _table("source", lambda example: example.owner, examples, labels, scores)


def _table_people(examples: list[Example], labels: list[bool], scores: list[float]) -> str:
    sizes: dict[str, int] = {}
    for example in examples:
        sizes[example.person] = sizes.get(example.person, 0) + 1
    ranked = sorted(sizes, key=lambda person: (-sizes[person], person))
    names = {person: f"person {number}" for number, person in enumerate(ranked, 1)}
    return _table("left out", lambda example: names[example.person], examples, labels, scores)


def _table_beside(decisions: list[float], decided: list[bool], strengths: list[float], ruled: list[bool]) -> str:
    def counts(name: str, taken: list[bool], labels: list[bool]) -> str:
        hits = sum(flag and label for flag, label in zip(taken, labels, strict=True))
        return f"| {name} | {sum(labels)} | {hits / max(sum(taken), 1):.2f} | {hits / max(sum(labels), 1):.2f} |"

    cut = precision_at_recall(decisions, decided, 0.8)[1]
    rows = [
        counts("decisions, trained, held-out people", [score >= cut for score in decisions], decided),
        counts("constraints worded as lasting", [strength > 0.5 for strength in strengths], ruled),
        counts("constraints, limits too", [strength > 0 for strength in strengths], ruled),
    ]
    return "\n".join(["| beside | labelled | precision | recall |", "| --- | ---: | ---: | ---: |", *rows])


def _write(tables: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition("<!-- scores -->")
    _, _, tail = rest.partition("<!-- /scores -->")
    PAGE.write_text(f"{head}<!-- scores -->\n{tables}\n<!-- /scores -->{tail}", encoding="utf-8")
