"""What a session spends to find its bearings, beside what we would tell it: pairs of consecutive sessions of a project.

Of the second session the tokens until its first edit are counted: everything that came into its context and that
it read or wrote after its first answer began. Beside it the text that the first session leaves for it, as the worker
renders it, in tokens of four bytes. What is spent for other reasons (the task itself needs reading) is in it too: the
ratio says how dear our text is, not how much of the other it saves.
"""

import statistics
from itertools import pairwise
from pathlib import Path

from bench import Context, Row
from thruline.engines.rules import GitState
from thruline.harnesses.telling import find_limit, find_tellable
from thruline.inject.choose import Choice, Waiting
from thruline.inject.render import render_resume
from thruline.operations.handoff.brief import build_brief, read_facts
from thruline.operations.sessions.locate import Located, locate
from thruline.operations.sessions.reading import Reading
from thruline.operations.work.budget import build_budget
from thruline.session.parts import Call, Said, Used
from thruline.session.summary import Summary
from thruline.spine.budget import BYTES_PER_TOKEN

SHARED = Path(__file__).resolve().parents[2] / "shared"
BAR = 10.0  # per cent


def run(context: Context) -> list[Row]:
    """One row a pair, and the median over all."""
    folder = SHARED / "corpus-compacted"
    if not folder.is_dir():
        print(f"the pairs need {folder}, which is not here")
        return []
    sessions = sorted(_read_sessions(folder), key=lambda each: each[1].first_time)
    rows, told_all, spent_all = [], [], []
    for (first, before), (second, _after) in pairwise(sessions):
        spent = measure_before_edit(second)
        told = measure_told(first, before)
        if not spent:
            continue
        told_all.append(told)
        spent_all.append(spent)
        name = f"{first.session_id[:8]} → {second.session_id[:8]}"
        rows.append(Row(name, 100 * told / spent, "%", note=f"told {told:,}, spent {spent:,} tokens"))
    shares = [row.value for row in rows]
    within = sum(share <= BAR for share in shares)
    return [
        Row(
            "told / spent before the first edit, median of pairs",
            statistics.median(shares),
            "%",
            bar=BAR,
            note=f"{len(rows)} pairs, {within} within the bar",
        ),
        Row("all that was told / all that was spent", 100 * sum(told_all) / sum(spent_all), "%", bar=BAR),
        Row("told, median", statistics.median(told_all), "tokens"),
        Row("spent before the first edit, median", statistics.median(spent_all), "tokens"),
        *rows,
    ]


def _read_sessions(folder: Path) -> list[tuple[Located, Summary]]:
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        if path.name == "manifest.jsonl":
            continue
        located, summary = locate(str(path), folder=str(folder)), Summary()
        for part in Reading(located):
            summary.see(part)
        found.append((located, summary))
    return found


def measure_before_edit(located: Located) -> int:
    """Tokens that the context grew by between the first answer and the first edit; 0 where the session never edits.

    What the client itself puts before the first answer is no part of it: every session pays that.
    """
    begun, last, grown = False, 0, 0
    for part in Reading(located):
        if type(part) is Said and part.by == "human":
            begun = True
        elif type(part) is Used and begun and not part.source and part.context:
            # A compaction makes the context smaller; what was read before it was spent all the same.
            grown += max(0, part.context - (last or part.context))
            last = part.context
        elif type(part) is Call and part.action in ("edit", "write", "delete") and not part.source and begun:
            return grown
    return 0


def measure_told(located: Located, summary: Summary) -> int:
    """Tokens of the text that this session leaves for the next one."""
    facts, watch, _ = read_facts(located, GitState("Not asked: the project's folder is not on this machine."))
    most = 0
    for harness in find_tellable():
        limit = find_limit(harness)
        notes = build_brief(located, facts, watch, build_budget(limit))[1].text
        turns = sum(summary.humans.values())
        about = Waiting(harness.name, located.session_id, turns, summary.last_time, True, handoff="/home/dev/h.md")
        most = max(most, len(render_resume(Choice(about), notes, limit).encode()))
    return most // BYTES_PER_TOKEN
