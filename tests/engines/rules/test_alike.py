"""Command lines that run the same thing are alike, whatever was done with their output."""

import pytest

from thruline.engines.rules.alike import find_core, has_answer, is_within


@pytest.mark.parametrize(
    "command", ["make all", "make all 2>&1 | tail -3", "cd src && make all", "make all >/dev/null"]
)
def test_output_and_folder_do_not_matter(command: str) -> None:
    assert find_core(command) == {("make", "all")}


def test_other_words_are_another_command() -> None:
    assert not is_within(find_core("make all"), "make allied && make")
    assert is_within(find_core("make all"), "make clean && make all")


@pytest.mark.parametrize("command", ["", " ", "cd src", "cat <<E\nx\nE", "a;;b", "'"])
def test_a_line_that_cannot_be_taken_apart_is_like_itself_only(command: str) -> None:
    assert is_within(find_core(command), command)
    assert not is_within(find_core(command), "make all") or not command.strip()


def test_a_search_answers_with_its_status() -> None:
    assert has_answer(find_core("rg -n 'a|b' src | head"))
    assert has_answer(find_core("git grep x"))
    assert not has_answer(find_core("make test | grep FAIL"))
