"""What runs here: Python, git, harnesses."""

import platform
import sys

from thruline.gitfacts import NO_GIT, NoAnswer, read_version
from thruline.harnesses.installed import find_installed
from thruline.harnesses.registry import HARNESSES
from thruline.operations.doctor.surroundings import Diagnosis, Surroundings
from thruline.operations.finding import BROKEN, NOTE, OK, Finding

OLDEST_PYTHON = (3, 11)


def check_python(_: Surroundings) -> list[Diagnosis]:
    """Python is new enough."""
    what = f"Python {platform.python_version()} ({sys.executable})"
    if sys.version_info < OLDEST_PYTHON:
        needed = ".".join(map(str, OLDEST_PYTHON))
        return [Diagnosis(Finding("python", BROKEN, what, f"install thruline with Python {needed} or newer"))]
    return [Diagnosis(Finding("python", OK, what))]


def check_git(around: Surroundings) -> list[Diagnosis]:
    """There is a git, and it answers."""
    version = read_version(timeout=around.find_git_seconds())
    if not isinstance(version, NoAnswer):
        return [Diagnosis(Finding("git", OK, f"git {version}"))]
    if version.reason == NO_GIT:
        what = "There is no git in PATH: briefs will not know branch, commits or changes."
        return [Diagnosis(Finding("git", NOTE, what, "install git"))]
    return [Diagnosis(Finding("git", BROKEN, f"Git does not answer: {version.detail}", "git --version"))]


def check_harnesses(around: Surroundings) -> list[Diagnosis]:
    """Which clients are here."""
    found = []
    for each in find_installed(around.env, around.find_home()):
        places = ", ".join([each.program or "not in PATH", *(each.homes or ["not used yet"])])
        found.append(Diagnosis(Finding("harnesses", OK, f"{each.harness.title}: {places}")))
    if found:
        return found
    known = ", ".join(harness.title for harness in HARNESSES)
    return [Diagnosis(Finding("harnesses", NOTE, "No coding agent was found.", f"install one of: {known}"))]
