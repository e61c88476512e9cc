"""A project that gets its marker."""

from pathlib import Path

from thruline.layout import UserPaths
from thruline.operations.context_init import Initialised, init_context


def run(user: UserPaths, folder: Path, **options: bool) -> Initialised:
    return init_context(user, str(folder), **options)
