"""`thruline forget`: the list first, then the question, with default no."""

import click

from thruline.cli.command import command as declare
from thruline.cli.command import is_terminal
from thruline.cli.show import render_json
from thruline.cli.terminal import say
from thruline.cli.words import render_size
from thruline.errors import Refused
from thruline.operations.forget.forgetting import Plan, forget, plan_forget

_MOST_NAMES = 3


@declare(
    "forget",
    help="Remove everything we keep of a session: its copy in the ark, what is indexed, cached and written of it.\n\n"
    "The client's own files stay. REF is a session id or its first 8 characters, or a transcript path.",
    example="thruline forget 5e0c7f4a",
)
@click.argument("ref")
@click.option("--yes", is_flag=True, help="Forget without asking.")
def command(ref: str, yes: bool, as_json: bool) -> int:
    """Forgets one session; exits 1 where the answer was no."""
    plan = plan_forget(ref)
    if not as_json:
        say(_render(plan))
    if plan.traces and not yes:
        if as_json or not is_terminal():
            raise Refused(
                "Nothing was forgotten: nobody is here to confirm.",
                where=plan.session,
                next=f"thruline forget --yes {plan.session}",
            )
        if not click.confirm("Forget all this?", default=False):
            say("Nothing was forgotten.")
            return 1
    forget(plan)
    if as_json:
        say(render_json(_build(plan)))
    elif plan.traces:
        say("Forgotten. What you saved or sent elsewhere yourself, and files in git, were not looked for.")
    return 0


def _build(plan: Plan) -> dict[str, object]:
    removed = [{"kind": trace.kind, "what": trace.what, "size": trace.size} for trace in plan.traces]
    return {
        "session": plan.session,
        "subagents": list(plan.subagents),
        "harness": plan.harness,
        "forgotten": removed,
        "left": list(plan.theirs),
        "holders": list(plan.holders),
        "staying": list(plan.staying),
        "unseen": list(plan.unseen),
    }


def _render_subagents(names: tuple[str, ...]) -> str:
    if not names:
        return ""
    more = f", and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f" and its subagents' sessions ({', '.join(names[:_MOST_NAMES])}{more})"


def _render(plan: Plan) -> str:
    name = plan.session + _render_subagents(plan.subagents)
    rows = [f"Of session {name} we have:" if plan.traces else f"We have nothing of session {name}."]
    for trace in plan.traces:
        rows.append(f"  {trace.kind:<6} {trace.what}" + (f"  {render_size(trace.size)}" if trace.size else ""))
    if plan.damaged:
        rows.append(f"  its entry in the ark is damaged: {plan.damaged}")
    if plan.theirs:
        rows.append("Its client still has, and keeps:")
        rows += [f"  {path}" for path in plan.theirs]
        rows.append(
            "  These files are not ours to delete. `archive --all` would take them again, unless ark.exclude says no."
        )
    if plan.holders:
        rows.append("Other sessions in the ark keep a whole copy of it, until they are forgotten:")
        rows += [f"  {holder}" for holder in plan.holders]
    if plan.staying:
        rows.append("Packets and loops that hold words of it, and stay:")
        rows += [f"  {each}" for each in plan.staying]
    if plan.unseen:
        rows.append("Not looked into, since a link leads there; something of it may remain:")
        rows += [f"  {folder}" for folder in plan.unseen]
    return "\n".join(rows)
