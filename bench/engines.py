"""What a brief answers with each engine, on the same probes and labels, and the tokens it spent for it.

`python -m bench engines --engine api:…` adds an engine to the rows of this run. The rules need nobody; every other
engine asks a model that somebody pays for, so only those that are named are run, and the table says which were not.
"""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import Context, Row
from bench.brief import SHARED
from bench.probes import load_scorer
from thruline.config import load_config
from thruline.engines.gate import Gate, Purpose
from thruline.engines.receipts import read_receipts
from thruline.layout import find_user_paths
from thruline.operations.handoff.ask import ask_brief
from thruline.operations.handoff.brief import make_brief
from thruline.operations.sessions.locate import Located, locate

FEATURE = "bench"
BUDGETS = (1_000, 3_000)
KINDS = ("agent", "command:<harness>", "api:<model>")
_MARKS = re.compile(r"[`>⏎\s]+")


@dataclass(frozen=True, slots=True)
class Made:
    """The briefs of all sessions by one engine and budget, the tokens they cost, and what failed."""

    texts: dict[str, str]
    tokens: int
    failures: int


def run(context: Context) -> list[Row]:
    """The rows of every engine that was asked for; the rules' always."""
    corpus = SHARED / "corpus"
    if not (corpus / "probes.jsonl").is_file():
        print(f"engines are scored on probes and labels, which need {SHARED}")
        return []
    probes = _read_lines(corpus / "probes.jsonl")
    labels = [label for label in _read_lines(corpus / "labels.jsonl") if label["correction"]]
    rows: list[Row] = []
    for engine in dict.fromkeys(("rules", *context.engines)):
        for budget in BUDGETS:
            made = make_briefs(engine, probes, corpus, context, budget)
            rows += _score(engine, budget, made, probes, labels)
    run_kinds = {engine.partition(":")[0] for engine in context.engines}
    rows += [
        Row(f"{kind}: not run, it needs a model", 0, "") for kind in KINDS if kind.partition(":")[0] not in run_kinds
    ]
    return rows


def make_briefs(engine: str, probes: list[dict[str, Any]], corpus: Path, context: Context, budget: int) -> Made:
    """A brief of each session that a probe asks about."""
    files = {probe["session"]: probe["file"] for probe in probes}
    # The user's own receipts: what a bench spends is spent, and the day's budget holds here too.
    receipts = find_user_paths().receipts
    before = {one.id for one in read_receipts(receipts)[0]}
    texts, failures = {}, 0
    for session, file in files.items():
        located = locate(str(corpus / file), folder=str(corpus))
        texts[session], failed = _make(engine, located, receipts, context, budget)
        failures += failed
    spent, _ = read_receipts(receipts)
    own = [one for one in spent if one.id not in before and (one.engine, one.feature) == (engine, FEATURE)]
    return Made(texts, sum(one.read + one.written for one in own), failures)


def _make(engine: str, located: Located, receipts: str, context: Context, budget: int) -> tuple[str, int]:
    if engine == "rules":
        return make_brief(located, None, budget=budget).text, 0
    models = load_config(None, find_user_paths(), os.environ).models
    gate = Gate(engine, models, receipts, Purpose(FEATURE))
    asked = ask_brief(
        located,
        gate,
        origin=engine,
        root=str(context.folder),
        overrides="",
        cache=str(context.folder / "cache"),
        budget=budget,
    )
    return asked.made.rendered.text, len(asked.failures)


def _score(
    engine: str, budget: int, made: Made, probes: list[dict[str, Any]], labels: list[dict[str, Any]]
) -> list[Row]:
    result = load_scorer(SHARED / "corpus").score(probes, made.texts)
    name = f"{engine}, {budget:,} tokens"
    files = {probe["file"]: probe["session"] for probe in probes}
    wanted = [label for label in labels if label["file"] in files]
    quoted = sum(_level(label["text_prefix"])[:60] in _level(made.texts[files[label["file"]]]) for label in wanted)
    note = f"{made.tokens / max(1, len(made.texts)):,.0f} tokens a session" if made.tokens else "no model"
    note += f", {made.failures} answers failed" if made.failures else ""
    return [
        Row(f"{name}: probes missed", 100 * (1 - result["recall"]), "%", note=f"of {len(probes)}; {note}"),
        Row(f"{name}: labelled corrections not quoted", 100 * (1 - quoted / max(1, len(wanted))), "%",
            note=f"of {len(wanted)}"),
    ]  # fmt: skip


def _level(text: str) -> str:
    return _MARKS.sub(" ", text).strip()


def _read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
