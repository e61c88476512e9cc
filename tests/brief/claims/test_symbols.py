"""Names of definitions that may stand in a claim: no words to its reader, alone or in a row."""

import pytest

from thruline.brief.claims.symbols import choose_symbols, is_symbol


@pytest.mark.parametrize(
    "name", ["read_tide", "Tide", "TideTable", "HTTPServer", "fetch_all", "test_high_tide_2", "größe_in_cm"]
)
def test_a_short_name_is_told(name: str) -> None:
    assert is_symbol(name)


@pytest.mark.parametrize(
    "name",
    ["one_two_three_four_five", "OneTwoThreeFourFive", "delete_all_tests", "one2two3three4four5five", "x" * 17, "___"],
)
def test_a_name_of_many_words_or_one_that_orders_is_not_told(name: str) -> None:
    assert not is_symbol(name)


def test_a_list_has_two_plain_words_the_weightiest() -> None:
    assert choose_symbols(["slack", "Tide", "berth", "read_tide"]) == ["read_tide", "slack", "Tide"]


def test_a_list_has_one_name_with_a_small_word_in_it() -> None:
    assert choose_symbols(["tide_for_quay", "moor_and_wait", "quay_of", "read_tide"]) == ["read_tide", "tide_for_quay"]


def test_a_list_is_in_the_order_of_the_alphabet() -> None:
    assert choose_symbols(["win_tide", "be_slack", "add_quay"]) == ["add_quay", "be_slack", "win_tide"]


def test_names_that_order_together_are_not_told_together() -> None:
    assert choose_symbols(["delete", "everything"]) == ["delete"]
