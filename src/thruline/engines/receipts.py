"""What models cost: `receipts.jsonl`, a line before each call and a line behind it, under one id.

The first line holds an estimate. A call that never came back (killed, power cut) counts with it, so a budget can be
overdrawn by nobody's crash. Tokens and money only: no prompt, no answer, no name of a file.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from thruline.disk.atomic import append_line, read_bytes
from thruline.errors import NotFound

ASKED, ANSWERED = "asked", "answered"


@dataclass(frozen=True, slots=True)
class Receipt:
    """One call of a model. `outcome` is `ok`, what went wrong in a word, or `unknown` where it never came back."""

    id: str
    at: str
    feature: str
    engine: str
    model: str
    project: str
    session: str
    read: int
    written: int
    cached: int
    dollars: float | None
    exact: bool
    seconds: float
    outcome: str


def write_receipt(path: str, state: str, receipt: Receipt) -> None:
    """Adds a line, on disk when this returns: a call that is made was written down."""
    line = json.dumps({"schema": 1, "state": state, **asdict(receipt)}, ensure_ascii=True)
    append_line(path, line.encode("ascii"), mode=0o600)


def read_receipts(path: str, since: str = "") -> tuple[list[Receipt], int]:
    """The calls since a moment (`2026-11-16T…Z`), oldest first, and how many lines were no receipt."""
    found: dict[str, Receipt] = {}
    bad = 0
    for line in _read_lines(path):
        receipt = _parse(line)
        if receipt is None:
            bad += 1
        elif receipt.at >= since or receipt.id in found:
            found[receipt.id] = receipt  # the line behind a call replaces the one before it
    return list(found.values()), bad


def _read_lines(path: str) -> Iterator[bytes]:
    try:
        yield from (line for line in read_bytes(path).split(b"\n") if line.strip())
    except NotFound:
        return


def _parse(line: bytes) -> Receipt | None:
    try:
        value = json.loads(line)
    except ValueError:
        return None
    if not isinstance(value, dict) or value.get("schema") != 1:
        return None
    kinds: dict[str, Any] = {"read": int, "written": int, "cached": int, "seconds": (int, float), "exact": bool}
    fields = {name: value.get(name) for name in Receipt.__dataclass_fields__}
    for name, one in fields.items():
        if name == "dollars":
            if one is not None and not isinstance(one, (int, float)):
                return None
        elif not isinstance(one, kinds.get(name, str)):
            return None
    return Receipt(**fields)  # type: ignore[arg-type]  # checked one by one above


def find_project_name(root: str) -> str:
    """What a receipt calls a project: its folder's name, which says enough to its owner and little to others."""
    return os.path.basename(root.rstrip("/\\")) or root
