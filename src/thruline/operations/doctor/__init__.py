"""`doctor`: what is wrong with this machine or project, and what to do about it.

Each check is one function over the same surroundings. A check that fails is itself a finding: the doctor is called when
things are broken, so it must stand when they are.
"""

from dataclasses import dataclass, replace

from thruline.errors import ThrulineError
from thruline.operations.doctor.ark import check_ark
from thruline.operations.doctor.context import check_context
from thruline.operations.doctor.entry import check_entry
from thruline.operations.doctor.hooks import check_hooks
from thruline.operations.doctor.machine import check_git, check_harnesses, check_python
from thruline.operations.doctor.project import check_config, check_gathered, check_gitignore, check_root
from thruline.operations.doctor.storage import check_journals, check_leftovers, check_state
from thruline.operations.doctor.surroundings import Check, Diagnosis, Surroundings
from thruline.operations.doctor.variables import check_variables
from thruline.operations.doctor.worker import check_worker
from thruline.operations.finding import BROKEN, NOTE, Finding

CHECKS: dict[str, Check] = {
    "python": check_python,
    "git": check_git,
    "root": check_root,
    "context": check_context,
    "gitignore": check_gitignore,
    "gathered": check_gathered,
    "config": check_config,
    "variables": check_variables,
    "state": check_state,
    "journals": check_journals,
    "leftovers": check_leftovers,
    "harnesses": check_harnesses,
    "door": check_entry,
    "hooks": check_hooks,
    "ark": check_ark,
    "worker": check_worker,
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
            failed = [each for each in (_repair(name, each) for each in mendable) if each]
            found = _run(name, check, around) + list(dict.fromkeys(failed))
            still = {each.finding.what for each in found}
            fixed += [f"{name}: {each.finding.what}" for each in mendable if each.finding.what not in still]
        # One cause that stops many checks (such as a state folder that cannot be) is told once.
        told = {(each.state, each.what) for each in findings if each.state == BROKEN}
        findings += [
            replace(each.finding, automatic=each.repair is not None)
            for each in found
            if (each.finding.state, each.finding.what) not in told
        ]
    return Examination(
        tuple(findings),
        tuple(fixed),
        broken=sum(each.state == BROKEN for each in findings),
        notes=sum(each.state == NOTE for each in findings),
    )


def _run(name: str, check: Check, around: Surroundings) -> list[Diagnosis]:
    try:
        return check(around)
    except Exception as error:  # whatever it is, the other checks go on
        return [_tell(name, error, "This check could not be made")]


def _repair(name: str, each: Diagnosis) -> Diagnosis | None:
    # The check is made again and tells what is still wrong; why, only we know.
    try:
        if each.repair:
            each.repair()
    except Exception as error:
        return _tell(name, error, "This could not be put right")
    return None


def _tell(name: str, error: Exception, what: str) -> Diagnosis:
    if isinstance(error, ThrulineError):
        where = f" ({error.where})" if error.where else ""
        return Diagnosis(Finding(name, BROKEN, error.what + where, error.next))
    told = f"{what}: {type(error).__name__}: {error}"
    return Diagnosis(Finding(name, BROKEN, told, "look at the path it names, or report it"))
