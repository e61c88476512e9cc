"""`thruline handoff REF --engine E`: the brief with a model's sections on top, or what would be sent for it."""

import json
import os
from typing import Any

from thruline.child import heed_ends
from thruline.cli.fates import build_fates_fields, say_fates
from thruline.cli.show import render_json
from thruline.cli.terminal import ProgressLine, say, write_out
from thruline.disk.atomic import write_bytes
from thruline.engines.asker import parse_engine
from thruline.engines.gate import Gate, Sending
from thruline.errors import UsageError
from thruline.extract.question import SYSTEM
from thruline.layout import find_project
from thruline.operations.handoff.ask import Asked, build_dry_run, find_origins
from thruline.operations.handoff.engine import Setting, ask_cached, build_setting
from thruline.operations.sessions.locate import Located


def print_asked(
    located: Located, engine: str, *, budget: int, fresh: bool, out: str, dry_run: bool, as_json: bool
) -> None:
    """Asks the engine and prints the brief; with `dry_run` prints what it would have been sent."""
    kind, _ = parse_engine(engine)
    if kind == "rules":
        raise UsageError(
            "The rules send nothing to anybody.",
            where="--dry-run",
            next="add --engine command:<harness> or api:<model>",
        )
    if kind == "agent":
        raise UsageError(
            "The agent engine runs inside a client: its model calls us.",
            where="--engine agent",
            next="type /thruline:handoff <session> in the client, or use command:<harness>",
        )
    project = find_project(os.getcwd())
    setting = build_setting(located, engine, project)
    if dry_run:
        _print_dry_run(located, setting, as_json)
        return
    line = ProgressLine("Asking")
    try:
        with heed_ends():
            text, asked = ask_cached(located, setting, project, budget=budget, fresh=fresh or as_json, tell=line.tell)
    finally:
        line.close()
    for name, why in asked.failures if asked else ():
        say(f"{name}: {why}; the rules' stands", err=True)
    say_fates(asked.made.fates if asked else ())
    if asked is not None and asked.trouble:
        say(asked.trouble, err=True)
    if out:
        write_bytes(os.path.abspath(out), text.encode("utf-8", "replace"))
    if as_json and asked is not None:
        say(render_json(_build_fields(asked, text)))
    elif out:
        say(out)
    else:
        write_out(text)


def _build_fields(asked: Asked, text: str) -> dict[str, Any]:
    return {
        "session": asked.made.session,
        "leaf": asked.made.leaf,
        "brief": text,
        "sections": find_origins(asked.made),
        "failures": [{"asked": name, "why": why} for name, why in asked.failures],
        "calls": asked.calls,
        "quotes": dict(asked.made.tally.quotes),
        "told": build_fates_fields(asked.made.fates),
        "left_out": asked.made.rendered.left_out,
    }


def _print_dry_run(located: Located, setting: Setting, as_json: bool) -> None:
    gate = Gate(setting.engine, setting.models, setting.receipts, setting.purpose)
    sendings, more = build_dry_run(
        located, gate, root=setting.root, overrides=setting.overrides, cache=setting.cache
    )  # fmt: skip
    if as_json:
        say(render_json({"engine": setting.engine, "system": SYSTEM, "sendings": sendings, "more": more}))
        return
    say(f"===== above each: {SYSTEM}")
    for sending in sendings:
        say(f"===== {sending.title}: about {sending.tokens:,} tokens{_render_redacted(sending)}")
        write_out(sending.text.rstrip("\n") + "\n")
        say(f"----- in this shape: {json.dumps(sending.schema)}")
    total = sum(sending.tokens for sending in sendings)
    rest = "; five more follow, one a section, over the joined summaries" if more else ""
    say(f"Nothing was sent. {len(sendings)} questions, about {total:,} tokens to {setting.engine}{rest}.")


def _render_redacted(sending: Sending) -> str:
    taken = ", ".join(f"{count} × {rule}" for rule, count in sorted(sending.redacted.items()))
    return f"; taken out: {taken}" if taken else ""
