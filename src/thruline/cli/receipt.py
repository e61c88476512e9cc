"""`thruline receipt`: what models cost."""

import click

from thruline.cli.command import command as declare
from thruline.cli.show import show
from thruline.operations.receipt import BY, Receipts, Row, sum_receipts


@declare(
    "receipt",
    help="Show what models cost, by feature, model, project, engine or day.\n\n"
    "Every call of a model passes one gate and is written down there: tokens, money, nothing of what was said.",
    example="thruline receipt --since 7d --by model",
)
@click.option("--since", default="", metavar="TIME", help="A date, or a span such as 24h or 7d.")
@click.option("--by", default="feature", type=click.Choice(BY), show_default=True, help="What to sum by.")
def command(since: str, by: str, as_json: bool) -> None:
    """Prints the sums."""
    show(sum_receipts(since, by), as_json, _render)


def _render(receipts: Receipts) -> str:
    if not receipts.rows:
        return "No model was called" + (f" since {receipts.since}." if receipts.since else ".")
    table: list[tuple[str, ...]] = [(receipts.by, "calls", "failed", "read", "written", "dollars")]
    table += [_cells(row) for row in (*receipts.rows, receipts.total)]
    widths = [max(len(row[at]) for row in table) for at in range(len(table[0]))]
    lines = []
    for row in table:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    if receipts.estimated:
        lines.append(f"The tokens of {receipts.estimated} of {receipts.total.calls} calls are an estimate.")
    if receipts.total.unpriced:
        lines.append(f"No price is known for {receipts.total.unpriced} of {receipts.total.calls} calls.")
    if receipts.unread:
        lines.append(f"{receipts.unread} lines of the file are no receipts.")
    return "\n".join(lines)


def _cells(row: Row) -> tuple[str, ...]:
    dollars = f"{row.dollars:.4f}" if row.dollars is not None else "-"
    return (row.name, f"{row.calls:,}", f"{row.failed:,}", f"{row.read:,}", f"{row.written:,}", dollars)
