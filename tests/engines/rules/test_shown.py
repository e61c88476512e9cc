"""Of a pasted log the line that tells what went wrong stands with the person's words, wherever they stand."""

import pytest

from tests.engines.rules.talk import render
from tests.session.talk import agent, human
from thruline.engines.rules.candidates.shown import find_shown
from thruline.engines.rules.candidates.typed import find_typed

PUSHED = """ Author: Ada <ada@example.org>
 Date: Wed Feb 11 16:05:52 2026 +0100
 6 files changed, 88 insertions(+)
 create mode 100644 99/1c62f11ee3/0/rows.txt
remote: Permission to harbour/tides.git denied to tide-bot[bot].
fatal: unable to access 'https://example.org/harbour/tides.git/': The requested URL returned error: 403"""
TRACED = """Traceback (most recent call last):
  File "/srv/tides/page.py", line 12, in <module>
    read_rows(path)
ValueError: row 17 has no harbour"""


def show(text: str) -> str:
    found = find_shown(text, find_typed(text, ""))
    return text[slice(*found[1])] if found is not None else ""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"now I'm getting [main a2c0e9c] Tides: 991c\n{PUSHED}", PUSHED.split("\n")[5]),
        (f"and now it stops on the second page\n\n{TRACED}", "ValueError: row 17 has no harbour"),
        (f"{TRACED}\n\nand why is that so?", "ValueError: row 17 has no harbour"),
        ("it builds\n\n12:00:01 built with 0 errors\n12:00:02 no failures, 14 pages written", ""),
        ("and again\n\n12:00:01 mover started\n12:00:02 mover stopped", ""),
    ],
)
def test_a_pasted_log_is_told_by_the_line_that_failed(text: str, line: str) -> None:
    assert show(text) == line


def test_pasted_prose_about_errors_is_no_log() -> None:
    remark = "Medium\nThe reader returns an error when the row was denied.\nLow\nNames could be shorter."
    assert show(f"I got this review for the reader today\n\n> {remark}") == ""


def test_the_line_is_quoted_with_the_words_before_it() -> None:
    session = [
        human(2, "Push the tides of the harbour from the workflow."),
        agent(3, "The workflow pushes the tides to the branch of the harbour now."),
        human(4, f"No, that's wrong, now I'm getting [main a2c0e9c] Tides: 991c\n{PUSHED}"),
        agent(5, "You're right, the token of the workflow may not write. It needs a setting of the repository."),
    ]
    (quote,) = [line for line in render(session).split("\n") if "now I'm getting" in line]
    assert f" … {PUSHED.split(chr(10))[5]}`" in quote


def test_what_git_logs_is_nobodys_words() -> None:
    entry = f"commit {'b8d967c2' * 5}\nAuthor: Ada <ada@example.org>\n\n    The rows of the harbour are read once.\n"
    text = f"the branch looks like this\n\n❯ git log main\n{entry}\n{entry}"
    assert [text[start:end] for start, end in find_typed(text, "")] == ["the branch looks like this"]
