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
