"""The feature ledger: rows of features.toml, and which marked tests of the last runs passed.

A run is kept per suite in .cache/features/<suite>.json, so that `make features` can tell what is proven without
running anything again.
"""

import json
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

LEVELS = ("must", "future", "open")
STATUSES = ("planned", "done", "declined")
VIAS = ("unit", "cli", "client")
SUITES = ("fast", "clients")
TITLES = {
    "F000": "Refocus",
    "F001": "Cold handoff",
    "F002": "Token discipline",
    "F003": "Context folder, packets, loops",
    "F004": "Tasks and delegation",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One feature. `client` rows are about a real client and are proven only by driving one."""

    id: str
    say: str
    level: str
    status: str
    by: str = ""
    why_not: str = ""
    client: bool = False

    @property
    def seed(self) -> str:
        return self.id[:4]

    @property
    def suite(self) -> str:
        """The suite whose full run must prove this row."""
        return "clients" if self.client else "fast"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a marked test ended last: `passed`, `failed` or `skipped`; `marks` are its (row, via) pairs."""

    outcome: str
    marks: tuple[tuple[str, str], ...]


Run = dict[str, Outcome]


def read_rows(path: Path) -> dict[str, Row]:
    """The rows by id; a key that no row has is a TypeError, which names it."""
    with path.open("rb") as file:
        return {name: Row(id=name, **fields) for name, fields in tomllib.load(file).items()}


def check_rows(rows: dict[str, Row]) -> list[str]:
    """What is wrong with the ledger itself."""
    problems = []
    for row in rows.values():
        if row.level not in LEVELS:
            problems.append(f"{row.id}: level {row.level!r} is none of {', '.join(LEVELS)}")
        if row.status not in STATUSES:
            problems.append(f"{row.id}: status {row.status!r} is none of {', '.join(STATUSES)}")
        if row.status == "declined" and not row.why_not:
            problems.append(f"{row.id}: declined rows need why_not")
        if row.status == "done" and not row.by:
            problems.append(f"{row.id}: done rows need by")
        if not row.say.strip():
            problems.append(f"{row.id}: say is empty")
    return problems


def check_mark(rows: dict[str, Row], args: tuple[object, ...], kwargs: dict[str, object], driven: bool) -> str:
    """What is wrong with one feature mark, or an empty string. `driven`: the test has the `client` mark too."""
    if len(args) != 1 or set(kwargs) != {"via"}:
        return 'a feature mark is feature("F003-02", via="unit")'
    if args[0] not in rows:
        return f"feature {args[0]!r} is no row of features.toml"
    if kwargs["via"] not in VIAS:
        return f"feature {args[0]!r} has via={kwargs['via']!r}; it is one of {', '.join(VIAS)}"
    if kwargs["via"] == "client" and not driven:
        return f'feature {args[0]!r} has via="client", but the test is not marked `client`'
    return ""


def find_run(root: Path, suite: str) -> Path:
    """Where the record of `suite` lies."""
    return root / ".cache" / "features" / f"{suite}.json"


def read_run(path: Path) -> Run:
    """The recorded outcomes by test; empty where there is no record."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return {
        test: Outcome(entry["outcome"], tuple((row, via) for row, via in entry["marks"]))
        for test, entry in stored.items()
    }


def write_run(path: Path, run: Run) -> None:
    """Replaces the record; a reader sees the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(
        {test: {"outcome": run[test].outcome, "marks": run[test].marks} for test in sorted(run)}, indent=1
    )
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.write_text(text + "\n", encoding="utf-8")
    fresh.replace(path)


def find_tests(run: Run, row: Row, outcome: str) -> list[tuple[str, str]]:
    """(test, via) pairs that name `row` and ended with `outcome`; a client row is served by client tests alone."""
    return sorted(
        (test, via)
        for test, entry in run.items()
        for marked, via in entry.marks
        if marked == row.id and entry.outcome == outcome and (via == "client" or not row.client)
    )


def check_done(rows: dict[str, Row], run: Run, suite: str) -> tuple[list[str], list[str]]:
    """Rows claimed done that a full run of `suite` did not prove: (without a test, with skipped tests only)."""
    unproven, skipped = [], []
    for row in rows.values():
        if row.status != "done" or row.suite != suite or find_tests(run, row, "passed"):
            continue
        kind = 'via="client" ' if row.client else ""
        if find_tests(run, row, "skipped"):
            skipped.append(f"{row.id} is done, but its {kind}tests were skipped: {row.say}")
        else:
            unproven.append(f"{row.id} is done, but no {kind}test of it passed: {row.say}")
    return unproven, skipped
