"""Which files git has in its index."""

import os
from collections.abc import Sequence

from thruline.gitfacts.program import NoAnswer, ask_git


def read_tracked(folder: str, paths: Sequence[str], *, timeout: float | None = None) -> frozenset[str] | NoAnswer:
    """Those of `paths`, relative to `folder`, that are tracked."""
    if not paths:
        return frozenset()
    # Literal: a name with a star in it means itself.
    question = ("--literal-pathspecs", "ls-files", "-z", "--", *paths)
    answer = ask_git(folder, question, timeout=timeout)
    if isinstance(answer, NoAnswer):
        return answer
    return frozenset(os.fsdecode(name) for name in answer.output.split(b"\0") if name)


def read_tracked_named(folder: str, names: Sequence[str], *, timeout: float | None = None) -> frozenset[str] | NoAnswer:
    """The tracked files below `folder` that have one of these bare names, or match one as a pattern."""
    if not names:
        return frozenset()
    question = ("ls-files", "-z", "--", *(f":(glob)**/{name}" for name in names))
    answer = ask_git(folder, question, timeout=timeout)
    if isinstance(answer, NoAnswer):
        return answer
    return frozenset(os.fsdecode(name) for name in answer.output.split(b"\0") if name)
