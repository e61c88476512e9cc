"""Compactions driven in the real client: what of sixty planted facts the model has by its second request after one.

The scripted summaries drop half of the facts and say a third of the rest in other words (tests/clients/compacting.py).
Half of the compactions were asked for by a person, half came since the window was full. The client alone stands beside.
"""

from pathlib import Path

from bench import Context, Row
from tests.clients.claude_code import ClaudeWorld
from tests.clients.compacting import AUTO, MANUAL, Outcome, drive
from tests.clients.ours import register_hooks
from tests.work.shop import wait_for_worker
from tools.clients import table as clients

CLIENT = "claude-code"
FACTS = 60
EACH = 5  # compactions by each trigger and edition
MISSING_BAR, REPEATED_BAR = 5.0, 5.0


def run(context: Context) -> list[Row]:
    """For each edition of the client what is missing and what was repeated, with us and alone."""
    try:
        cache = clients.find_cache()
        editions = clients.find_editions(clients.find_client(CLIENT), cache)
        binaries = {each: clients.find_binary(clients.find_client(CLIENT), each, cache) for each in editions}
    except clients.Missing as error:
        print(f"{error}: left out")
        return []
    rows: list[Row] = []
    for edition, binary in binaries.items():
        ours = [
            drive_one(binary, context.folder / f"{edition}-{trigger}-{seed}", seed + EACH * (trigger == AUTO), trigger)
            for trigger in (MANUAL, AUTO)
            for seed in range(1 if context.quick else EACH)
        ]
        alone = drive_one(binary, context.folder / f"{edition}-alone", 0, MANUAL, hooked=False)
        rows += build_rows(f"{CLIENT}, {edition}", ours, alone)
    return rows


def build_rows(name: str, ours: list[Outcome], alone: Outcome) -> list[Row]:
    """Shares in percent."""
    whole, kept = FACTS * len(ours), sum(each.kept for each in ours)
    missing, repeated = whole - sum(each.present for each in ours), sum(each.repeated for each in ours)
    left = FACTS - alone.present
    note = f"{len(ours)} compactions"
    return [
        Row(
            f"{name}: facts missing", 100 * missing / whole, "%", bar=MISSING_BAR, note=f"{missing} of {whole}; {note}"
        ),
        Row(f"{name}: repeated", 100 * repeated / kept, "%", bar=REPEATED_BAR, note=f"{repeated} of {kept} kept"),
        Row(f"{name}: the longest text told", max(each.told_bytes for each in ours), "bytes"),
        Row(f"{name} alone: facts missing", 100 * left / FACTS, "%", note=f"{left} of {FACTS}"),
    ]


def drive_one(binary: Path, folder: Path, seed: int, trigger: str, *, hooked: bool = True) -> Outcome:
    """One compaction in a world of its own."""
    world = ClaudeWorld(binary, folder, ["unused"])
    try:
        hooks = register_hooks(world) if hooked else None
        outcome = drive(world, seed, hooks, trigger)
        if hooks is not None:
            wait_for_worker(hooks)
        return outcome
    finally:
        world.close()
