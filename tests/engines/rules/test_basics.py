"""The commands that a brief tells are those that help: each way once, none that only looks."""

import pytest

from tests.engines.rules.talk import build, render, words
from tests.session.talk import agent, human, run
from thruline.engines.rules.basics import is_work, strip_watched
from thruline.session import parts
from thruline.session.parts import Part


def find_commands(*commands: str) -> str:
    session: list[Part] = [human(2, "Make the tests of the shop pass.")]
    for at, command in enumerate(commands):
        session += run(3 + 2 * at, command)
    session.append(agent(90, "They pass."))
    (told,) = [one.text for one in build(session)["basics"].claims if one.text.startswith("Ran")]
    return told.removeprefix("Ran and worked: ")


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        (["make lint", "make test", "make lint && make test"], "`make lint && make test`"),
        (["make lint && make test", "make test", "make lint 2>&1 | tail -3"], "`make lint && make test`"),
        (["make lint && make test", "make test", "make lint"], "`make lint`, `make test`"),
        (["npm test -- footer", "npm test"], "`npm test`"),
        (["npm test", "npm test -- footer"], "`npm test`"),
        (["npm test -- footer", "npm test -- header"], "`npm test -- header`, `npm test -- footer`"),
    ],
)
def test_what_another_command_does_as_well_is_not_told(commands: list[str], told: str) -> None:
    assert find_commands(*commands) == told


@pytest.mark.parametrize(
    "command", ["pytest --collect-only -q", "uv run pytest --markers", "python3 shop.py --help", "cargo --version"]
)
def test_asking_a_program_about_itself_is_no_work(command: str) -> None:
    assert not is_work(command)


@pytest.mark.parametrize("command", ["(source .venv/bin/activate && pytest)", ". env/bin/activate; make test"])
def test_a_command_behind_what_sets_up_its_shell_is_work(command: str) -> None:
    assert is_work(command)


def test_a_filter_with_a_bar_in_its_quotation_marks_is_left_out_too() -> None:
    assert strip_watched('make test 2>&1 | grep -E "(ok|FAIL)" | tail -5') == "make test"
    assert strip_watched("make test | sort -u && make lint") == "make test | sort -u && make lint"


def test_a_command_behind_a_pipe_is_not_said_to_have_worked() -> None:
    assert find_commands("make test | tail -3") == "Ran, status not seen: `make test`"
    assert find_commands("make test || true", "make lint; echo done") == (
        "Ran, status not seen: `make lint; echo done`, `make test || true`"
    )


@pytest.mark.parametrize("said", ["The test fails as expected.", "Still failing.", "Two tests failed."])
def test_a_command_behind_a_pipe_after_which_something_failed_is_not_told(said: str) -> None:
    session: list[Part] = [human(2, "Mend the shop."), *run(3, "make test | tail -3"), agent(5, said)]
    session += [*run(6, "make lint"), agent(8, "The shop is mended.")]
    (told,) = [one.text for one in build(session)["basics"].claims if one.text.startswith("Ran")]
    assert told == "Ran and worked: `make lint`"


def test_a_command_that_was_sent_to_the_background_did_not_work_as_far_as_is_known() -> None:
    session = [*run(2, "npm run build &"), *run(4, "make site", parts.UNKNOWN), *run(6, "make test")]
    basics = words(build(session)["basics"])
    assert "Ran and worked: `make test`" in basics
    assert "Ran, status not seen: `npm run build &`" in basics
    assert "make site" not in basics


def test_the_folder_and_the_commands_stand_above_what_was_said_of_how_things_are() -> None:
    port = "The kiosk's port is 4810, which `kiosk.toml` sets for every shop of the chain."
    session = [human(2, "Where does the kiosk listen?"), *run(3, "make test"), agent(75, port), human(76, "Lint it.")]
    session += [*run(77, "make lint"), agent(79, "Nothing to complain about in `kiosk.toml`."), human(80, "Docs?")]
    session += [*run(81, "make docs"), agent(83, "The pages of the chain are built into `site/` by `make docs`.")]
    text = render(session).partition("## Basics")[2]
    assert text.index("In `/home/dev/shop`") < text.index("port is 4810")
    assert text.index("make test") < text.index("port is 4810")
