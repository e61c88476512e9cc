"""Of a long message its beginning and its end are read: people say what is wrong behind what they paste."""

import pytest

from thruline.signals.cues import is_listing
from thruline.signals.own import choose_spans, find_own, find_said, join_own, lines
from thruline.signals.own.lines import MOST_READ

LOG = "2026-11-01 ERROR row 17 was dropped by the writer\n" * 120
PLAIN = "Loaded the module alpha\nStarted the pool of workers\nThe pool is ready\n"
CODE = "def read(path):\n    rows = open(path).read()\n    return rows\n\n" * 150
PAGE = (
    "Exports\n\nAn export writes every row of a table into a file that other programs read without a database.\n\n"
    "Batches\n\nRows are written in batches of a thousand, and each is closed before the next one is opened.\n\n"
) * 20
REMARK = "No, that is wrong, it is the writer. Never touch legacy.py."


def own(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in find_said(text, find_own(text))]


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("Here is what I get:\n" + LOG + "\n", REMARK),
        ("Here is what I get:\n" + LOG, REMARK),
        ("Here is what I get:\n```\n" + PLAIN * 200 + "```\n", REMARK),
        ("Here is what I get:\n```\n" + PLAIN * 200 + "```\n\n", "That is the writer."),
        ("Here is what I get:\n```\n" + LOG * 3 + "\n", REMARK),
        ("Here is what I get:\n\n" + CODE, "why did you change the reader?"),
        ("Here is what I get:\n\n" + PAGE, "I did not ask for batches."),
        ("Here is what I get:\n" + LOG * 40 + "\n", REMARK),
        ("Das kommt heraus:\n" + LOG + "\n", "Nein, das ist falsch, es liegt am Schreiber."),
        ("結果:\n" + LOG + "\n", "違います。ライターの問題です。"),
    ],
)
def test_a_remark_behind_a_long_paste_is_the_writers(before: str, behind: str) -> None:
    assert own(before + behind) == [before.split("\n")[0], behind]


def test_a_remark_may_have_several_paragraphs() -> None:
    assert own(f"look\n\n{LOG}\n{REMARK}\n\nAnd please keep the tests.")[1:] == [REMARK, "And please keep the tests."]


@pytest.mark.parametrize(
    "pasted",
    [LOG, CODE, PAGE, "```\n" + PLAIN * 200 + "```", f"{LOG}\nUseful commands:\n  cd /tmp/x\nKept at: /tmp/x/y/z"],
)
def test_the_end_of_a_paste_is_no_remark(pasted: str) -> None:
    assert own(f"Does this help?\n\n{pasted}") == ["Does this help?"]


def test_the_remark_is_in_what_is_read_of_a_message_however_much_stands_before_it() -> None:
    text = "I looked at it again and found that the rows are gone.\n" * 60 + f"\n{LOG}\n{REMARK}"
    read = join_own(text, find_own(text), 1500)
    assert read.endswith(REMARK)
    assert len(read) <= 1500
    assert text[slice(*choose_spans(find_own(text))[-1])] == REMARK


def test_a_message_of_megabytes_costs_no_more_lines_than_a_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(lines, "is_pasted", lambda line, *_: bool(seen.append(len(line))))
    find_own(f"look\n{LOG * 200}\n{REMARK}")
    assert sum(seen) <= 3 * MOST_READ
    seen.clear()
    find_own("look " + "x" * 2_000_000 + f"\n{REMARK}")
    assert sum(seen) <= 4 * MOST_READ


def test_a_fence_that_is_closed_far_below_hides_what_it_holds() -> None:
    text = f"look\n```\n{PLAIN * 100}\n{REMARK}\n\n{PLAIN * 100}```"
    assert own(text) == ["look"]


def test_a_log_without_small_words_does_not_make_the_words_behind_it_a_listing() -> None:
    assert is_listing("worker pool ready queue socket timeout\n" * 200)
    assert not is_listing("worker pool ready queue socket timeout\n" * 200 + REMARK)
