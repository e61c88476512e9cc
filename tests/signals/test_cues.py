"""Cues are data: every language has the same tables, and a text is read in its own."""

import pytest

from thruline.signals import cues
from thruline.signals.cues import (
    LANGUAGES,
    TABLES,
    guess_language,
    has_function_word,
    is_listing,
    load_function_words,
    load_language,
    split_words,
)

ENGLISH = load_language("en")


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_language_knows_only_classes_that_english_has(name: str) -> None:
    language = load_language(name)
    assert language.name == name
    for table in TABLES:
        assert language.phrases[table], table
        assert set(language.phrases[table]) <= set(ENGLISH.phrases[table])


def test_only_english_is_marked_as_measured() -> None:
    assert [name for name in LANGUAGES if load_language(name).measured] == ["en"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("that is not what the test is for", "en"),
        ("das ist nicht der richtige Weg", "de"),
        ("eso no es lo que quiero para la prueba", "es"),
        ("ce n'est pas le bon fichier pour les tests", "fr"),
        ("isso não é o que você está fazendo", "pt"),
        ("это не то, что я хотел", "ru"),
        ("これは違います", "ja"),
        ("这个不对", "zh"),
        ("pnpm", "en"),
        ("", "en"),
    ],
)
def test_the_language_of_a_text_is_guessed(text: str, name: str) -> None:
    assert guess_language(text, split_words(text)).name == name


def test_a_phrase_with_a_caret_counts_only_where_a_sentence_begins() -> None:
    assert "no" in ENGLISH.find("cues", split_words("fine. no, keep it"), "")
    assert "no" not in ENGLISH.find("cues", split_words("there is no file"), "")


def test_a_phrase_does_not_cross_the_end_of_a_sentence() -> None:
    assert "doubt" in ENGLISH.find("cues", split_words("are you sure"), "")
    assert "doubt" not in ENGLISH.find("cues", split_words("here they are. you saw"), "")


@pytest.mark.parametrize("text", ["Don't re-run it: no.\nWhy? a_b 3.4;x", "--x-- 'quoted' it's", ""])
def test_words_of_plain_text_are_those_found_in_any_text(text):
    assert [*split_words(text), "ü"] == split_words(text + " ü")


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("parser cache retry socket handler queue", True),
        ("PUT /orders 500 POST /refunds 404 retries=3", True),
        ("parser cache retry socket handler, don't", False),
        ("lint failing again, build red", False),
        ("test failing, handler queue socket parser timeout 다시 확인", False),
        ("", False),
    ],
)
def test_a_text_of_several_words_and_no_small_one_is_a_listing(text: str, bare: bool) -> None:
    assert is_listing(text) is bare


@pytest.mark.parametrize(
    "text",
    [
        "parser cache",
        "the parser",
        "Fix it",
        "well-to-do parsers",
        "don't",
        "Der Parser und",
        "парсер не",
        "für",
        "",
        ".",
    ],
)
def test_a_small_word_is_found_as_in_all_words_of_the_text(text: str) -> None:
    assert has_function_word(text) is not load_function_words().isdisjoint(split_words(text))


def test_what_tells_english_at_once_is_a_small_word() -> None:
    assert load_function_words() >= {word.strip() for word in cues._ENGLISH}
