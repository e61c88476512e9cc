"""A process of the quick lane ends as one of click's ends, whatever goes wrong in it or around it."""

import signal
from pathlib import Path

import pytest

from tests.cli.quick.lanes import LIST, run_process

RAISED = [
    "KeyboardInterrupt()",
    "RuntimeError('the user said this')",
    "OSError(28, 'No space left on device')",
    "OSError(13, 'Permission denied', 'some/file')",
    "OSError(99, 'Strange')",
    "BrokenPipeError(32, 'Broken pipe')",
    "errors.Refused('This is not ours.', where='here', next='leave it')",
    "errors.DiskError('The disk said no.')",
    "SystemExit(3)",
]


@pytest.mark.parametrize("raised", RAISED)
def test_what_goes_wrong_inside_ends_both_lanes_alike(world: Path, raised: str) -> None:
    code = (
        "from thruline import errors\nfrom thruline.cli import sessions_list\n"
        "report.write_report = lambda error, verb: f'report of {verb}'\n"
        f"def fail(**_): raise {raised}\nsessions_list.list_sessions = fail"
    )
    for more in ([], ["--json"]):
        assert run_process("quick", code, *LIST, *more) == run_process("click", code, *LIST, *more)


@pytest.mark.parametrize(
    ("shell", "more"),
    [
        ('"$@" >&-', {}),
        ('"$@" 2>&-', {}),
        ('"$@" >/dev/full', {}),
        ('"$@" | head -c 1', {}),
        ("", {"PYTHONIOENCODING": "ascii"}),
        ("", {"PYTHONIOENCODING": "latin-1"}),
        ("", {"NO_COLOR": "", "FORCE_COLOR": "1"}),
        ('mkdir gone && cd gone && rmdir ../gone && "$@"', {}),
    ],
    ids=str,
)
def test_streams_and_places_trouble_both_lanes_alike(world: Path, shell: str, more: dict[str, str]) -> None:
    code = "from thruline.cli import sessions_list\nsessions_list.render_age = lambda seconds: 'old'"
    for arguments in ([*LIST, "--all"], [*LIST, "--all", "--json"], [*LIST, "--harness", "caf\u00e9"]):
        answers = [run_process(lane, code, *arguments, shell=shell, **more) for lane in ("quick", "click")]
        assert answers[0] == answers[1]


def test_an_interrupt_while_sessions_are_read_ends_with_130_and_says_so(world: Path) -> None:
    code = (
        "import os, signal, time\nfrom thruline.cli import sessions_list\n"
        "def wait(**_): os.kill(os.getpid(), signal.SIGINT); time.sleep(60)\nsessions_list.list_sessions = wait"
    )
    for lane in ("quick", "click"):
        assert run_process(lane, code, *LIST) == (130, b"", b"\nInterrupted.\n"), signal.SIGINT
