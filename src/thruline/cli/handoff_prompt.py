"""`thruline handoff prompt`: one prompt, filled, for whoever asks a model by hand or from a client."""

import os

import click

from thruline.cli.command import command as declare
from thruline.cli.handoff import command
from thruline.cli.show import render_json
from thruline.cli.terminal import say, write_out
from thruline.extract.prompt import build_version, find_names
from thruline.layout import find_project, find_user_paths
from thruline.operations.handoff.questions import fill_prompt


@declare(
    "prompt",
    group=command,
    help="Print the prompt of one section, or of one chunk, filled from a plan.\n\n"
    "Its text is in the package; a file of the same name in the prompts folder of your config replaces it.",
    example="thruline handoff prompt --section dead_ends --plan ./handoff/plan.json",
)
@click.option("--section", required=True, metavar="NAME", help="One of " + ", ".join(find_names()) + ".")
@click.option("--plan", required=True, metavar="FILE", help="The plan that `handoff prepare` wrote.")
@click.option("--spine", default="", metavar="FILE", help="What to read instead of the plan's spine.")
@click.option("--out", default="", metavar="DIR", help="Where the answer is written; beside the plan otherwise.")
@click.option("--chunk", default=0, metavar="N", help="Which chunk, for --section chunk.")
def prompt_command(section: str, plan: str, spine: str, out: str, chunk: int, as_json: bool) -> None:
    """Prints the filled prompt."""
    overrides = os.path.join(find_user_paths().config, "prompts")
    text = fill_prompt(
        os.path.abspath(plan),
        section.replace("-", "_"),
        root=find_project(os.getcwd()).root,
        spine=os.path.abspath(spine) if spine else "",
        folder=os.path.abspath(out) if out else "",
        chunk=chunk,
        overrides=overrides,
    )
    if as_json:
        say(render_json({"section": section, "prompt": text, "version": build_version(overrides)}))
    else:
        write_out(text if text.endswith("\n") else text + "\n")
