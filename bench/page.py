"""docs/benchmarks.md: the tables of the last runs, each with its own date and machine."""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

from bench import Row

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
HEAD = """\
# Benchmarks

Written by `make bench`. Ratios are medians against a floor that took turns with the rest of its table, in a new random
order every round; a bar is what the ratio may reach. Milliseconds are this machine's and move with its load.
"""


def find_machine() -> str:
    """Processor, cores, system and Python, in one line."""
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    return f"{_find_processor()}, {os.cpu_count()} cores, {system}, Python {platform.python_version()}"


def _find_processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown processor"


def render_table(rows: list[Row]) -> str:
    """The rows as a markdown table that also reads well in a terminal."""
    cells = [["what", "median", "p95", "ratio", "bar", ""]]
    for row in rows:
        cells.append(
            [
                row.name + (f" ({row.note})" if row.note else ""),
                f"{_number(row.value)} {row.unit}".strip(),
                "" if row.p95 is None else f"{_number(row.p95)} {row.unit}",
                "" if row.ratio is None else f"{row.ratio:.2f}×",
                "" if row.bar is None else f"≤ {row.bar:g}" + ("×" if row.ratio is not None else f" {row.unit}"),
                {True: "pass", False: "**falls short**", None: ""}[row.passed],
            ]
        )
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    lines = ["| " + " | ".join(_pad(line, widths)) + " |" for line in cells]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:5]), "-" * max(widths[5], 3)]
    return "\n".join([lines[0], "| " + " | ".join(rule) + " |", *lines[1:]])


def _pad(line: list[str], widths: list[int]) -> list[str]:
    padded = [line[0].ljust(widths[0])]
    padded += [text.rjust(max(width, 2)) for text, width in zip(line[1:5], widths[1:5], strict=True)]
    return [*padded, line[5].ljust(max(widths[5], 3))]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def render_section(name: str, title: str, rows: list[Row], rounds: int) -> str:
    """One bench's part of the page, between marks that name it."""
    floors = sorted({row.floor for row in rows if row.floor})
    against = f" Floor: {', '.join(floors)}." if floors else ""
    date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    about = f"{date}, {rounds} rounds, {find_machine()}.{against}"
    return f"<!-- {name} -->\n## {title}\n\n{about}\n\n{render_table(rows)}\n<!-- /{name} -->"


def read_sections(page: str) -> dict[str, str]:
    """The parts of a page by bench name, as they stand."""
    sections = {}
    for piece in page.split("<!-- ")[1:]:
        name = piece.partition(" -->")[0]
        if not name.startswith("/"):
            sections[name] = "<!-- " + piece.rstrip("\n") + f"\n<!-- /{name} -->"
    return sections


def render_page(old: str, new: dict[str, str], order: list[str]) -> str:
    """The page with the sections of this run; those of benches that were not run stay as they are."""
    sections = {**read_sections(old), **new}
    return "\n".join([HEAD, *(sections[name] + "\n" for name in order if name in sections)])
