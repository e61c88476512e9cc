"""What the crash tests kill; the tracer's server loads this file."""

import os

from tests.ark.sessions import PARENT, SHELF, keep
from thruline.ark import collect
from thruline.ark.store import Ark

FORK = "22222222-2222-4333-8444-555555555555"
NEXT = "33333333-2222-4333-8444-555555555555"


def open_ark(folder: str) -> Ark:
    """The ark of a test's folder."""
    return Ark(os.path.join(folder, "ark"))


def archive_new(folder: str) -> None:
    """A session that shares nothing with the others, into an ark that has two."""
    keep(open_ark(folder), os.path.join(folder, "new.jsonl"), NEXT)


def archive_first(folder: str) -> None:
    """A session into an ark that does not exist."""
    keep(Ark(os.path.join(folder, "other")), os.path.join(folder, "new.jsonl"), NEXT)


def archive_grown(folder: str) -> None:
    """A session that grew since it was archived."""
    with (
        open(os.path.join(folder, f"{PARENT}.jsonl"), "ab") as file,
        open(os.path.join(folder, "new.jsonl"), "rb") as more,
    ):
        file.write(more.read())
    keep(open_ark(folder), os.path.join(folder, f"{PARENT}.jsonl"), PARENT)


def archive_and_tidy(folder: str) -> None:
    """An archiving that finds enough small packs to merge."""
    collect.MOST_SMALL = 2
    archive_grown(folder)


def forget_fork(folder: str) -> None:
    """One of two sessions that share a block, and have one each of their own."""
    open_ark(folder).forget([(SHELF, FORK)])


def collect_all(folder: str) -> None:
    """What is left after a session was archived anew and an older block of it is no longer used."""
    open_ark(folder).collect()
