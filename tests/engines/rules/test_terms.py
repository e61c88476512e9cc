"""Terms: what a session keeps coming back to weighs more than what it says once."""

import pytest

from thruline.engines.rules.terms import Weights, find_terms, is_bare, is_reference


def test_paths_identifiers_and_numbers_are_names() -> None:
    terms = find_terms("Edit src/export.py: getStagedFiles returns 42 rows")
    assert [term for term, name in terms.items() if name] == ["src/export.py", "getstagedfiles", "42"]


def test_one_word_in_several_forms_is_one_term() -> None:
    assert find_terms("exports").keys() == find_terms("exported").keys() == find_terms("exporting").keys()


@pytest.mark.parametrize("text", ["#13", "ENT-242", "6d61daaa", "v1.2.3", "https://host/o/r/pull/13", "localhost:5173"])
def test_what_can_be_looked_up_elsewhere_is_a_reference(text: str) -> None:
    (term,) = find_terms(text)
    assert is_reference(term)


@pytest.mark.parametrize("text", ["export", "deadbeef", "src/a.py"])
def test_other_words_are_no_references(text: str) -> None:
    assert not is_reference(text)


def test_a_phrase_in_bold_is_a_term_of_its_own() -> None:
    assert "ghost files" in find_terms("**Ghost files** stay behind")


def test_scripts_without_blanks_have_terms_too() -> None:
    assert set(find_terms("游标重复")) == {"游标", "标重", "重复"}


def test_a_line_of_output_is_bare_and_a_sentence_is_not() -> None:
    assert is_bare("Author Jane Roe Date Monday commit merge")
    assert not is_bare("the author is Jane Roe and she merged it")


def test_what_people_and_several_messages_say_weighs_more() -> None:
    said = [find_terms(text) for text in ("the cursor leaks", "the cursor closes", "a socket closes")]
    weights = Weights(said, said[:1], [])
    assert weights.weigh("cursor") > weights.weigh("clos") > weights.weigh("socket")
