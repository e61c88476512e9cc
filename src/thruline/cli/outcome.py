"""How a command ends: errors become messages and exit codes here, for both lanes.

0 fine · 1 expected failure · 2 usage · 3 bug, with a report · 130 interrupted
"""

import os
import sys

from thruline.cli.entry import tell_lost_output
from thruline.errors import NotFound, ThrulineError


def open_streams() -> None:
    """Makes both streams fit to print to, whatever the caller did with them."""
    # Closed by the caller (`>&-`): who writes there need not know.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for the rest of the run
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    # File names may hold bytes that are no text, and a terminal may know only ASCII: neither may turn an answer into
    # a crash. What cannot be printed is escaped, in a form that JSON reads back.
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        # A file or a pipe gets UTF-8 whatever the locale: a brief in another encoding could not be verified again.
        told = sys.stdout.isatty() or "PYTHONIOENCODING" in os.environ
        reconfigure(encoding=None if told else "utf-8", errors="backslashreplace")


def tell_outcome(error: BaseException, arguments: "list[str]", as_json: bool) -> int:
    """Says what went wrong, in the form asked for, and returns the exit code; nothing escapes."""
    if isinstance(error, ThrulineError):
        return tell_error(error, as_json)
    if isinstance(error, KeyboardInterrupt):
        sys.stderr.write("\nInterrupted.\n")  # a terminal shows ^C on the line before
        return 130
    if isinstance(error, OSError):
        return _tell_system_error(error, arguments, as_json)
    return _tell_bug(error, arguments, as_json)


def tell_error(error: ThrulineError, as_json: bool) -> int:
    """Prints an expected failure and returns its exit code."""
    from thruline.cli.show import render_error
    from thruline.cli.terminal import say

    say(render_error(error, as_json), err=not as_json)
    return error.exit_code


def _tell_system_error(error: OSError, arguments: "list[str]", as_json: bool) -> int:
    from thruline.disk import faults

    # What the system may refuse at any path, through no fault of ours. Rooms tell their own faults, with a path; what
    # fails without one is the stream that we print to.
    if isinstance(error, BrokenPipeError):
        return tell_lost_output(error)
    if error.errno in faults.REFUSALS:
        if error.filename is None:
            return tell_lost_output(error)
        return tell_error(faults.build_disk_error(error, "use", os.fsdecode(error.filename)), as_json)
    try:
        os.getcwd()
    except FileNotFoundError:
        return tell_error(NotFound("The working folder no longer exists.", next="cd into a folder that does"), as_json)
    return _tell_bug(error, arguments, as_json)


def _tell_bug(error: BaseException, arguments: "list[str]", as_json: bool) -> int:
    # Here and not on top: traceback and platform are dear, and only a bug needs them.
    from thruline.cli.report import write_report
    from thruline.cli.show import render_json
    from thruline.cli.table import COMMANDS
    from thruline.cli.terminal import say

    verb = next((word for word in arguments if word in COMMANDS), "")
    path = write_report(error, verb)
    what = f"This is a bug in thruline ({type(error).__name__})."
    if as_json:
        parts = {"kind": "Bug", "what": what, "where": path, "next": "report it with that file"}
        say(render_json({"error": parts}))
    else:
        say(f"{what} Please report it with {path or 'the text above'}", err=True)
    return 3
