"""`thruline uninstall`: what goes, what stays, then the question."""

import os

import click

from thruline.cli.command import command as declare
from thruline.cli.command import is_terminal
from thruline.cli.install import scope_options
from thruline.cli.install_view import build_fields, render_plan
from thruline.cli.show import render_json
from thruline.cli.terminal import say
from thruline.cli.words import render_line
from thruline.errors import Refused
from thruline.layout import UserPaths, find_root, find_user_paths
from thruline.operations.install.applying import apply_uninstall
from thruline.operations.install.planning import Plan
from thruline.operations.install.purging import find_everything, purge
from thruline.operations.install.removing import find_callers, plan_uninstall


@declare(
    "uninstall",
    help="Take our hooks and commands out of the coding agents again, and nothing else.\n\n"
    "Without a scope: everywhere but in settings that a team shares. What we keep of your sessions stays, and is "
    "listed; --purge removes that too.",
    example="thruline uninstall --dry-run\nthruline uninstall --project\nthruline uninstall --purge",
)
@click.option("--harness", "harnesses", multiple=True, metavar="NAME", help="Only this client; can be given again.")
@scope_options
@click.option("--purge", "everything", is_flag=True, help="Also remove all that we keep outside projects, the ark too.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and stop.")
@click.option("--yes", is_flag=True, help="Do it without asking.")
def command(
    harnesses: tuple[str, ...], scope: str | None, everything: bool, dry_run: bool, yes: bool, as_json: bool
) -> int:
    """Uninstalls; exits 1 where the answer was no."""
    user = find_user_paths()
    plan = plan_uninstall(
        user,
        dict(os.environ),
        os.path.expanduser("~"),
        find_root(os.curdir).path,
        harnesses=harnesses,
        scopes=[scope] if scope else [],
    )
    doomed = find_everything(user) if everything else []
    if doomed and (callers := find_callers(plan)):
        raise Refused(
            "--purge would remove what other settings of ours still call.",
            where=", ".join(callers),
            next="thruline uninstall --purge without a client or a scope; a file that cannot be read: by hand first",
        )
    is_needed = plan.changed or plan.record != plan.known  # settings may be gone that the record knows of
    if not as_json:
        say(_render(plan, doomed))
    if not dry_run:
        if (plan.changed or doomed) and not yes:
            if as_json or not is_terminal():
                what = "Nothing was removed: nobody is here to say yes."
                raise Refused(what, where="thruline uninstall", next="thruline uninstall --yes")
            if not click.confirm("Remove this?", default=False):
                say("Nothing was removed.")
                return 1
        if is_needed:
            apply_uninstall(user, plan)
        removed, left = _purge(user) if doomed else ([], [])
    if as_json:
        fields = build_fields(plan, done=not dry_run)
        say(render_json(fields | ({"purged": removed, "left": left} if everything and not dry_run else {})))
    elif not dry_run and (is_needed or doomed):
        say("Done.")
    return 0


def _purge(user: UserPaths) -> tuple[list[str], list[str]]:
    # Settled by then: the journal of the change lies in what goes.
    purged = purge(user)
    return list(purged.removed), list(purged.left)


def _render(plan: Plan, doomed: list[str]) -> str:
    rows = [render_plan(plan)]
    rows += [f"purge  {render_line(path)}" for path in doomed]
    stays = [path for path in plan.stays if not any(path == each or path.startswith(each + os.sep) for each in doomed)]
    if stays:
        rows.append("These stay:")
        rows += [f"  {render_line(path)}" for path in stays]
    return "\n".join(rows)
