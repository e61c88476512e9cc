"""What a reader said of facts in real sessions, kept by a summary or lost: we mostly agree, and err towards lost.

Only those that no summary has word for word were judged; the rest needs no reader. The words themselves are not ours
and stay in ../shared: a fact is known by its session, its lines and a digest.
"""

import csv
import hashlib
from pathlib import Path

import pytest

from thruline.brief.kept.remember import Fact
from thruline.operations.sessions.compactions import find_compactions
from thruline.operations.sessions.locate import locate

VERDICTS = Path(__file__).with_name("real_verdicts.tsv")
SHARED = Path(__file__).parents[3] / "shared"
CORPORA = ("corpus-compacted", "corpus")

pytestmark = [pytest.mark.shared, pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared")]


def build_key(session: str, line: int, fact: Fact) -> tuple[str, str, str, str]:
    return session[:8], str(line), str(fact.line), hashlib.sha256(fact.text.encode()).hexdigest()[:12]


def test_a_reader_mostly_agrees_and_where_not_a_thing_is_told_twice_rather_than_lost() -> None:
    with VERDICTS.open(encoding="utf-8", newline="") as file:
        verdicts = {tuple(row[:4]): row[4] for row in list(csv.reader(file, delimiter="\t"))[1:]}
    ours: dict[tuple[str, ...], str] = {}
    for path in sorted(path for corpus in CORPORA for path in (SHARED / corpus).rglob("*.jsonl")):
        if path.name[:8] in {session for session, *_ in verdicts}:
            for one in find_compactions(locate(str(path), folder=str(path.parent))):
                ours |= {build_key(path.name, one.line, fact): "kept" for fact in one.kept}
                ours |= {build_key(path.name, one.line, fact): "lost" for fact in one.lost}
    judged = {key: verdict for key, verdict in verdicts.items() if key in ours}
    assert len(judged) >= 0.9 * len(verdicts)  # else the facts are others than those that were judged
    right = [key for key, verdict in judged.items() if ours[key] == verdict]
    lost = [key for key, verdict in judged.items() if verdict == "lost"]
    forgotten = [key for key in lost if ours[key] == "kept"]
    print(len(right), len(judged), len(forgotten), len(lost))
    assert len(right) >= 0.84 * len(judged)
    assert len(forgotten) <= 0.07 * len(lost)
