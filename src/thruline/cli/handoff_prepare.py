"""`thruline handoff prepare`: a session as a spine, whole or in chunks."""

import os

import click

from thruline.cli.command import command as declare
from thruline.cli.handoff import command
from thruline.cli.show import render_json
from thruline.cli.terminal import ProgressLine, say
from thruline.cli.words import render_size
from thruline.operations.handoff.prepare import Plan, prepare, write_plan
from thruline.operations.sessions.locate import locate
from thruline.spine.budget import CHUNK_TOKENS, DIRECT_TOKENS


@declare(
    "prepare",
    group=command,
    help="Write a session's spine, whole or in chunks, and a plan.json that names the files.\n\n"
    "REF is a session id or its first 8 characters, a transcript path, latest or current.",
    example="thruline handoff prepare latest --out ./handoff",
)
@click.argument("ref")
@click.option("--out", required=True, metavar="DIR", help="Where to write; made if missing.")
@click.option("--budget", "chunk_tokens", default=CHUNK_TOKENS, type=click.IntRange(min=500), show_default=True,
              metavar="TOKENS", help="The most a chunk may hold.")  # fmt: skip
@click.option("--direct", "direct_tokens", default=DIRECT_TOKENS, type=click.IntRange(min=0), show_default=True,
              metavar="TOKENS", help="Up to this size the spine is not cut.")  # fmt: skip
@click.option("--force", is_flag=True, help="Also over a plan.json that no handoff wrote.")
def prepare_command(ref: str, out: str, chunk_tokens: int, direct_tokens: int, force: bool, as_json: bool) -> None:
    located = locate(ref, folder=os.getcwd())
    line = ProgressLine("Reading")
    try:
        plan = prepare(
            located,
            os.path.abspath(out),
            direct_tokens=direct_tokens,
            chunk_tokens=chunk_tokens,
            force=force,
            progress=lambda at: line.tell(f"L{at:,}"),
        )
    finally:
        line.close()
    text = render_json(plan)
    path = write_plan(plan, os.path.abspath(out), text + "\n")
    say(text if as_json else _render_plan(plan, path))


def _render_plan(plan: Plan, path: str) -> str:
    stats = plan.stats
    sizes = f"{render_size(stats['transcript_bytes'])} of transcript, {render_size(stats['spine_bytes'])} of spine"
    lines = [
        f"{plan.mode}: {sizes} (about {stats['spine_tokens_estimate']:,} tokens), {stats['turns']} turns",
        f"  spine  {plan.spine}",
    ]
    if plan.chunks:
        lines.append(f"  chunks {len(plan.chunks)}, the first {plan.chunks[0]['path']}")
    if stats["problems"]:
        lines.append(f"  {len(stats['problems'])} places could not be read; the plan lists them")
    lines.append(f"  plan   {path}")
    return "\n".join(lines)
