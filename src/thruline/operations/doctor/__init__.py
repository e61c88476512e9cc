"""`doctor`: what is wrong with this machine or project, and what to do about it.

Each check is one function over the same surroundings. A check that fails is itself a finding: the doctor is called when
things are broken, so it must stand when they are.
"""

from dataclasses import dataclass, replace

from thruline.errors import ThrulineError
from thruline.operations.doctor.ark import check_ark
from thruline.operations.doctor.machine import check_git, check_harnesses, check_python
from thruline.operations.doctor.project import check_config, check_gathered, check_gitignore, check_root
from thruline.operations.doctor.storage import check_journals, check_leftovers, check_state
from thruline.operations.doctor.surroundings import Check, Diagnosis, Surroundings
from thruline.operations.finding import BROKEN, NOTE, Finding

CHECKS: dict[str, Check] = {
    "python": check_python,
    "git": check_git,
    "root": check_root,
    "gitignore": check_gitignore,
    "gathered": check_gathered,
    "config": check_config,
    "state": check_state,
    "journals": check_journals,
    "leftovers": check_leftovers,
    "harnesses": check_harnesses,
    "ark": check_ark,
}


@dataclass(frozen=True, slots=True)
class Examination:
    """Every finding, in the order of the checks; `fixed` says what `--fix` has put right."""

    findings: tuple[Finding, ...]
    fixed: tuple[str, ...]
    broken: int
    notes: int


def examine(around: Surroundings, *, fix: bool = False) -> Examination:
    """Runs every check; with `fix`, puts right what can be put right safely, and looks again."""
    findings: list[Finding] = []
    fixed: list[str] = []
    for name, check in CHECKS.items():
        found = _run(name, check, around)
        mendable = [each for each in found if each.repair] if fix else []
        if mendable:
            for each in mendable:
                _repair(each)
            found = _run(name, check, around)
            still = {each.finding.what for each in found}
            fixed += [f"{name}: {each.finding.what}" for each in mendable if each.finding.what not in still]
        findings += [replace(each.finding, automatic=each.repair is not None) for each in found]
    return Examination(
        tuple(findings),
        tuple(fixed),
        broken=sum(each.state == BROKEN for each in findings),
        notes=sum(each.state == NOTE for each in findings),
    )


def _run(name: str, check: Check, around: Surroundings) -> list[Diagnosis]:
    try:
        return check(around)
    except ThrulineError as error:
        where = f" ({error.where})" if error.where else ""
        return [Diagnosis(Finding(name, BROKEN, error.what + where, error.next))]
    except Exception as error:  # whatever it is, the other checks go on
        what = f"This check could not be made: {type(error).__name__}: {error}"
        return [Diagnosis(Finding(name, BROKEN, what, "look at the path it names, or report it"))]


def _repair(each: Diagnosis) -> None:
    try:
        if each.repair:
            each.repair()
    except (ThrulineError, OSError):
        pass  # the check is made again, and tells what is still wrong
