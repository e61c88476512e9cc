"""The ready text of a session: what the worker prepared, in the client's own JSON, for a hook to print as it is.

It lies in the user's state and never in a project: a repository could otherwise ship a file that its next visitor's
client obeys (law 11).
"""

import os

from thruline.hooks.payload import parse_object

LIMIT = 256 * 1024  # no client takes a tenth of it; more is not ours


def build_ready_path(folder: str, harness: str, session: str) -> str:
    """Where the ready text of `session` lies; both names were checked for path safety."""
    return os.path.join(folder, harness, session + ".json")


def read_ready(folder: str, harness: str, session: str) -> bytes:
    """The bytes to print, or none. A text that is not one JSON object raises: a client would show it to the model."""
    try:
        descriptor = os.open(build_ready_path(folder, harness, session), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        return b""
    try:
        text = os.read(descriptor, LIMIT)
    finally:
        os.close(descriptor)
    parse_object(text)
    return text
