"""How well signals are mined: corrections by judges chosen and trained without the person, or the source, they judge;
decisions and constraints beside. Writes the tables of docs/signals.md.

Scores, not times; a row's bar is on what goes wrong (1 - precision), since bars are upper limits here.
"""

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench import Context, Row
from thruline.signals.constraints import LASTING, find_constraints
from thruline.signals.features import build_features
from thruline.signals.model import load_judges
from thruline.signals.people import STRONGEST, is_ruled, judge_correction
from tools.train.data import SHARED, read_examples, read_messages
from tools.train.fit import WEIGHTS_ALONE, Example, cross_validate
from tools.train.made import read_made
from tools.train.measure import average_precision, precision_at_recall
from tools.train.nested import RIGHT, Verdict, find_tier, judge_nested

PAGE = Path(__file__).resolve().parents[1] / "docs" / "signals.md"
RECALL = 0.85
WRONG_BAR, AREA_BAR, SURE_BAR, MISSED_BAR = 0.45, 0.20, 1 - RIGHT, 0.15
TIMED = 400

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


def run(context: Context) -> list[Row]:
    """Scores of corrections with their bars; decisions and constraints to compare."""
    if not SHARED.is_dir():
        return [Row("labelled messages", 0, "", note="../shared is not there")]
    examples, made = read_examples(), read_made()
    labels = [bool(example.label["correction"]) for example in examples]
    people = judge_nested(examples, labels, lambda example: example.person, made)
    owners = judge_nested(examples, labels, lambda example: example.owner, made)
    rules = force(examples, [score_by_rules(example) for example in examples])
    decided = [bool(example.label["decision"]) for example in examples]
    decisions = cross_validate(examples, decided, WEIGHTS_ALONE)
    found = [find_constraints(example.text, example.features.spans, example.features.own) for example in examples]
    strengths = [max([strength for _, strength, _ in each], default=0.0) for each in found]
    ruled = [bool(example.label["constraint"]) for example in examples]
    if not context.quick:
        tables = [
            _table_all(examples, labels, people, owners, rules),
            _table("left out, all sources", name_people(examples), examples, labels, people),
            _table("left out, all people", [example.owner for example in examples], examples, labels, owners),
            _table_beside(decisions, decided, strengths, ruled),
            _table_constraints(examples, strengths, ruled),
        ]
        _write("\n\n".join(tables))
    return [
        *_rows_of_split("the person", examples, labels, people),
        *_rows_of_split("the source", examples, labels, owners),
        Row("by rules alone, wrongly taken at that recall", 1 - precision_at_recall(rules, labels, RECALL)[0], ""),
        Row("decisions wrongly taken at recall 0.8", 1 - precision_at_recall(decisions, decided, 0.8)[0], ""),
        Row("judging a message, its features included", _time_judging(), "ms", bar=1.0),
        *[row for owner in sorted({example.owner for example in examples}) for row in _rows_of(owner, examples, labels,
                                                                                              owners)],
    ]  # fmt: skip


def _rows_of_split(left_out: str, examples: list[Example], labels: list[bool], verdicts: list[Verdict]) -> list[Row]:
    """What is asked for, by judges that were trained, calibrated and cut off without the person or the source."""
    without = f"without {left_out}"
    scores = [verdict.strength for verdict in verdicts]
    precision, recall = measure([verdict.taken for verdict in verdicts], labels)
    sure, told = measure([verdict.sure for verdict in verdicts], labels)
    heard = find_answered(examples)
    tier = find_tier([scores[at] for at in heard], [labels[at] for at in heard])
    at_recall = precision_at_recall(scores, labels, RECALL)[0]
    return [
        Row(f"{without}: area missing to an average precision of 1", 1 - average_precision(scores, labels), "",
            bar=AREA_BAR),
        Row(f"{without}: wrongly taken at recall {RECALL}", 1 - at_recall, "", bar=WRONG_BAR),
        Row(f"{without}: corrections wrongly taken, as printed", 1 - precision, "", bar=WRONG_BAR),
        Row(f"{without}: corrections missed, as printed", 1 - recall, "", bar=MISSED_BAR),
        Row(f"{without}: strongest corrections wrongly taken", 1 - sure, "", bar=SURE_BAR, note=f"recall {told:.2f}"),
        Row(f"{without}: where the strongest tier may begin", tier, "", bar=STRONGEST, note="answers known"),
    ]  # fmt: skip


def find_answered(examples: list[Example]) -> list[int]:
    """The messages whose answer is known from its beginning, as it is in a transcript."""
    return [at for at, example in enumerate(examples) if "answer.unknown" not in example.features.situations]


def _rows_of(owner: str, examples: list[Example], labels: list[bool], verdicts: list[Verdict]) -> list[Row]:
    """What a judge that had seen nothing of this source makes of it."""
    here = [at for at, example in enumerate(examples) if example.owner == owner]
    known, found = [labels[at] for at in here], [verdicts[at] for at in here]
    sure, _ = measure([verdict.sure for verdict in found], known)
    taken = [verdict.taken for verdict in found]
    precision, recall = measure(taken, known)
    about = (
        f"{sum(known)} of {len(known)} messages correct; taken {sum(taken)}, {precision:.2f} right, recall {recall:.2f}"
    )
    area = 1 - average_precision([verdict.strength for verdict in found], known)
    strongest = f"{sum(verdict.sure for verdict in found)} of them"
    return [
        Row(f"source {owner} left out: area missing", area, "", note=about),
        Row(f"source {owner} left out: strongest wrongly taken", 1 - sure, "", note=strongest),
    ]


def measure(taken: Sequence[bool], labels: Sequence[bool]) -> tuple[float, float]:
    """(precision, recall) of what was taken."""
    hits = sum(flag and label for flag, label in zip(taken, labels, strict=True))
    return hits / max(sum(taken), 1), hits / max(sum(labels), 1)


def _time_judging() -> float:
    situations = [situation for _, _, situation, _ in read_messages()[:TIMED]]
    judge = load_judges()["correction"]
    best = 1e9
    for _ in range(3):
        started = time.process_time()
        for situation in situations:
            judge_correction(build_features(situation), judge)
        best = min(best, time.process_time() - started)
    return best * 1000 / len(situations)


HEAD = (
    "| {} | messages | corrections | average precision | precision at recall 0.85 | taken: precision | recall "
    "| strongest: precision | recall |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
)


def _row(name: str, labels: list[bool], verdicts: list[Verdict]) -> str:
    scores = [verdict.strength for verdict in verdicts]
    area, at_recall = average_precision(scores, labels), precision_at_recall(scores, labels, RECALL)[0]
    cells = [f"{area:.3f}", f"{at_recall:.3f}"]
    for flags in ([verdict.taken for verdict in verdicts], [verdict.sure for verdict in verdicts]):
        precision, recall = measure(flags, labels)
        cells += [f"{precision:.2f} of {sum(flags)}", f"{recall:.2f}"]
    return f"| {name} | {len(labels)} | {sum(labels)} | {' | '.join(cells)} |"


def _table_all(
    examples: list[Example], labels: list[bool], people: list[Verdict], owners: list[Verdict], rules: list[float]
) -> str:
    area, precision = average_precision(rules, labels), precision_at_recall(rules, labels, RECALL)[0]
    heard = find_answered(examples)
    known = [labels[at] for at in heard]
    return "\n".join(
        [
            HEAD.format("corrections"),
            _row("trained, the person left out", labels, people),
            _row("trained, the source left out", labels, owners),
            _row("the person left out, answers known", known, [people[at] for at in heard]),
            _row("the source left out, answers known", known, [owners[at] for at in heard]),
            f"| rules alone | {len(labels)} | {sum(labels)} | {area:.3f} | {precision:.3f} | | | | |",
        ]
    )


def _table(title: str, groups: list[str], examples: list[Example], labels: list[bool], verdicts: list[Verdict]) -> str:
    rows = []
    for group in sorted(set(groups)):
        here = [at for at in range(len(examples)) if groups[at] == group]
        if sum(labels[at] for at in here) > 4:
            rows.append((len(here), _row(group, [labels[at] for at in here], [verdicts[at] for at in here])))
    return "\n".join([HEAD.format(title), *[row for _, row in sorted(rows, reverse=True)]])


def name_people(examples: list[Example]) -> list[str]:
    """A number for each person, by how much they wrote."""
    sizes: dict[str, int] = {}
    for example in examples:
        sizes[example.person] = sizes.get(example.person, 0) + 1
    ranked = sorted(sizes, key=lambda person: (-sizes[person], person))
    names = {person: f"person {number}" for number, person in enumerate(ranked, 1)}
    return [names[example.person] for example in examples]


RULE = "| --- | ---: | ---: | ---: |"


def _count(name: str, taken: list[bool], labels: list[bool]) -> str:
    precision, recall = measure(taken, labels)
    return f"| {name} | {sum(labels)} | {precision:.2f} of {sum(taken)} | {recall:.2f} |"


def _table_beside(decisions: list[float], decided: list[bool], strengths: list[float], ruled: list[bool]) -> str:
    cut = precision_at_recall(decisions, decided, 0.8)[1]
    rows = [
        _count("decisions, trained, the person left out", [score >= cut for score in decisions], decided),
        _count("constraints worded as lasting", [strength >= LASTING for strength in strengths], ruled),
        _count("constraints, limits too", [strength > 0 for strength in strengths], ruled),
    ]
    return "\n".join(["| beside | labelled | precision | recall |", RULE, *rows])


def _table_constraints(examples: list[Example], strengths: list[float], ruled: list[bool]) -> str:
    rows = []
    for owner in sorted({example.owner for example in examples}):
        here = [at for at, example in enumerate(examples) if example.owner == owner]
        rows.append(_count(owner, [strengths[at] > 0 for at in here], [ruled[at] for at in here]))
    return "\n".join(
        ["| constraints by source | labelled | precision | recall |", "| --- | ---: | ---: | ---: |", *rows]
    )


def _write(tables: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition("<!-- scores -->")
    _, _, tail = rest.partition("<!-- /scores -->")
    date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    PAGE.write_text(f"{head}<!-- scores -->\nOf {date}.\n\n{tables}\n<!-- /scores -->{tail}", encoding="utf-8")
