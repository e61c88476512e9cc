"""Which sessions are never archived: the user's globs for all of them, a project's for its own."""

import os
from fnmatch import fnmatchcase

from thruline.config import load_config_tolerant
from thruline.harnesses.transcripts import read_folder
from thruline.layout import find_project, find_user_paths
from thruline.operations.archive.candidates import Candidate


class Exclusions:
    """The globs in force, read once for each folder that sessions ran in."""

    def __init__(self) -> None:
        self._globs: dict[str, tuple[str, ...]] = {}

    def find(self, candidate: Candidate) -> str:
        """The glob that excludes a session; empty where none does."""
        for path in candidate.files:
            folder = read_folder(candidate.harness, path)
            for glob in self._find_globs(folder):
                if _fits(path, folder, glob):
                    return glob
        return ""

    def _find_globs(self, folder: str) -> tuple[str, ...]:
        if folder not in self._globs:
            # What a repository says about the ark holds for sessions that ran in it, and for no others (law 11).
            project = find_project(folder) if folder else None
            self._globs[folder] = load_config_tolerant(project, find_user_paths(), os.environ).ark.exclude
        return self._globs[folder]


def _fits(path: str, folder: str, glob: str) -> bool:
    glob = os.path.expanduser(glob).rstrip("/") or "/"
    if "/" not in glob:
        return any(fnmatchcase(part, glob) for part in (os.path.basename(folder), os.path.basename(path)) if part)
    # A folder stands for everything below it.
    return any(fnmatchcase(each, glob) or fnmatchcase(each, glob + "/*") for each in (path, folder) if each)
