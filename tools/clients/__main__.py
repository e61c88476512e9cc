"""Fetches the clients that the suite drives, or prints where one lies."""

import argparse
import sys

from tools.clients.fetch import fetch_edition, hold_cache
from tools.clients.table import CLIENTS, EDITIONS, Missing, find_binary, find_cache, find_client, is_required


def fetch_all() -> int:
    """Fetches every edition of every client, tells about each, and returns the exit code."""
    missing = []
    cache = find_cache()
    with hold_cache(cache):
        for client in CLIENTS:
            for edition in EDITIONS:
                try:
                    print(fetch_edition(client, edition, cache), flush=True)
                except Missing as error:
                    missing.append(f"{client.name} {edition}: {error}")
    for line in missing:
        print(f"{'MISSING' if is_required() else 'warning:'} {line}", file=sys.stderr)
    if missing and not is_required():
        print("warning: the tests that need these clients will be skipped", file=sys.stderr)
    return 1 if missing and is_required() else 0


def print_path(wanted: str) -> int:
    """Prints the binary of `name@edition`."""
    name, _, edition = wanted.partition("@")
    print(find_binary(find_client(name), edition or "pinned", find_cache()))
    return 0


def main() -> int:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description="Fetch the clients that the suite drives.")
    parser.add_argument("--path", metavar="NAME@EDITION", help="print one binary's path instead")
    arguments = parser.parse_args()
    try:
        return print_path(arguments.path) if arguments.path else fetch_all()
    except Missing as error:
        print(error, file=sys.stderr)
        return 1 if arguments.path or is_required() else 0


if __name__ == "__main__":
    sys.exit(main())
