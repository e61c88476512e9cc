"""Which lines of a message are the writer's own."""

import pytest

from thruline.signals.own import find_own, join_own


def own(text: str, quoted: str = "") -> str:
    return join_own(text, find_own(text, quoted))


@pytest.mark.parametrize(
    ("text", "mine"),
    [
        ("still broken:\n```\nError: no\n```\nplease fix", "still broken:\nplease fix"),
        ('this is the error: """\nboom is wrong\n"""', "this is the error:"),
        ("see\n\n2026-02-12T10:28:41 started\n2026-02-12T10:28:42 stopped", "see"),
        ("--- FAIL: TestA (0.00s)\n    a_test.go:3: wrong\nFAIL", ""),
        ('still not quite right\n{"level": "DEBUG"}\n{"level": "INFO"}', "still not quite right"),
        ("--search-all is still there, yes?", "--search-all is still there, yes?"),
        ("+\tx := 1\n-\tx := 2\nwhy this?", ""),
        ("> you said so\n\nno, I did not", "no, I did not"),
        ("here it is\n\n12/44 99.3% 0x1f 77-12 5", "here it is"),
        ("no", "no"),
        ("", ""),
    ],
)
def test_pasted_lines_are_left_out(text: str, mine: str) -> None:
    assert own(text) == mine


def test_a_line_of_the_agents_own_text_is_a_quotation() -> None:
    said = "defaults to the current session since checkpoints are from it"
    assert own(f"{said}\n\nis that so?", quoted=f"It {said}.") == "is that so?"


def test_an_unclosed_fence_hides_the_rest() -> None:
    assert own("look\n```\nno no no\nwrong") == "look"


def test_spans_are_places_in_the_text() -> None:
    text = "first line\n```\ncode\n```\n  second line  "
    assert [text[start:end].strip() for start, end in find_own(text)] == ["first line", "second line"]


LONG = "The function reads the whole file before it looks at the first line. This is slow for large files. " * 4


@pytest.mark.parametrize(
    ("text", "mine"),
    [
        (f"I got this feedback:\n\n{LONG}\n\nis that right?", "I got this feedback:\nis that right?"),
        (f"look at this:\n\n{LONG}\n\n{LONG}", "look at this:"),
        ("can you clarify:\n\n  The worker is stopped\n  and never started again.", "can you clarify:"),
        ("how about this logic:\n\n- if there is none, make one\n- else add to it", None),
        (f"no, that is not it.\n\n{LONG}", None),
        (
            f"please read\n\n# Plan\n\n{LONG}\n\n## Steps\n\n{LONG}\n\nnot the second part though",
            "please read\nnot the second part though",
        ),
        ("# Goal\n\nless code", "less code"),
        ("I disagree with her\n\nOn Tue, 3 Mar 2026, Ann wrote:\n> no\nYou are wrong.", "I disagree with her"),
        ("see below\nFrom: ann@example.org\nSubject: no\n\nThat is wrong.", "see below"),
    ],
)
def test_documents_and_mail_are_told_from_what_the_writer_says_of_them(text: str, mine: str | None) -> None:
    assert own(text) == (text.replace("\n\n", "\n").strip() if mine is None else mine)


@pytest.mark.parametrize(
    ("text", "mine"),
    [
        (
            (
                "but it's a public repo\n\nremote: Permission to o/r.git denied to bot.\nfatal: unable to access\n"
                "Push failed (attempt 1/3). Rebasing on remote...\nFrom https://example.org/o/r"
            ),
            "but it's a public repo",
        ),
        (
            (
                "still there:\n\nThe queue is full now, waiting\nThe queue is full now, waiting\n"
                "The queue is full now, waiting\n\nwhy?"
            ),
            "still there:\nwhy?",
        ),
        ("same again:\ncommit 1a2b3c4d5e\nAuthor: Ann\nDate:   Mon\nwhy?", "same again:"),
        ("Fetching rows from orders/v1 (2 pages)...\nno, that one is not needed", "no, that one is not needed"),
        ("no\nno\nno\nno", None),
    ],
)
def test_what_git_prints_and_lines_that_stand_there_twice_are_not_the_writers(text: str, mine: str | None) -> None:
    assert own(text) == (text if mine is None else mine)
