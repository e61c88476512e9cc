"""A pattern that is compiled later answers as one that is compiled now."""

import copy
import re

import pytest

from thruline import pattern
from thruline.pattern import compile_later


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
