"""What a brief answers: the corpus' probes at 1,000 and 3,000 tokens, beside simple briefs of the same size.

Also the files of a session, and what a handoff costs beside the spine.

Scores are shares of what was missed, so that a bar is what a value may reach.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path

from bench import Context, Row
from bench.instructions import Counted, compare_instructions
from bench.monster import write_monster
from bench.probes import score_ours, score_probes
from bench.race import Command, Entrant, race, read_processor_time
from bench.spine import environment, find_program, prepare_argv, write_real_shaped
from thruline.operations.sessions.locate import locate
from thruline.operations.sessions.reading import Reading
from thruline.session.ledger import Ledger

SHARED = Path(__file__).resolve().parents[2] / "shared"
FILES_BAR, HANDOFF_BAR = 2.0, 1.3
_WRITERS = ("Write", "Edit", "MultiEdit", "NotebookEdit")


def run(context: Context) -> list[Row]:
    """All tables of this bench as one list of rows."""
    corpus = SHARED / "corpus"
    rows: list[Row] = []
    if (corpus / "probes.jsonl").is_file():
        rows += [*score_probes(corpus), *score_ours(corpus), score_files(corpus)]
    else:
        print(f"probes and files need {SHARED}, which is not here: only the cost is measured")
    return rows + race_handoff(context)


# --- files --------------------------------------------------------------------------------------------------------


def score_files(corpus: Path) -> Row:
    """Files that the ledger misses or invents, against the client's own tool calls read with json alone."""
    hit = wrong = missed = 0
    for path in sorted([*corpus.rglob("*.jsonl"), *(SHARED / "corpus-compacted").glob("*.jsonl")]):
        truth = find_written(path)
        if not truth:
            continue
        ledger = Ledger()
        for part in Reading(locate(str(path), folder=str(path.parent))):
            ledger.see(part)
        told = {name for name, fact in ledger.files.items() if {"created", "edited"} & set(fact.how)}
        # What a shell command made is in the ledger and not in the truth: only paths that some tool wrote are compared.
        told = {name for name in told if name in truth or not _is_shell_made(path, name)}
        hit, wrong, missed = hit + len(told & truth), wrong + len(told - truth), missed + len(truth - told)
    f1 = 2 * hit / max(1, 2 * hit + wrong + missed)
    return Row("files of a session: 1 - F1", 100 * (1 - f1), "%", bar=FILES_BAR, note=f"of {hit + missed} files")


def find_written(path: Path) -> set[str]:
    """The paths of writing tool calls that did not fail."""
    asked: dict[str, str] = {}
    failed: set[str] = set()
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        message = record.get("message") if isinstance(record, dict) else None
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else ():
            if not isinstance(block, dict):
                continue
            if block.get("type") == "tool_use" and block.get("name") in _WRITERS:
                given = block.get("input") or {}
                asked[block["id"]] = given.get("file_path") or given.get("notebook_path") or ""
            elif block.get("type") == "tool_result":
                if block.get("is_error"):
                    failed.add(block.get("tool_use_id", ""))
                else:
                    asked[block.get("tool_use_id", "") + "!"] = ""
    done = {call for call in asked if call + "!" in asked}
    return {name for call, name in asked.items() if call in done and call not in failed and name}


def _is_shell_made(path: Path, name: str) -> bool:
    text = path.read_text(encoding="utf-8", errors="replace")
    return f'"file_path":{json.dumps(name)}' not in text.replace('": "', '":"')


# --- cost ---------------------------------------------------------------------------------------------------------


def race_handoff(context: Context) -> list[Row]:
    """A handoff beside writing the spine of the same file: of a made-up session, and of real records in one file."""
    size = 10 if context.quick else 100
    monster = context.folder / "monster.jsonl"
    write_monster(monster, size)
    rounds = max(3, min(context.rounds, 7))
    rows = race_file(context, monster, f"{size} MB", rounds, time.perf_counter, HANDOFF_BAR)
    rows += race_file(context, monster, f"{size} MB, processor time", rounds, read_processor_time, HANDOFF_BAR)
    rows += count_file(context, monster, f"{size} MB")
    # People and agents say ten times as much in it, and all of it is mined: to compare, without a bar.
    real = write_real_shaped(context.folder / "real.jsonl", size)
    if real is not None:
        rows += race_file(context, real, f"{size} MB of real records, processor time", 3, read_processor_time, None)
        rows += count_file(context, real, f"{size} MB of real records")
    return rows


def race_file(
    context: Context, path: Path, what: str, rounds: int, clock: Callable[[], float], bar: float | None
) -> list[Row]:
    """Both commands over one file."""
    env = environment(context)
    return race(
        [
            Entrant(f"spine written, {what}", Command(prepare_argv(context, path), env=env)),
            Entrant(f"handoff printed, {what}", Command(handoff_argv(context, path), env=env), bar),
        ],
        rounds=rounds,
        clock=clock,
    )


def count_file(context: Context, path: Path, what: str) -> list[Row]:
    """Both commands over one file, in instructions: to compare, the bar is in time."""
    env = environment(context)
    return compare_instructions(
        [
            Counted(f"spine written, {what}, instructions", prepare_argv(context, path), env),
            Counted(f"handoff printed, {what}, instructions", handoff_argv(context, path), env),
        ]
    )


def handoff_argv(context: Context, path: Path) -> list[str]:
    """The command line that prints the brief of `path`, made anew."""
    return [find_program(context), "handoff", str(path), "--fresh", "-C", str(context.folder)]
