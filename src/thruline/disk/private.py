"""Folders and files that only their user can look into, from the moment they exist."""

import os


def make_private(folder: str) -> None:
    """Makes `folder` and what is missing above it, each with mode 0700; what is there stays as it is."""
    # os.makedirs gives the mode to the last folder only.
    if os.path.isdir(folder):
        return
    make_private(os.path.dirname(folder))
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        if not os.path.isdir(folder):
            raise


def open_private(path: str, flags: int) -> int:
    """An opener for `open`: the file is made with mode 0600."""
    return os.open(path, flags, 0o600)
