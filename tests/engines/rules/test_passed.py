"""What a later run shows of one that failed, whatever stands around the program."""

import pytest

from tests.engines.rules.talk import build, words
from tests.session.talk import agent, human, run
from thruline.engines.rules.open_threads.passed import find_steps


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q",
        "(source .venv/bin/activate && pytest -q)",
        "cd api && HARBOUR=1 timeout -k 5 60s uv run pytest -q 2>&1 | tail -5",
        ".venv/bin/python -m pytest -q > log 2>&1",
        "bash -c 'cd api; poetry run pytest -q'",
    ],
)
def test_what_stands_around_a_program_does_not_matter(command: str) -> None:
    assert find_steps(command) == [("pytest", "-q")]


def is_told(failed: str, *later: str, status: int = 1) -> bool:
    session = [human(2, "Fix it.")]
    for line in (3, 5):
        session += run(line, failed, "error", exit_status=status)
    for number, command in enumerate(later):
        session += run(7 + 2 * number, command, exit_status=0)
    return f"`{failed}` failed when it last ran" in words(build([*session, agent(99, "Done.")])["open_threads"])


@pytest.mark.parametrize(
    ("failed", "later"),
    [
        ('go test ./tides/... -run "TestFlood_Empty" -count=1 -v', 'go test ./tides/... -run "TestFlood" -count=1 -v'),
        ("go test ./tides -run TestFlood", "go test ./... 2>&1 | tail -3"),
        ("go build ./... 2>&1", "mise run fmt && mise run lint && mise run test 2>&1 | tail -30"),
        ("go build ./...", "go test ./..."),
        ("mise run fmt && mise run lint 2>&1", "mise run lint 2>&1 | tail -5"),
        ("pytest tests/test_tides.py::test_flood -x", "(source .venv/bin/activate && python3 -m pytest -q tests/)"),
        ("npm run test:unit", "npm test"),
        ("npx jest src/tides.test.ts", "npm run test:ci"),
        ("golangci-lint run ./...", "make check"),
        ("pytest -x", "make ci"),
        ("git push", "git push -u origin tides"),
    ],
)
def test_a_wider_run_that_passed_closes_it(failed: str, later: str) -> None:
    assert is_told(failed)
    assert not is_told(failed, later)


@pytest.mark.parametrize(
    ("failed", "later"),
    [
        ("pytest -q", "pytest -q tests/test_tides.py"),
        ("go test ./...", "go test ./tides -run TestFlood"),
        ("go test ./...", "go build ./..."),
        ("golangci-lint run", "make test"),
        ("make lint", "make lint-docs"),
        ("npm test", "npm run test:unit"),
        ("pytest -q", "pytest --collect-only -q"),
        ("pytest -k flood", "pytest -k ebb"),
        ("pytest tests/tides", "pytest tests/tides_old"),
        ("npm test", "npm ci"),
        ("npm test", "npm install"),
        ("make test", "make quick"),
    ],
)
def test_a_narrower_run_or_another_one_leaves_it_open(failed: str, later: str) -> None:
    assert is_told(failed, later)


@pytest.mark.parametrize(("status", "owed"), [(127, False), (126, False), (1, True)])
def test_a_program_that_was_not_found_is_there_once_it_ran(status: int, owed: bool) -> None:
    later = "(source .venv/bin/activate && pytest -x tests/test_tides.py)"
    assert is_told("pytest", later, status=status) is owed


def test_a_program_that_was_never_found_stays_missing() -> None:
    assert is_told("pytest", "python -c 'print(1)'", status=127)
