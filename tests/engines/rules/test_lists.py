"""The lists of a message, with what stands above them."""

import pytest

from thruline.engines.rules.open_threads.lists import find_lists


def titles(text: str) -> list[list[str]]:
    return [[text[item.start : item.title] for item in listed.items] for listed in find_lists(text)]


def test_a_numbered_list_goes_on_below_a_heading_and_behind_code() -> None:
    text = (
        "## Leaks\n\n1. **Roof** - wet\n```\n1. no item\n```\n   It drips.\n\n### In the cellar\n2. **Pump** - slow\n"
    )
    assert titles(text) == [["**Roof**", "**Pump**"]]


def test_a_list_that_begins_with_one_again_is_another() -> None:
    assert titles("1. first leak\n2. second leak\n\nThen:\n1. first pump\n2. second pump") == [
        ["first leak", "second leak"],
        ["first pump", "second pump"],
    ]


def test_numbered_headings_are_a_list() -> None:
    text = "# Survey\n\n### 1. The roof leaks\n\nSince May.\n- north\n- south\n\n### 2. The pump is slow\n\nSince June."
    assert titles(text) == [["1. The roof leaks", "2. The pump is slow"], ["north", "south"]]
    assert find_lists(text)[0].above == ("Survey",)


def test_what_stands_above_a_list_are_its_headings_and_the_line_before_it() -> None:
    listed = find_lists("# Survey\n\n## Done\n\nx\n\n## Left\n\n**By boat**\n\nThese remain:\n- the mole\n- the pier")
    assert [(one.above, one.lead) for one in listed] == [(("Survey", "Left", "By boat"), "These remain:")]


def test_an_item_is_called_by_its_bold_words_or_by_those_before_a_dash() -> None:
    text = "- **Roof** (north) - wet\n- The pump - slow since June\n- A mole is gone. It was.\n- deep\n    - below"
    assert titles(text) == [["**Roof** (north)", "The pump", "A mole is gone.", "deep"]]


def test_what_is_ticked_is_known() -> None:
    listed = find_lists("- [x] the roof\n- [ ] the pump\n- ✅ the mole\n- ~~the pier~~")
    assert [item.ticked for item in listed[0].items] == [True, False, True, True]


@pytest.mark.parametrize("line", ["# a{}b", "- a title{}b", "1. **bold{}b", "**a{}b", "- [ ] {}b"])
def test_a_line_may_have_any_number_of_blanks(line: str) -> None:
    # Where each blank is tried against all that follow, this takes minutes.
    found = find_lists("\n".join([*(line.format(" " * 60_000) for _ in range(5)), "", "1. one thing", "2. two things"]))
    assert [item.number for item in found[-1].items] == [1, 2]


def test_a_heading_has_no_blanks_at_its_end_nor_a_title() -> None:
    text = "## Findings  \t\n- a loose cable   -   two turns of play\n- a torn flag -- red"
    (found,) = find_lists(text)
    assert found.above == ("Findings",)
    assert text[found.items[0].start : found.items[0].title] == "a loose cable"
