"""Where the installed `thruline` script begins.

Imports wait inside `main`: `--version` must cost no more than twice a bare interpreter, and click alone costs three.
"""

import sys


def main() -> int:
    """Runs the command that `sys.argv` names and returns its exit code."""
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        from thruline import __version__

        sys.stdout.write(f"thruline {__version__}\n")
        return 0
    from thruline.cli.door import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
