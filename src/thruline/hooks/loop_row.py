"""How many prompts of a loop in a row a session took: a client may end the turn whatever the next one says.

A file of as many bytes as there were. It counts as the client does: a tool that ran, or a message of the user, begins
again. In doubt there were fewer, and then one prompt too many is counted; more would end a loop that could go on.
"""

import os


def is_full(path: str, event: "dict[str, object]", cap: int) -> bool:
    """Whether the client would not take another prompt now."""
    if not event["continued"]:
        return False  # the turn that ends is the first after a message
    try:
        return os.stat(path).st_size >= cap
    except OSError:
        return False


def add_block(path: str, event: "dict[str, object]") -> None:
    """One more; the first of a new row where the turn that ends is the first after a message."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_APPEND if event["continued"] else os.O_TRUNC)
    flags |= getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(path, flags, 0o600)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        descriptor = os.open(path, flags, 0o600)
    try:
        os.write(descriptor, b".")
    finally:
        os.close(descriptor)


def end_row(path: str) -> None:
    """None so far."""
    try:
        os.unlink(path)
    except OSError:
        pass  # as nearly always
