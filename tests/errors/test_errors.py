"""The tree of expected failures."""

import inspect

import pytest

from thruline import errors
from thruline.errors import ConfigError, FormatError, ThrulineError

KINDS = [kind for kind in vars(errors).values() if inspect.isclass(kind) and issubclass(kind, ThrulineError)]


def test_a_message_has_three_parts_in_order() -> None:
    error = ThrulineError('No packet "x" here.', where="packets/", next="thruline packet list")
    assert str(error) == 'No packet "x" here.\n  where  packets/\n  try    thruline packet list'


def test_a_part_that_is_not_known_takes_no_line() -> None:
    assert str(ThrulineError("It failed.")) == "It failed."
    assert str(ThrulineError("It failed.", next="try again")) == "It failed.\n  try    try again"


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ({}, ""),
        ({"path": "a.md"}, "a.md"),
        ({"path": "a.md", "line": 3}, "a.md:3"),
        ({"path": "a.md", "line": 3, "column": 7}, "a.md:3:7"),
        ({"path": "a.md", "column": 7}, "a.md"),
    ],
)
def test_a_format_error_tells_its_place_as_editors_read_it(place: dict[str, object], told: str) -> None:
    assert FormatError("Bad.", **place).where == told


@pytest.mark.feature("F002-46", via="unit")
def test_every_kind_stands_in_the_tree_on_top_of_the_file() -> None:
    tree = (errors.__doc__ or "").split("A message has")[0]
    drawn = [word for line in tree.splitlines() for word in line.split() if word in {kind.__name__ for kind in KINDS}]
    assert sorted(drawn) == sorted(kind.__name__ for kind in KINDS)


@pytest.mark.feature("F002-46", via="unit")
def test_only_wrong_usage_has_another_exit_code_than_one() -> None:
    assert {kind.__name__: kind.exit_code for kind in KINDS if kind.exit_code != 1} == {"UsageError": 2}


def test_a_config_error_is_a_format_error_with_its_place() -> None:
    error = ConfigError("Unknown key.", path="config.toml", line=2)
    assert isinstance(error, FormatError)
    assert (error.path, error.line, error.where) == ("config.toml", 2, "config.toml:2")


def test_every_kind_has_a_sentence_of_its_own() -> None:
    assert all((kind.__doc__ or "").strip() for kind in KINDS)
    assert len({kind.__doc__ for kind in KINDS}) == len(KINDS)
