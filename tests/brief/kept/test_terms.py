"""Words that can be found again: names whole, joined words apart, small words known as such."""

from thruline.brief.kept.terms import count_content, find_terms, flatten, is_small


def test_names_are_told_from_words_and_joined_words_come_apart() -> None:
    found = find_terms("Set --dry-run in src/app.py to 45s; a step/checkpoint of approach B, lines 366-367, option 4")
    assert {term for term, name in found.items() if name} == {"--dry-run", "src/app.py", "45", "b", "366", "367"}
    assert {"step", "checkpoint", "4", "option"} <= set(found)


def test_unspaced_writing_is_taken_in_pairs_of_signs() -> None:
    assert set(find_terms("金额不要")) == {"金额", "额不", "不要"}
    assert not is_small("金额")


def test_what_says_something_by_itself_is_counted() -> None:
    assert [
        count_content(text) for text in ("yes, let's do it", "Use cents.", "fix app.py", "approach B", "option 4")
    ] == [
        0,
        1,
        2,
        3,
        2,
    ]


def test_a_phrase_is_looked_up_between_words() -> None:
    assert flatten("run test") in flatten("Then `run test`, please.")
    assert flatten("run test") not in flatten("Then `run test:ci`, please.")
