"""What briefs answer: questions that a next session needs answered, with the words by which an answer is known.

Three sets. The corpus' own (8 sessions) was watched while the rules were made. `watched.jsonl` (28 others, written by
readers who had seen neither rules nor briefs) was watched while they were changed. `opened.jsonl` (10 more, in the same
way, all of them long and compacted) was sealed until 2026-11-16 at night, when it was scored for the first time (.63 at
1,000 tokens, .874 at 3,000), and its answers were looked at on 2026-11-18: it says least of what the rules were fitted
to, and nothing of sessions that nobody looked at. No session of the corpus is left for another sealed set.
"""

import importlib.util
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from bench import Row
from thruline.brief.attempts.watch import AttemptWatch
from thruline.engines.rules import Facts, GitState
from thruline.operations.handoff.brief import build_brief, read_facts
from thruline.operations.sessions.locate import Located, locate

# What may be missed at a budget, of all and of each kind.
BARS = {1_000: (20.0, 30.0), 3_000: (5.0, None)}
OURS = ("watched", "opened")


@dataclass(frozen=True)
class Session:
    """A session as the command reads it."""

    located: Located
    facts: Facts
    watch: AttemptWatch


def score_probes(corpus: Path) -> list[Row]:
    """Unanswered probes of the corpus by budget and kind, also without signals, and of the strongest simple brief."""
    scorer, probes = load_scorer(corpus), _read(corpus / "probes.jsonl")
    with _in_one_place(corpus) as here:
        sessions = _fold_all(here, probes)
        bare = {name: replace(one, facts=replace(one.facts, signals=())) for name, one in sessions.items()}
        rows = []
        for budget in BARS:
            rows += _score_kinds("brief", scorer, probes, sessions, budget)
            without = _score(scorer, probes, bare, budget, make_text)
            rows.append(_row(f"the same without mined signals, {budget:,} tokens", without["recall"]))
            rows.append(_score_plain(scorer, probes, sessions, budget))
        return rows


def score_ours(corpus: Path) -> list[Row]:
    """The same of the sets that lie here, about other sessions of the corpus."""
    scorer, rows = load_scorer(corpus), []
    with _in_one_place(corpus) as here:
        for name in OURS:
            probes = _read(Path(__file__).with_name(f"{name}.jsonl"))
            sessions = _fold_all(here, probes)
            for budget in BARS:
                rows += _score_kinds(f"{name} sessions", scorer, probes, sessions, budget)
                rows.append(_score_plain(scorer, probes, sessions, budget))
    return rows


@contextmanager
def _in_one_place(corpus: Path) -> Iterator[Path]:
    """The corpus under a name of the same length everywhere: the Sources tell it, and their room is the brief's."""
    with tempfile.TemporaryDirectory(dir="/tmp" if os.path.isdir("/tmp") else None) as folder:
        os.symlink(corpus.parent, os.path.join(folder, "shared"))
        yield Path(folder, "shared", corpus.name)


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _fold_all(corpus: Path, probes: list[dict[str, Any]]) -> dict[str, Session]:
    return {name: fold(corpus / file) for name, file in {probe["session"]: probe["file"] for probe in probes}.items()}


def _score_kinds(
    what: str, scorer: ModuleType, probes: list[dict[str, Any]], sessions: dict[str, Session], budget: int
) -> list[Row]:
    overall, by_kind = BARS[budget]
    result = _score(scorer, probes, sessions, budget, make_text)
    rows = [_row(f"{what}, {budget:,} tokens: probes missed", result["recall"], bar=overall, of=len(probes))]
    return rows + [
        _row(f"{what}, {budget:,} tokens: {kind}", value["recall"], bar=by_kind, of=value["of"])
        for kind, value in result["kinds"].items()
    ]


def _score_plain(scorer: ModuleType, probes: list[dict[str, Any]], sessions: dict[str, Session], budget: int) -> Row:
    plain = _score(scorer, probes, sessions, budget, make_baseline)
    return _row(f"people's words, files, commits, the tail, {budget:,} tokens", plain["recall"])


def load_scorer(corpus: Path) -> ModuleType:
    """The corpus' own scorer."""
    spec = importlib.util.spec_from_file_location("score_probes", corpus / "score_probes.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _score(
    scorer: ModuleType,
    probes: list[dict[str, Any]],
    sessions: dict[str, Session],
    budget: int,
    make: Callable[[Session, int], str],
) -> dict[str, Any]:
    result: dict[str, Any] = scorer.score(probes, {name: make(session, budget) for name, session in sessions.items()})
    return result


def _row(name: str, recall: float, *, bar: float | None = None, of: int = 0) -> Row:
    return Row(name, 100 * (1 - recall), "%", bar=bar, note=f"of {of}" if of else "")


def fold(path: Path) -> Session:
    """One session as the command reads it, git not asked."""
    located = locate(str(path), folder=str(path.parent))
    git = GitState("Not asked: the project's folder is not on this machine.")
    facts, watch, _ = read_facts(located, git)
    return Session(located, facts, watch)


def make_text(session: Session, budget: int) -> str:
    """What the command prints: with its Sources, which take their room from the same budget."""
    return build_brief(session.located, session.facts, session.watch, budget)[1].text


def make_baseline(session: Session, budget: int) -> str:
    """Everything people said, the changed files and commits, then the end of what the agent said, up to the budget."""
    facts = session.facts
    files = " ".join(path for path, fact in facts.ledger.files.items() if fact.how != ["read"])
    commits = " ".join(f"{made.digest} {made.subject}" for made in facts.ledger.commits)
    told = "\n".join(message.text[:300] for message in facts.material.humans())
    head = f"{files}\n{commits}\n"[:budget]
    people = told[: budget * 2]
    left = max(0, budget * 4 - len(head) - len(people))
    tail = "\n".join(message.text for message in facts.material.agents())
    return head + people + (tail[-left:] if left else "")
