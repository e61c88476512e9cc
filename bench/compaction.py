"""What real compactions lost, by kind: every one in the corpora beside the project, by its own transcript.

No race: the rows are shares. What a person corrected weighs more than a remark, so kinds stand apart. Facts of
another session held against the same summaries show how often something counts as kept that is not there.
"""

import random
from collections.abc import Iterator
from pathlib import Path

from bench import Context, Row
from thruline.brief.kept.loss import count_kinds, find_lost
from thruline.brief.kept.remember import KINDS
from thruline.errors import ThrulineError
from thruline.operations.sessions.compactions import Compaction, find_compactions
from thruline.operations.sessions.locate import locate
from thruline.operations.sessions.reading import Reading
from thruline.session.parts import Said

SHARED = Path(__file__).parents[2] / "shared"
CORPORA = ("corpus-compacted", "corpus")
NAMES = {
    "correction": "corrections by the person",
    "refusal": "refusals with a reason",
    "constraint": "rules set by the person",
    "decision": "decisions",
    "question": "questions not answered",
    "task": "open tasks",
    "dead_end": "dead ends",
    "command": "commands that were run again and worked",
    "said": "whatever else people said",
}
STRANGERS = 3


def run(context: Context) -> list[Row]:
    """The share of each kind that summaries lost."""
    found = list(read_all())
    if not found:
        print("no corpus beside the project: left out")
        return []
    compactions = [each for each, _ in found]
    kept = count_kinds(fact for each in compactions for fact in each.kept)
    lost = count_kinds(fact for each in compactions for fact in each.lost)
    rows = [Row("compactions in real sessions", len(compactions), "")]
    for kind in KINDS:
        here, gone = kept.get(kind, 0), lost.get(kind, 0)
        if here + gone:
            rows.append(Row(f"lost of {NAMES[kind]}", 100 * gone / (here + gone), "%", note=f"{gone} of {here + gone}"))
    whole, gone = sum(kept.values()) + sum(lost.values()), sum(lost.values())
    rows.append(Row("lost of everything", 100 * gone / whole, "%", note=f"{gone} of {whole}"))
    worst = max(compactions, key=lambda each: len(each.lost) / max(1, len(each.kept) + len(each.lost)))
    share = 100 * len(worst.lost) / max(1, len(worst.kept) + len(worst.lost))
    rows.append(Row("lost by the worst of them", share, "%", note=f"{len(worst.lost)} things"))
    return [*rows, check_strangers(found)]


def read_all() -> Iterator[tuple[Compaction, str]]:
    """Every compaction with its summary."""
    for corpus in CORPORA:
        for path in sorted((SHARED / corpus).rglob("*.jsonl")):
            try:
                located = locate(str(path), folder=str(path.parent))
                found = find_compactions(located)
            except ThrulineError:
                continue  # lists beside the sessions, and empty files
            if found:
                summaries = {
                    part.line: part.text
                    for part in Reading(located)
                    if isinstance(part, Said) and part.kind == "summary" and part.by == "client"
                }
                yield from ((each, summaries[each.line]) for each in found)


def check_strangers(found: list[tuple[Compaction, str]]) -> Row:
    """How many facts of one session another session's summary seems to hold."""
    chance = random.Random(1)
    facts = taken = 0
    for each, summary in found:
        mine = [*each.kept, *each.lost]
        for _, other in chance.sample(found, min(STRANGERS, len(found))):
            if other != summary:
                facts += len(mine)
                taken += len(find_lost(mine, other)[0])
    share = 100 * taken / max(1, facts)
    return Row("taken for kept, in summaries of other sessions", share, "%", note=f"{taken} of {facts}; same project")
