"""Where the installed `thruline` script begins, and ends.

Imports wait inside functions: `--version` must cost no more than twice a bare interpreter, and click alone costs three.
"""

import os
import sys

_SELDOM = 1_000_000


def start() -> None:
    """What the script calls: runs the command and ends the process with its exit code."""
    leave(main())


def leave(code: int) -> None:
    """Ends the process without taking apart what it made: after a brief that takes ten milliseconds.

    Whatever asked to be done at the end is done first. Where a thread is still at work the interpreter waits for it.
    """
    import _thread
    import atexit

    if _thread._count():
        import threading  # there is one, so this is imported already

        if any(not one.daemon for one in threading.enumerate() if one is not threading.main_thread()):
            sys.exit(code)

    try:
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    finally:  # whatever goes wrong now, the answer was given
        os._exit(code)


def main() -> int:
    """Runs the command that `sys.argv` names and returns its exit code."""
    try:
        code = _run(sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()  # here, where trouble can be told; at the interpreter's exit it would be a traceback
        return code
    except KeyboardInterrupt:
        # The door tells its own interrupts; this one came before it was open.
        return 130
    except OSError as error:
        return tell_lost_output(error)


def _run(arguments: list[str]) -> int:
    if arguments in (["--version"], ["-V"]):
        from thruline import __version__

        if sys.stdout is not None:
            sys.stdout.write(f"thruline {__version__}\n")
        return 0
    import gc

    # Neither importing commands nor reading a session makes cycles. To look for them after every few hundred values
    # takes a tenth of the one, and as long as writing the spine of the other.
    gc.set_threshold(_SELDOM)
    from thruline.cli.quick import run_quick

    code = run_quick(arguments)
    if code is not None:
        return code
    from thruline.cli.door import run

    return run(arguments)


def tell_lost_output(error: OSError) -> int:
    """Says why standard output cannot be written, and returns the exit code; a reader that went away is no trouble."""
    # What is still buffered must not fail again at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if isinstance(error, BrokenPipeError):
        return 0
    sys.stderr.write(f"Cannot write the output: {error.strerror}.\n")
    return 1


if __name__ == "__main__":
    start()
