"""A list of files that are named by a moment and have a status, on the quick lane: of packets, and of loops."""

import os

from thruline.cli.options import Declared, Option
from thruline.cli.terminal import say, write_out
from thruline.cli.words import render_line
from thruline.layout import find_project

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from thruline.layout import ProjectPaths
    from thruline.operations.stamped import Head, Listed


def declare_list(
    word: str,
    statuses: "tuple[str, ...]",
    find: "Callable[[ProjectPaths], Listed[Head]]",
    render: "Callable[[list[Head]], str]",
    *,
    help: str,  # noqa: A002
) -> Declared:
    """The command `thruline <word> list`: a line a file, or those of one status; what cannot be read goes to stderr."""

    def run(status: str, as_json: bool) -> None:
        if status and status not in statuses:
            from thruline.errors import UsageError

            raise UsageError(f'No {word} is "{status}".', where="--status", next="one of " + ", ".join(statuses))
        found = find(find_project(os.getcwd()))
        heads = [head for head in found.heads if status in ("", head.status)]
        for problem in found.problems:
            say(render_line(problem), err=True)
        if as_json:
            from thruline.cli.show import render_json

            say(render_json([head.to_fields() for head in heads]))
        else:
            write_out(render(heads))

    only = f"Only those that are {', '.join(statuses[:-1])} or {statuses[-1]}."
    return Declared(
        help=help,
        example=f"thruline {word} list --status active",
        options=(Option("--status", "status", metavar="WORD", help=only),),
        run=run,
    )
