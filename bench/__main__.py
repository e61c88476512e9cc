"""python -m bench [NAME…] [--rounds N] [--quick]: runs benches, prints their tables, writes docs/benchmarks.md.

Exit 1 when a bar is not kept.
"""

import argparse
import importlib
import os
import sys
import tempfile
from pathlib import Path

from bench import Context
from bench.page import PAGE, find_machine, render_page, render_section, render_table

BENCHES = {
    "hotpath": ("bench.hotpath", "Hooks and start-up, installed from a wheel, in processor time"),
    "statusline": ("bench.statusline", "The status line, installed from a wheel, in processor time"),
    "startup": ("bench.startup", "Lists and tails: what is waited for many times a day"),
    "frontmatter": ("bench.frontmatter", "Reading front matter and headings"),
    "disk": ("bench.disk", "Writing so that nothing is torn or lost"),
    "redact": ("bench.redact", "Finding secrets"),
    "spool": ("bench.spool", "Leaving an event in the spool"),
    "spine": ("bench.spine", "A session as a spine"),
    "signals": ("bench.signals", "Mining signals without a model"),
    "brief": ("bench.brief", "What a brief answers, and what it costs"),
    "engines": ("bench.engines", "What a brief answers with each engine"),
    "worker": ("bench.worker", "After a turn of a long session, in the background"),
    "compaction": ("bench.compaction", "What real compactions lost"),
    "driven": ("bench.driven", "Compactions driven in the real client, half of sixty facts dropped by the summary"),
    "tokens": ("bench.tokens", "What the next session is told, beside what it spends to find its bearings"),
    "ark": ("bench.ark", "Keeping transcripts in the ark"),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Ratios against a floor, in one run.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which to run: {', '.join(BENCHES)} (all)")
    parser.add_argument("--rounds", type=int, default=40, help="how often each entrant runs (40)")
    parser.add_argument("--quick", action="store_true", help="5 rounds and small inputs; the page is left alone")
    parser.add_argument("--engine", action="append", default=[], help="for engines: one that asks a model; repeatable")
    options = parser.parse_args()
    if os.environ.get("PYTHONDONTWRITEBYTECODE"):
        print("PYTHONDONTWRITEBYTECODE is set: every import would be compiled anew and no ratio would mean anything.")
        print("  try  make bench   (or env -u PYTHONDONTWRITEBYTECODE python -m bench)")
        return 2
    unknown = [name for name in options.names if name not in BENCHES]
    if unknown:
        parser.error(f"no bench {', '.join(unknown)}; there are {', '.join(BENCHES)}")
    # `brief --engine E` means the briefs of that engine.
    names = ["engines" if name == "brief" and options.engine else name for name in options.names]
    rounds = 5 if options.quick else options.rounds
    print(find_machine())
    sections, kept = {}, True
    for name in names or BENCHES:
        module, title = BENCHES[name]
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            context = Context(rounds, options.quick, Path(folder), tuple(options.engine))
            rows = importlib.import_module(module).run(context)
        kept = kept and all(row.passed is not False for row in rows)
        sections[name] = render_section(name, title, rows, rounds)
        print(f"\n{title}\n\n{render_table(rows)}", flush=True)
    if not options.quick:
        old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
        PAGE.write_text(render_page(old, sections, list(BENCHES)), encoding="utf-8")
        print(f"\nwritten to {PAGE.relative_to(Path.cwd()) if PAGE.is_relative_to(Path.cwd()) else PAGE}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
