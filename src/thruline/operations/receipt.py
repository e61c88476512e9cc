"""`receipt`: what models cost, summed by what it was for."""

from dataclasses import dataclass
from datetime import timedelta

from thruline.clock import parse_time, read_clock, render_time
from thruline.engines.receipts import Receipt, read_receipts
from thruline.errors import UsageError
from thruline.layout import find_user_paths

BY = ("feature", "model", "project", "engine", "day")


@dataclass(frozen=True, slots=True)
class Row:
    """One sum. `dollars` is None where no call's price is known; `unpriced` counts calls without one."""

    name: str
    calls: int
    failed: int
    read: int
    written: int
    dollars: float | None
    unpriced: int


@dataclass(frozen=True, slots=True)
class Receipts:
    """All sums since a moment, the largest first. `estimated` counts calls whose tokens are an estimate."""

    since: str
    by: str
    rows: tuple[Row, ...]
    total: Row
    estimated: int
    unread: int


def sum_receipts(since: str = "", by: str = "feature") -> Receipts:
    """What was spent since `since`: a date, a time, or a span such as `7d`; empty is from the beginning."""
    start = _parse_since(since)
    receipts, bad = read_receipts(find_user_paths().receipts, start)
    groups: dict[str, list[Receipt]] = {}
    for receipt in receipts:
        name = receipt.at[:10] if by == "day" else str(getattr(receipt, by))
        groups.setdefault(name or "(none)", []).append(receipt)
    rows = sorted((_sum(name, group) for name, group in groups.items()), key=lambda row: -(row.read + row.written))
    estimated = sum(not receipt.exact for receipt in receipts)
    return Receipts(start, by, tuple(rows), _sum("all", receipts), estimated, bad)


def _sum(name: str, group: list[Receipt]) -> Row:
    priced = [receipt.dollars for receipt in group if receipt.dollars is not None]
    return Row(
        name,
        calls=len(group),
        failed=sum(receipt.outcome != "ok" for receipt in group),
        read=sum(receipt.read for receipt in group),
        written=sum(receipt.written for receipt in group),
        dollars=sum(priced) if priced else None,
        unpriced=len(group) - len(priced),
    )


def _parse_since(text: str) -> str:
    if not text:
        return ""
    spans = {"h": "hours", "d": "days", "w": "weeks"}
    if text[:-1].isdigit() and text[-1] in spans and len(text) < 7:
        return render_time(read_clock() - timedelta(**{spans[text[-1]]: int(text[:-1])}))
    try:
        return render_time(parse_time(text if "T" in text else text + "T00:00:00Z"))
    except (ValueError, OverflowError):
        raise UsageError(f'"{text}" is no time.', where="--since", next="2026-11-16, 24h, 7d or 4w") from None
