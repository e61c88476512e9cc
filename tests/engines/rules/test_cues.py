"""Cues: phrases as data, looked up in any language they were written for."""

import random

import pytest

from thruline.engines.rules import cues, terms
from thruline.engines.rules.cues import SAID, TOLD, expand, find_cues, has_cue
from thruline.signals.cues import load_function_words


def test_a_cue_with_choices_is_several_phrases() -> None:
    assert set(expand("(a|b) c(s|)")) == {"a cs", "a c", "b cs", "b c"}


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("It failed because the cursor was inclusive.", "cause"),
        ("The pause did not help.", "rejected"),
        ("Not done yet: the docs.", "open"),
        ("Let me look at the tests.", "step"),
        ("Want me to commit it?", "question"),
        ("Die Ursache war der Cursor.", "cause"),
        ("Le cache ne fonctionne pas.", "rejected"),
        ("原因是缓存。", "cause"),
    ],
)
def test_what_a_sentence_does_is_told_by_its_words(sentence: str, wanted: str) -> None:
    assert wanted in find_cues(sentence, SAID)


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Priya is right that the retry runs twice.", "yielded"),
        ("Both remarks are justified: the lock is never released.", "yielded"),
        ("The label is taken from the wrong row.", "reason"),
        ("I accidentally sorted the list twice.", "own"),
        ("The report about the lock is not a genuine race.", "dismissed"),
        ("The ticket was superseded by the one of March.", "dismissed"),
        ("The page now works exactly as you asked.", "praise"),
    ],
)
def test_a_class_knows_the_situation_in_other_words(sentence: str, name: str) -> None:
    assert find_cues(sentence, (name,)) == {name}


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("The three views have consistent navigation now.", "praise"),
        ("The nightly run shows no regressions.", "praise"),
        ("The importer defeats the limit by reading twice.", "reason"),
        ("The total is correct for every tenant.", "yielded"),
    ],
)
def test_what_states_a_fact_is_not_taken_for_what_it_resembles(sentence: str, name: str) -> None:
    assert not find_cues(sentence, (name,))


def test_an_opening_cue_counts_at_the_beginning_only() -> None:
    assert "narration" in find_cues("Great, that is it.", SAID)
    assert "narration" not in find_cues("That is great.", SAID)


def test_a_part_of_a_word_is_no_cue() -> None:
    assert not find_cues("The notation of nodes.", TOLD)


def test_only_the_classes_asked_for_are_told() -> None:
    assert find_cues("Do not do it, because it failed.", TOLD) <= set(TOLD)


def test_function_words_of_several_languages_are_known() -> None:
    assert {"the", "nicht", "pas", "не"} <= load_function_words()


PLAIN = "".join(map(chr, range(128))) + " it's next.js a_b _c_ d- e.g. #12 src/a-b.py:3 x.. 'quoted' -f --flag don't\n"


def test_plain_text_has_the_words_and_terms_that_any_text_has() -> None:
    for text in (PLAIN, *make_plain(2_000)):
        assert cues._split_plain(text) == cues._WORD.findall(text.lower())
        assert [word for word in map(terms.trim_plain, terms.split_plain(text)) if word] == terms._TERM.findall(text)


def make_plain(count):
    """Texts of the signs that words and terms end at, in every order."""
    draw = random.Random(7)
    return ["".join(draw.choices("ab1Z _'.-/:@#\\,;!(\t\n\x1c", k=draw.randint(0, 12))) for _ in range(count)]


def test_no_denial_must_open_its_sentence() -> None:
    # So a clause that has none has no word of its own that is one either, and rules ask for the clause first.
    assert not [cue for classes in cues._read_table().values() for cue in classes.get("denial", ()) if cue[0] == "^"]


@pytest.mark.parametrize(
    "text", ["They removed it.", "Deleting the cache helps", "it's gone", "We uninstalled them all"]
)
def test_a_text_that_has_a_cue_may_have_it(text: str) -> None:
    assert find_cues(text, ("removal",))
    assert cues.may_tell(text, "removal")


def test_a_text_without_the_beginning_of_a_cue_has_none() -> None:
    assert not cues.may_tell("The exporter writes every row once.", "removal")


def test_every_phrase_begins_with_a_stem_of_its_class() -> None:
    for first, told in cues._read_phrases().items():
        for rest, name, _ in told:
            assert cues.may_tell(" ".join((first, *rest)).replace("'", "’"), name)


def test_every_phrase_is_found_wherever_its_whole_words_stand() -> None:
    for first, told in cues._read_phrases().items():
        for rest, name, _ in told:
            sentence = " ".join(word.replace("*", "x" if word == "*" else "") for word in (first, *rest))
            assert name in find_cues(sentence, (name,)), sentence


def test_one_class_is_found_where_all_are() -> None:
    table = cues._read_table()
    phrases = [phrase for classes in table.values() for listed in classes.values() for phrase in listed]
    sentences = {f"{said} now" for phrase in phrases for said in cues.expand(phrase.lstrip("^").replace("*", "ed"))}
    names = {name for classes in table.values() for name in classes}
    for name in sorted(names):
        told = {sentence for sentence in sentences if name in find_cues(sentence, (name,))}
        assert told, name
        assert {sentence for sentence in sentences if has_cue(sentence, name)} == told
