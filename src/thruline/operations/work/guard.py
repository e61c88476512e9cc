"""One step of the worker that may fail without the others: what went wrong is parked, and `doctor` tells."""

import os
from collections.abc import Callable

from thruline.clock import read_clock, render_time
from thruline.errors import ThrulineError
from thruline.operations.work.state import Parked, WorkState


def attempt(state: WorkState, name: str, step: Callable[[], object]) -> None:
    """Does `step`. A failure stays parked under `name` until a later run does the step without one."""
    parked = None
    try:
        step()
    except Exception as error:  # whatever it is: what comes after must not wait for somebody to look
        parked = Parked("", "", name, render_time(read_clock()), describe_fault(error))
    before = [each for each in state.parked if each.job == name]
    if parked is not None and any(each.error == parked.error for each in before):
        return  # known since then
    state.parked = [each for each in state.parked if each.job != name] + ([parked] if parked else [])


def describe_fault(error: Exception) -> str:
    """What went wrong in one line; of a bug its kind and place only, since its message may quote a session."""
    if isinstance(error, ThrulineError):
        return error.what + (f" ({error.where})" if error.where else "")
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    at = f" at {os.path.basename(step.tb_frame.f_code.co_filename)}:{step.tb_lineno}" if step else ""
    return type(error).__name__ + at
