"""One step of the worker that may fail without the others: what went wrong is parked, and `doctor` tells."""

from collections.abc import Callable

from thruline.clock import read_clock, render_time
from thruline.operations.work.jobs import describe_fault
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
