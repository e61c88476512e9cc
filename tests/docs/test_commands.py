"""What is asked of a command, tried on commands that lack it."""

import click
import pytest

from thruline.cli.command import command, command_group
from thruline.cli.table import COMMANDS
from tools.docs.commands import check_commands, check_example, find_calls, find_commands, render_page


def make(help: str = "Do it.", example: str = "thruline --version") -> click.Command:  # noqa: A002 - click's own word
    return command("sample", help=help, example=example)(lambda as_json: None)


def test_a_command_made_by_the_house_lacks_nothing() -> None:
    assert check_commands([("thruline sample", make())]) == []


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (make(help=" "), "has no help"),
        (make(example=""), "has no example"),
        (make(example="thruline no-such-verb"), "No such command"),
        (make(example="git status"), "it calls no thruline"),
        (click.Command("sample", help="Do it.", epilog="Example:\nthruline --version"), "has no -C"),
        (click.Command("sample", help="Do it.", epilog="Example:\nthruline --version"), "has no --json"),
    ],
)
def test_what_a_command_lacks_is_told_with_its_name(made: click.Command, said: str) -> None:
    problems = check_commands([("thruline sample", made)])
    assert any(said in problem for problem in problems)
    assert all(problem.startswith("thruline sample: ") for problem in problems)


@pytest.fixture
def table() -> click.Group:
    top = click.Group("thruline")
    group = command_group("group", help="Hold.", example="thruline group pick a --age 3")
    top.add_command(group)
    pick = command("pick", help="Pick.", example="thruline group pick a --age 3", group=group)
    click_options = click.option("--age", type=click.IntRange(0, 9))
    kinds = click.argument("kind", type=click.Choice(["a", "b"]))
    pick(kinds(click_options(lambda kind, age, as_json: pytest.fail("an example was run"))))
    return top


@pytest.mark.parametrize(
    "line",
    [
        "thruline group pick a",
        "thruline group -C no/such/folder pick b --age 3 --json",
        "cat notes.txt | thruline group pick a > out.txt",
        'eval "$(thruline group pick a)"',
        "thruline group pick a  # the first",
    ],
)
def test_an_example_that_click_accepts_is_fine_and_is_not_run(table: click.Group, line: str) -> None:
    assert check_example(line, table) == ""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("thruline group pick", "Missing argument"),
        ("thruline group pick c", "'c' is not"),
        ("thruline group pick a --age old", "--age"),
        ("thruline group pick a --older 3", "No such option"),
        ("thruline group drop", "No such command"),
        ("thruline group pick a && thruline group pick c", "'c' is not"),
        ("thruline group pick 'a", "No closing quotation"),
    ],
)
def test_an_example_that_click_refuses_is_told(table: click.Group, line: str, said: str) -> None:
    assert said in check_example(line, table)


def test_each_call_on_a_line_is_found() -> None:
    assert find_calls("thruline a 'b c' | thruline d - && ls") == [["a", "b c"], ["d", "-"]]


def test_a_missing_module_is_told_by_the_commands_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "lost", ("thruline.cli.lost", "Get lost."))
    _, problems = find_commands()
    assert any(problem.startswith("thruline lost: its module cannot be used") for problem in problems)


def test_the_page_shows_the_help_of_groups_and_of_what_is_below(monkeypatch: pytest.MonkeyPatch) -> None:
    group = command_group("group", help="Hold.", example="thruline group pick")
    pick = command("pick", help="Pick one.", example="thruline group pick", group=group)(lambda as_json: None)
    monkeypatch.setenv("COLUMNS", "40")
    page = render_page([("thruline group", group), ("thruline group pick", pick)])
    assert "## thruline group\n" in page
    assert "### thruline group pick\n" in page
    assert "Usage: thruline group pick [OPTIONS]" in page
    assert "  Pick one." in page
    assert "-h, --help" in page
    monkeypatch.setenv("COLUMNS", "200")
    assert render_page([("thruline group", group), ("thruline group pick", pick)]) == page


@pytest.mark.feature("F002-45", via="unit")
def test_every_command_of_this_repository_has_json_help_and_a_working_example() -> None:
    found, problems = find_commands()
    assert problems + check_commands(found) == []
