"""The folder that -C names is the working folder of the command, and only of it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.door.sample import fail
from thruline import errors
from thruline.cli import door


@pytest.mark.parametrize(
    "place", ["{C} sample", "sample {C}", "{C} group sample", "group {C} sample", "group sample {C}"]
)
def test_the_folder_may_be_given_before_or_after_the_verb(
    declare: Callable[..., None], tmp_path: Path, place: str
) -> None:
    seen: list[str] = []
    declare(lambda: seen.append(os.getcwd()))
    before = os.getcwd()
    line = [str(tmp_path) if word == "DIR" else word for word in place.format(C="-C DIR").split()]
    assert door.run(line) == 0
    assert seen == [str(tmp_path)]
    assert os.getcwd() == before


def test_a_second_folder_is_relative_to_the_first(declare: Callable[..., None], tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    seen: list[str] = []
    declare(lambda: seen.append(os.getcwd()))
    assert door.run(["-C", str(tmp_path), "sample", "-C", "a"]) == 0
    assert seen == [str(tmp_path / "a")]


def test_the_folder_is_left_again_after_a_failure(declare: Callable[..., None], tmp_path: Path) -> None:
    declare(fail(errors.NotFound("Gone.")))
    before = os.getcwd()
    assert door.run(["-C", str(tmp_path), "sample"]) == 1
    assert os.getcwd() == before


def test_a_folder_can_be_given_where_the_working_folder_is_gone(
    declare: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    seen: list[str] = []
    declare(lambda: seen.append(os.getcwd()))
    assert door.run(["-C", str(tmp_path), "sample"]) == 0
    assert seen == [str(tmp_path)]
