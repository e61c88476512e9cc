"""`thruline handoff prepare`, on the quick lane: a session as a spine, whole or in chunks."""

import os

from thruline.cli.options import COUNT, FLAG, Declared, Option
from thruline.cli.show import render_json, show
from thruline.cli.terminal import ProgressLine, say
from thruline.cli.words import render_count, render_size
from thruline.errors import UsageError
from thruline.operations.handoff.prepare import Plan, prepare
from thruline.operations.sessions.locate import locate
from thruline.session.parts import Problem
from thruline.spine.budget import CHUNK_TOKENS, DIRECT_TOKENS


def run(ref: str, out: str, tasks: bool, chunk_tokens: int, direct_tokens: int, force: bool, as_json: bool) -> None:
    """Writes the spine, its chunks and the plan, and prints where they are, or the first step of an agent's handoff."""
    if not out and not tasks:
        raise UsageError("Where to?", where="thruline handoff prepare", next="give --out DIR")
    here = os.getcwd()
    if tasks:
        from thruline.layout import find_project
        from thruline.operations.handoff.tasks import check_allowed

        check_allowed(find_project(here))
    located = locate(ref, folder=here)
    if not out:
        from thruline.operations.handoff.tasks import find_cache  # here: writing a spine must not pay for it

        out = find_cache(located.session_id)
    out = os.path.abspath(out)
    scrub = None
    if tasks:
        from thruline.operations.handoff.workplace import scrub as take_out  # what agents read is a prompt

        scrub = take_out
    line = ProgressLine("Reading")
    try:
        plan = prepare(
            located,
            out,
            direct_tokens=direct_tokens,
            chunk_tokens=chunk_tokens,
            force=force,
            progress=lambda at: line.tell(f"L{at:,}"),
            scrub=scrub,
            render=lambda plan: render_json(plan) + "\n",
        )
    finally:
        line.close()
    path = os.path.join(out, "plan.json")
    if tasks:
        from thruline.cli.handoff_step import render_step
        from thruline.operations.handoff.tasks import build_first_step

        show(build_first_step(plan, path, find_project(here).root), as_json, render_step)
    else:
        say(render_json(plan) if as_json else _render_plan(plan, path))


declared = Declared(
    help="Write a session's spine, whole or in chunks, and a plan.json that names the files.\n\n"
    "REF is a session id or its first 8 characters, a transcript path, latest or current.",
    example="thruline handoff prepare latest --out ./handoff",
    arguments=("ref",),
    options=(
        Option("--out", "out", metavar="DIR", help="Where to write; made if missing."),
        Option("--tasks", "tasks", kind=FLAG, help="Print what to hand to agents, and what to run after them."),
        Option(
            "--budget",
            "chunk_tokens",
            kind=COUNT,
            metavar="TOKENS",
            least=500,
            usual=CHUNK_TOKENS,
            help="The most a chunk may hold.",
        ),
        Option(
            "--direct",
            "direct_tokens",
            kind=COUNT,
            metavar="TOKENS",
            usual=DIRECT_TOKENS,
            help="Up to this size the spine is not cut.",
        ),
        Option("--force", "force", kind=FLAG, help="Also over files that no handoff wrote."),
    ),
    run=run,
)


def _render_plan(plan: Plan, path: str) -> str:
    stats = plan.stats
    sizes = f"{render_size(stats['transcript_bytes'])} of transcript, {render_size(stats['spine_bytes'])} of spine"
    turns = render_count(stats["turns"], "turn")
    lines = [
        f"{plan.mode}: {sizes} (about {stats['spine_tokens_estimate']:,} tokens), {turns}",
        f"  spine  {plan.spine}",
    ]
    if plan.chunks:
        lines.append(f"  chunks {len(plan.chunks)}, the first {plan.chunks[0]['path']}")
    mended = sum([problem["kind"] in Problem.MENDED for problem in stats["problems"]])
    lost = len(stats["problems"]) - mended
    for count, one, many in (
        (lost, "could not be read; the plan says which", "could not be read; the plan lists them"),
        (mended, "was damaged, and read all the same", "were damaged, and read all the same"),
    ):
        if count:
            lines.append(f"  {render_count(count, 'place')} {one if count == 1 else many}")
    lines.append(f"  plan   {path}")
    return "\n".join(lines)
