"""A pattern that is compiled later answers as one that is compiled now."""

import copy
import re
from itertools import chain

import pytest

from thruline import pattern
from thruline.pattern import Signs, compile_later


def test_it_answers_as_a_compiled_pattern_does() -> None:
    later, now = compile_later(r"(?P<word>[a-z]+)\d?", re.IGNORECASE), re.compile(r"(?P<word>[a-z]+)\d?", re.IGNORECASE)
    text = "One2 two, THREE3"
    assert later.findall(text) == now.findall(text)
    assert [found.span() for found in later.finditer(text, 2)] == [found.span() for found in now.finditer(text, 2)]
    assert later.sub("x", text) == now.sub("x", text)
    assert later.match(text, 5)["word"] == now.match(text, 5)["word"]  # type: ignore[index]
    assert later.fullmatch(text) is None
    assert later.groupindex == now.groupindex
    assert later.flags == now.flags
    assert copy.copy(later).findall(text) == now.findall(text)


def test_it_is_compiled_once_and_not_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(pattern.re, "compile", lambda *given: made.append(given) or re._compiler.compile(*given))  # type: ignore[attr-defined,func-returns-value]
    later = compile_later("a+")
    assert made == []
    assert later.search("baa") is not None
    assert later.search("b") is None
    assert later.findall("aba") == ["a", "a"]
    assert len(made) == 1


@pytest.mark.parametrize(
    "ranges", [("\u4e00-\u9fff",), ("\u0400-\u04ff", "\u3040-\u30ff"), ("\u2e80-\u9fff", "\uac00-\ud7af")]
)
def test_signs_of_a_script_are_found_as_a_set_of_them_is(ranges: tuple[str, ...]) -> None:
    signs, now = Signs(*ranges), re.compile(f"[{''.join(ranges)}]")
    near = ((0, 0x100), (0x3F0, 0x510), (0x2E00, 0x3200), (0x4DF0, 0x4E10), (0x9FF0, 0xAC10), (0xD7A0, 0xE000))
    for code in (*chain.from_iterable(range(*each) for each in near), 0x1F600):
        text = f"a→{chr(code)}é"
        assert (signs.search(text) is None) == (now.search(text) is None), hex(code)
        assert signs.findall(text) == now.findall(text)


def test_a_set_of_signs_is_not_compiled_for_text_that_has_none_of_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(pattern.re, "compile", lambda *given: made.append(given) or re._compiler.compile(*given))  # type: ignore[attr-defined,func-returns-value]
    signs = Signs("\u4e00-\u9fff", run=2)
    assert signs.search("plain") is None
    assert signs.search("arrows → and dashes — and ✓ and é") is None
    assert made == []
    assert signs.search("一") is None
    assert signs.findall("一二三四五") == ["一二", "三四"]
    assert len(made) == 1
