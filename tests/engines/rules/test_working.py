"""Commands worth knowing are those that verify or build; what set something up in vain is not among them."""

import pytest

from tests.engines.rules.talk import build
from tests.session.talk import agent, human, run
from thruline.engines.rules.basics import is_work
from thruline.engines.rules.working import CHECKS, RUNS, SETS_UP, rank_command
from thruline.session.parts import Part


@pytest.mark.parametrize(
    ("command", "rank"),
    [
        ("pytest -q tests/stamps", CHECKS),
        ("go build ./...", CHECKS),
        ("mise run test:ci", CHECKS),
        ("make", CHECKS),
        ("npm ci && npm test", SETS_UP),
        ("npm run update", RUNS),
        ("python albums.py --count", RUNS),
        ("uv tool install --force .", SETS_UP),
        ("pip install -e .", SETS_UP),
        ("A=1 uv cache clean", SETS_UP),
        ("cargo add stamps", SETS_UP),
        ("go mod tidy", SETS_UP),
        ("npm -g install albums", SETS_UP),
    ],
)
def test_what_verifies_counts_more_than_what_sets_up(command: str, rank: int) -> None:
    assert rank_command(command) == rank


@pytest.mark.parametrize(
    "command", ["npm ls", "pip show stamps", "docker ps -a", "uv tool list", "go list ./...", "npm view x"]
)
def test_what_only_lists_or_searches_is_no_work(command: str) -> None:
    assert not is_work(command)


@pytest.mark.parametrize(
    "command", ["make status", "npm run docs", "go run ./cmd/albums list", "just env", "./albums show"]
)
def test_a_task_may_be_called_anything(command: str) -> None:
    assert is_work(command)


def told(session: list[Part]) -> str:
    claims = [claim.text for claim in build(session)["basics"].claims]
    return next((text for text in claims if text.startswith("Ran and worked")), "")


SESSION: list[Part] = [
    human(1, "The old version of the albums command still runs. Please find out why."),
    agent(2, "I will install it again."),
    *run(3, "uv tool install --force ."),
    *run(5, "pytest -q"),
    agent(7, "Installed again, so the new version is used now."),
]
WRONG = human(8, "No, that did not help, it is still the old version. Stop installing it over and over again.")
ANSWER = agent(9, "You are right, sorry. The cache holds the old one.")


def test_an_installation_that_did_not_help_is_not_told_as_one_that_works() -> None:
    assert told(SESSION) == "Ran and worked: `pytest -q`, `uv tool install --force .`"
    assert told([*SESSION, WRONG, ANSWER]) == "Ran and worked: `pytest -q`"
    again = [*SESSION, WRONG, ANSWER, *run(10, "uv tool upgrade --reinstall albums")]
    assert told(again) == "Ran and worked: `pytest -q`, `uv tool upgrade --reinstall albums`"


def test_what_was_run_often_comes_before_what_was_run_once() -> None:
    commands = ["go vet ./...", "go test ./albums", "pip install -e .", "go test ./albums"]
    session = [part for number, command in enumerate(commands) for part in run(10 + 2 * number, command)]
    assert told([human(1, "Please check the albums."), *session]) == (
        "Ran and worked: `go test ./albums`, `go vet ./...`, `pip install -e .`"
    )
