"""Words stand in a text exactly, or under a mark that the page names; nothing else is near enough."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.redact.planting import fill
from thruline.brief.quotation.match import Tries, find_key, is_turned, match_words, read_texts, widen_words
from thruline.brief.quotation.quote import is_edge
from thruline.brief.quotation.turning import turns
from thruline.redact import redact
from thruline.session import parts

TOKEN = fill("ghp_{alnum:36}", 7)
SOURCE = f"Use the token {TOKEN} for now. Do not delete the table; we need it."


@given(st.text(min_size=1), st.data())
def test_every_run_of_whole_words_stands_in_its_text(source: str, data: st.DataObject) -> None:
    source = source.replace("\r", "")
    start = data.draw(st.integers(0, max(0, len(source) - 1)))
    words = source[start : data.draw(st.integers(min(start + 1, len(source)), len(source)))]
    whole = is_edge(source, start) and is_edge(source, start + len(words))
    if words.strip() and whole and not redact(source).places and not turns(source) and "?" not in source:
        assert match_words(words, source) is not None


ASIDE = [
    ("add a pause", "No, don't add a pause. It hid it.", False),
    ("No, don't add a pause", "No, don't add a pause. It hid it.", True),
    ("touch the export", "Never change the order. And don't touch the export.", False),
    ("Not done", "Not done yet: the docs", True),
    ("done yet: the docs", "Not done yet: the docs", False),
    ("retry with a longer pause", "I could retry with a longer pause next.", False),
    ("retry with a longer pause", "I'll retry with a longer pause next.", False),
    ("drop the table", "If the copy is there, drop the table.", False),
    ("drop the table", "Drop it: if the copy is there, and you saw it, drop the table.", False),
    ("You may drop the table", "You may drop the table if the copy is there.", False),
    ("You may drop the table", "You may drop the table, but only if the copy is there.", False),
    ("You may drop the table,", "You may drop the table, but only if the copy is there.", False),
    ("You may drop the table", "You may drop the table, the copy is there.", True),
    ("the pause", "The pause did not help", False),
    ("We can", "We can't drop it", False),  # no word of its own
    ("safe to drop", "It is unsafe to drop", False),
    ("Reihenfolge ändern", "Du darfst nie die Reihenfolge ändern", False),
    ("add a pause", "Don't add a pause. Or rather, add a pause.", True),  # said otherwise further on
    ("add a pause between pages", "Do you want me to add a pause between pages?", False),  # no question any more
    ("touch the export", "Please do not\ntouch the export", False),  # one line that was wrapped
    ("touch the export", "Do not:\n- touch the export", True),
    ("**Magic 1000**", "11. **Magic 1000** - a limit without a name", True),
    ("Touch it", "Do not wait\nTouch it", True),
    ("old readers go by position", "Never change the order, old readers go by position.", True),
]


@pytest.mark.parametrize(("words", "source", "stands"), ASIDE)
def test_words_without_a_mark_are_asked_what_stands_beside_them(words: str, source: str, stands: bool) -> None:
    assert (match_words(words, source) == words) is stands
    assert (match_words(f"… {words} …", f"Now. {source} Then.") is not None) is stands


@pytest.mark.parametrize(
    ("words", "whole"),
    [
        ("add a pause", "No, don't add a pause."),
        ("… add a pause …", "No, don't add a pause."),
        ("add a pause. It", "No, don't add a pause. It hid it."),
        ("add … pause", None),
        ("add the pause", None),
    ],
)
def test_words_that_a_cut_turned_get_their_sentence_back(words: str, whole: str | None) -> None:
    assert widen_words(words, "So. No, don't add a pause. It hid it.") == whole


@pytest.mark.parametrize(
    "words",
    ["do not delete the table", "Do not delete  the table", "Do not delete the tables", "Do notdelete", " ", ""],
)
def test_what_is_nearly_there_is_not_there(words: str) -> None:
    assert match_words(words, SOURCE) is None


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_are_one_break(end: str) -> None:
    assert match_words("one\ntwo", f"zero{end}one{end}two") == "one\ntwo"


@pytest.mark.parametrize(
    ("words", "stands"),
    [
        ("Do not … the table", True),
        ("… Do not delete the table …", True),
        ("… delete the table …", False),  # what denies it stands in the same clause
        ("… we need it.", True),
        ("Do not delete…", True),
        ("the table … Do not delete", False),  # another order
        ("Do n…t delete", False),  # a cut inside a word
        ("Do not del…", False),
        ("Do not … elete the table", False),
        ("…", False),
        ("… … t", False),  # too little to say anything
    ],
)
def test_a_cut_leaves_out_whole_words_and_keeps_the_order(words: str, stands: bool) -> None:
    assert (match_words(words, SOURCE) == words) is stands


@pytest.mark.parametrize(
    ("words", "source", "stands"),
    [
        ("… add a pause. It hid it.", "No, don't add a pause. It hid it.", False),
        ("… don't add a pause.", "No, don't add a pause.", True),
        ("… change the order … And … touch the export", "Never change the order. And don't touch the export.", False),
        ("Never change the order. … touch the export", "Never change the order. And touch the export.", True),
        ("Never change … And don't touch it", "Never change the order of rows. And don't touch it.", True),
        ("Merge it …", "Merge it when the tests pass", True),
        ("Merge it …", "Merge it only when the tests pass", False),
        ("Merge it …", "Merge it, but not today", True),  # a clause of its own
        ("Use … spaces", "Use tabs instead of spaces", False),
        ("Pass it by a file instead of …", "Pass it by a file instead of argv so it does not show.", True),
        ("Pass it by a file …", "Pass it by a file instead of argv so it does not show.", False),
        ("Pass it instead of … so it shows", "Pass it instead of argv, never so it shows.", False),
        ("Use spaces, not …", "Use spaces, not tabs where none stood.", True),
        ("Do the cannot …", "Do the cannot-fail build only at night", False),  # no word of its own
        ("I read … the tide", "I read and do not store the tide", False),
        ("I read … and store it", "I read the tide, which is not small, and store it", True),
        ("… ändern", "Die Reihenfolge nie ändern", False),
        ("… supprimer les tests", "Il ne faut pas supprimer les tests", False),
        ("… удалять тесты", "Нельзя удалять тесты", False),
        ("删除… 测试", "删除不必要的测试", False),
        ("テストを… 消す", "テストを絶対に消さないで、次に消す", False),
    ],
)
def test_a_cut_in_a_clause_leaves_nothing_out_that_turns_it(words: str, source: str, stands: bool) -> None:
    assert (match_words(words, source) == words) is stands


@pytest.mark.parametrize(
    ("words", "turned"),
    [
        ("… add a pause. It hid it.", True),
        ("No … add a pause.", True),
        ("… add a pause … it hid it.", False),  # not these words
        ("… dd a pause.", False),  # not a whole word
        ("It hid it … add a pause", False),  # another order
        ("add the pause", False),
    ],
)
def test_words_that_all_stand_there_are_told_from_those_that_do_not(words: str, turned: bool) -> None:
    source = "No, don't add a pause. It hid it."
    assert match_words(words, source) is None
    assert is_turned(words, source) is turned


@pytest.mark.parametrize("at", range(len("Re-run a.py: it's I who set --dry, not you.")))
def test_a_mark_in_place_of_one_sign_is_no_cut(at: int) -> None:
    source = "Re-run a.py: it's I who set --dry, not you."
    assert match_words(f"{source[:at]}…{source[at + 1 :]}", source) is None


def test_the_next_place_is_tried_where_a_piece_stands_twice() -> None:
    source = "Do not keep the lock. Then keep the lock for a moment, and let it go."
    assert match_words("… keep the lock for a moment … let it go.", source) is not None
    assert match_words("… keep the lock. …", source) is None
    assert match_words("Then keep the lock … let it go.", source) is not None
    # Both places are tried, and each cut would leave one clause and land in the middle of another.
    assert match_words("Do not keep … keep the lock for a moment, …", source) is None


def test_pieces_that_stand_everywhere_are_not_looked_for_forever() -> None:
    assert match_words(" … ".join(["not a"] * 400) + " … b", "not a " * 40_000) is None


def test_pieces_that_do_not_stand_in_order_are_not_tried_at_all() -> None:
    tries = Tries()
    before = tries.left
    assert match_words("it … it … it … nothing", "we do not say it and " * 4_000, tries) is None
    assert tries.left == before


def test_the_quotations_of_a_document_share_their_tries() -> None:
    tries, source = Tries(3_000), "we do not say it and " * 4_000 + "nothing, or more. All of it."
    assert match_words("it … it … nothing", source, tries) is None
    assert 0 < tries.left < 3_000
    assert match_words("it … it … nothing, or", source, tries) is None
    assert tries.left == 0
    assert match_words("All of it.", source, tries) is not None


def test_an_ellipsis_of_the_source_is_itself() -> None:
    assert match_words("wait… what", "no, wait… what is this") == "wait… what"
    assert match_words("wait… what is … good for", "no, wait… what is this good for") is not None


def test_a_marker_stands_only_where_its_rule_finds_a_secret() -> None:
    rule = redact(SOURCE).places[0].rule
    assert match_words(f"Use the token [redacted:{rule}] for now.", SOURCE) is not None
    assert match_words("Use the token [redacted:some-other] for now.", SOURCE) is None
    assert match_words(f"Use [redacted:{rule}] for now.", SOURCE) is None
    assert match_words(f"Do not delete the [redacted:{rule}]", SOURCE) is None


def test_a_secret_is_marked_also_where_only_a_part_of_it_was_quoted() -> None:
    rule = redact(SOURCE).places[0].rule
    assert match_words(f"token {TOKEN} for", SOURCE) == f"token [redacted:{rule}] for"
    assert match_words(f"token {TOKEN[:12]}", SOURCE) == f"token [redacted:{rule}]"
    assert match_words(TOKEN[8:20], SOURCE) == f"[redacted:{rule}]"


@pytest.mark.parametrize("words", [SOURCE, "a … long part of it", "x [redacted:api-key] longest of all", "…", ""])
def test_the_key_is_a_run_of_the_words(words: str) -> None:
    assert find_key(words) in words
    assert "…" not in find_key(words)
    assert "[redacted" not in find_key(words)


def test_the_texts_of_a_record_are_those_of_the_page() -> None:
    told = [
        parts.Said(1, "human", "turn", "a"),
        parts.Thought(2, "b"),
        parts.Result(3, "c1", parts.ERROR, 9, text="c"),
        parts.Asked(4, "q", ("o1", "o2"), "o2"),
        parts.Planned(5, "p", "proposed"),
        parts.Tasks(6, (("t", "pending"),)),
        parts.Call(7, "c1", "Bash", "run", "make test"),
        parts.Result(8, "c1", parts.OK, 9),
    ]
    assert [text for part in told for text in read_texts(part)] == [
        ("human", "a"),
        ("agent", "b"),
        ("tool", "c"),
        ("agent", "q"),
        ("agent", "o1"),
        ("agent", "o2"),
        ("human", "o2"),
        ("agent", "p"),
        ("agent", "t"),
    ]


def test_subjects_that_a_log_lists_may_be_quoted_in_gits_name() -> None:
    listed = parts.Result(4, "c", "ok", 9, commits=(("1a2b3c4", "Made"),), logged=(("5d6e7f8", "Listed"),))
    assert list(read_texts(listed)) == [("git", "Made"), ("git", "Listed")]


HARBOUR = (
    "Please look at the page of the harbour. Yes, I like the colour. Keep the delete button where it is and write all "
    "of the tests before lunch. Push the page to main when the review is done."
)


@pytest.mark.parametrize(
    ("words", "stands"),
    [
        # Single words out of several clauses would say what nobody said.
        ("Yes, … delete … all of the tests … Push … to main", False),
        ("Yes, … delete … all … tests", False),
        ("Yes … push … main", False),
        ("I like … lunch", False),
        ("Yes, … delete …", False),
        # Each begins a clause or goes on with the one that was left.
        ("Yes, … all of the tests before lunch", False),
        ("I like … delete button where it is", False),
        ("Yes, I like the colour. … when the review is done.", False),
        ("Yes, I like the colour. … delete button where it is", False),
        ("Yes, I like the colour. … Push the page to main …", True),
        ("Please look … Yes, I like the colour. … Push the page to main when the review is done.", True),
        ("Keep the delete button … before lunch.", True),
        ("… the delete button …", True),  # one piece, however it is cut
    ],
)
def test_the_pieces_of_a_quotation_are_clauses_or_begin_or_end_one(words: str, stands: bool) -> None:
    assert (match_words(words, HARBOUR) is not None) is stands
    assert is_turned(words.replace("push", "Push"), HARBOUR) or stands  # the words are there


@pytest.mark.parametrize(
    ("words", "stands"),
    [("我喜欢… 把页面推到主分支", True), ("喜… 删… 所有测试", False), ("我喜欢这个颜色。 … 推到主分支", False)],
)
def test_in_a_script_without_blanks_two_letters_are_a_word(words: str, stands: bool) -> None:
    source = "我喜欢这个颜色。删除按钮留在原处,写完所有测试。把页面推到主分支。"
    assert (match_words(words, source) is not None) is stands


def test_a_line_begins_and_ends_a_clause_of_its_own() -> None:
    source = "No, I still get this:\n```\n$ make\nmover.py:12:4: undefined name 'rows'\n```\nMend it."
    assert match_words("No, I still get this: … mover.py:12:4: undefined name 'rows'", source) is not None
