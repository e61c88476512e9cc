"""`thruline handoff reduce` and `finalize`: what a model wrote, joined, checked and made into a brief."""

import os
from typing import Any

import click

from thruline.brief.render import DEFAULT_BUDGET, SMALLEST_BUDGET
from thruline.brief.section import Section
from thruline.cli.command import command as declare
from thruline.cli.fates import build_fates_fields, say_fates
from thruline.cli.handoff import command
from thruline.cli.handoff_step import render_step
from thruline.cli.show import show
from thruline.cli.terminal import say
from thruline.engines.rules import VERSION
from thruline.errors import UsageError
from thruline.extract.prompt import build_version
from thruline.layout import find_project
from thruline.operations.handoff.brief import read_git_timeout
from thruline.operations.handoff.cache import Key, keep_brief
from thruline.operations.handoff.finalize import Finalized, finalize
from thruline.operations.handoff.mined import mine_sections
from thruline.operations.handoff.plan import load_plan
from thruline.operations.handoff.reduce import Reduced, mine_plan, reduce_chunks
from thruline.operations.handoff.tasks import build_sections_step, drop_cache
from thruline.operations.sessions.locate import locate


def add_commands(group: click.Group) -> None:
    """Adds both commands to `group`."""
    _reduce(group)
    _finalize(group)


def _finalize(group: click.Group) -> click.Command:
    @declare(
        "finalize",
        group=group,
        help="Make one brief of the sections that extractors wrote: repaired, checked, every quotation re-read.\n\n"
        "A section that cannot be used is named on stderr, and what the rules found stands in for it. What the "
        "user said and what was rejected is cut last, and corrections without room are counted.",
        example="thruline handoff finalize --session latest --sections ./handoff/sections",
    )
    @click.option("--session", "ref", required=True, metavar="REF", help="The session they were made from.")
    @click.option("--sections", required=True, metavar="DIR", help="Where the five JSON files are.")
    @click.option("--leaf", default="", metavar="UUID", help="The last record that the extractors saw.")
    @click.option("--engine", default="agent", show_default=True, metavar="E", help="Who wrote the sections.")
    @click.option("--budget", default=DEFAULT_BUDGET, type=click.IntRange(min=SMALLEST_BUDGET), show_default=True,
                  metavar="TOKENS", help="The most the brief may hold.")  # fmt: skip
    def finalize_command(ref: str, sections: str, leaf: str, engine: str, budget: int, as_json: bool) -> None:
        if not engine.isprintable():
            raise UsageError("That is no engine's name.", where="--engine", next="agent, or whoever wrote the sections")
        here = os.getcwd()
        located = locate(ref, folder=here)
        project = find_project(here)
        timeout = read_git_timeout(project)
        mined = mine_sections(located, budget, git_timeout=timeout)
        made = finalize(
            located,
            os.path.abspath(sections),
            root=project.root,
            leaf=leaf,
            budget=budget,
            rules=mined.sections,
            corrections=mined.corrections,
            origin=engine,
            alone=False,
            git_timeout=timeout,
        )
        for name, why in made.failures:
            say(f"{name}: {why}", err=True)
        for name, what in made.notes:
            say(f"{name}: {what}, and the section is used without them", err=True)
        say_fates(made.fates)
        if made.grown:
            say("The session has grown since the sections were made.", err=True)
        if made.strange:
            say(f"The session has no record {leaf}: the sections may be those of another one.", err=True)
        size = sum(os.path.getsize(path) for path in located.files)
        key = Key(made.session, made.leaf, size, engine, str(VERSION), build_version(), budget)
        path, trouble = keep_brief(project, key, made.rendered.text)
        if trouble:
            say(trouble, err=True)
        else:
            drop_cache(sections)
        show(_finalized_fields(made, path) if as_json else made, as_json, lambda _: made.rendered.text)

    return finalize_command


def _finalized_fields(made: Finalized, path: str) -> dict[str, Any]:
    return {
        "session": made.session,
        "leaf": made.leaf,
        "brief": made.rendered.text,
        "sections": {section.name: _tell_state(section, made) for section in made.brief.sections},
        "failures": [{"section": name, "why": why} for name, why in made.failures],
        "quotes": dict(made.tally.quotes),
        "pointers": dict(made.tally.pointers),
        "claims": {"checked": made.tally.claims, "unsourced": made.tally.unsourced, "left_out": made.rendered.left_out},
        "told": build_fates_fields(made.fates),
        "grown": made.grown,
        "strange": made.strange,
        "cached": path,
    }


def _tell_state(section: Section, made: Finalized) -> str:
    if section.failed:
        return "failed"
    return "rules" if section.name in dict(made.failures) else "made"


def _reduce(group: click.Group) -> click.Command:
    @declare(
        "reduce",
        group=group,
        help="Join the summaries of a session's chunks into one spine.\n\n"
        "A missing or bad summary becomes its chunk, word for word, and is named on stderr.",
        example="thruline handoff reduce --plan ./handoff/plan.json --summaries ./handoff/summaries",
    )
    @click.option("--plan", required=True, metavar="FILE", help="The plan that `handoff prepare` wrote.")
    @click.option("--summaries", required=True, metavar="DIR", help="Where the summaries are, one JSON file a chunk.")
    @click.option("--out", default="", metavar="FILE", help="Where to write; reduced.txt beside the plan otherwise.")
    @click.option("--force", is_flag=True, help="Write over a file that no earlier reduce left there.")
    @click.option("--tasks", is_flag=True, help="Print what to hand to agents, and what to run after them.")
    def reduce_command(plan: str, summaries: str, out: str, force: bool, tasks: bool, as_json: bool) -> None:
        signals = mine_plan(plan, folder=os.getcwd())
        path = os.path.abspath(out) if out else ""
        made = reduce_chunks(plan, summaries, out=path, signals=signals, force=force)
        for number, why in made.failures:
            used = "its text is missing too, what rules mined of it is used"
            say(f"chunk {number}: {why}; {used if number in made.missing else 'its text is used as it is'}", err=True)
        if tasks:
            path = os.path.abspath(plan)
            step = build_sections_step(load_plan(path), made.spine, path, find_project(os.getcwd()).root)
            show(step, as_json, render_step)
        else:
            show(made, as_json, _render_reduced)

    return reduce_command


def _render_reduced(made: Reduced) -> str:
    used = made.chunks - len(made.failures)
    return f"{used} of {made.chunks} summaries joined, {made.appended} corrections appended\n  spine  {made.spine}"


add_commands(command)
