"""`thruline bench`: the benches that lie beside the source."""

import os
import runpy
import sys

import click

import thruline
from thruline.cli.command import command as declare
from thruline.errors import NotFound


@declare(
    "bench",
    help="Measure this thruline, from its source: speed as ratios, briefs by what they answer.\n\n"
    "NAMES are benches, such as brief, signals, spine or engines; all without one. The tables are printed and written "
    "to docs/benchmarks.md.",
    example="thruline bench brief --quick\nthruline bench brief --engine api:local/llama3",
)
@click.argument("names", nargs=-1)
@click.option("--quick", is_flag=True, help="Few rounds and small inputs; the page is left alone.")
@click.option("--rounds", default=40, show_default=True, metavar="N", help="How often each entrant runs.")
@click.option("--engine", "engines", multiple=True, metavar="E", help="For engines: one that asks a model; repeatable.")
def command(names: tuple[str, ...], quick: bool, rounds: int, engines: tuple[str, ...], as_json: bool) -> int:
    """Runs them as `python -m bench` would."""
    del as_json  # its tables are markdown
    source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(thruline.__file__))))
    if not os.path.isfile(os.path.join(source, "bench", "__main__.py")):
        raise NotFound(
            "The benches are part of the source, not of the installed package.",
            where=os.path.join(source, "bench"),
            next="clone the repository and run make bench there",
        )
    words = [*names, *(["--quick"] if quick else []), "--rounds", str(rounds)]
    sys.argv = ["bench", *words, *(word for engine in engines for word in ("--engine", engine))]
    sys.path.insert(0, source)
    try:
        runpy.run_module("bench", run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    return 0
