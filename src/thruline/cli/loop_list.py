"""`thruline loop list`, on the quick lane."""

import time

from thruline.artifacts.loop_step import STATUSES
from thruline.cli.stamped_list import declare_list
from thruline.cli.words import render_age, render_line
from thruline.operations.loops.listing import WORD, LoopHead, list_loops


def _render(heads: list[LoopHead]) -> str:
    if not heads:
        return 'No loops here. thruline loop start "what to do" --promise DONE starts one.\n'
    now = time.time()
    rows = [
        (
            ("* " if head.front else "  ") + head.id,
            head.status + (f" by {head.paused_by}" if head.paused_by else ""),
            f"{head.iteration}/{head.max_iterations}" if head.max_iterations else str(head.iteration),
            render_age(now - _parse_time(head.updated_at)),
            " or ".join(head.promises) or "-",
            head.last_line,
        )
        for head in heads
    ]
    widths = [max([len(row[at]) for row in rows]) for at in range(5)]
    line = "  ".join([f"{{:<{width}}}" for width in widths]) + "  {}"
    return "".join([render_line(line.format(*row)).rstrip() + "\n" for row in rows])


def _parse_time(text: str) -> float:
    # As we write it; not by strptime, which costs more than the list.
    try:
        year, month, day, hour, minute, second = (
            int(part) for part in (text[:4], text[5:7], text[8:10], text[11:13], text[14:16], text[17:19])
        )
        days = _count_days(year, month, day)
    except ValueError:
        return time.time()  # a hand wrote something else
    return days * 86_400 + hour * 3600 + minute * 60 + second


def _count_days(year: int, month: int, day: int) -> int:
    """Days since 1970, by the calendar of years that begin in March."""
    year -= month < 3
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return 365 * year + year // 4 - year // 100 + year // 400 + of_year - 719_468


declared = declare_list(
    WORD,
    STATUSES,
    list_loops,
    _render,
    help="Every loop of this project, the one changed last first; * is in the foreground of its session.",
)
