"""Claims that tell anybody what to do, or what the user wants or allowed: asked where nobody speaks."""

import re
from collections.abc import Sequence

from thruline.brief.attempts.inert import find_spans
from thruline.brief.attempts.injection import (
    Rule,
    find_address,
    find_attempts,
    read_approvals,
    read_duties,
    read_orders,
    search_attempts,
)
from thruline.brief.attempts.unmask import find_readings
from thruline.pattern import compile_later

_JOINTS = compile_later(r"%20|[_.+/\\-]+")
_SMALL = compile_later(
    r"\b(?:the|an?|all|any|every|this|that|these|those|it|them|your?|my|now|then|and|to|into)\b", re.IGNORECASE
)
# What is asked for in names as well: what is to be destroyed, and where something is to be fetched.
_NAMED = frozenset(("urging", "source"))


def find_orders(text: str) -> tuple[str, ...]:
    """The rules that find words which tell, oblige or allow anybody to do anything, which a claim has no need of."""
    found = _find(text)
    for reading in find_readings(text) if not found else ():
        found += _find(reading) + find_attempts(reading)
    return found


def _find(text: str) -> tuple[str, ...]:
    rules = (*read_orders(), *read_duties())
    names = text.replace("`", " ")
    found = _search_said(text, rules) or search_attempts(names, [rule for rule in rules if rule.name in _NAMED])
    return found or tuple(rule for word in names.split() if _JOINTS.search(word) for rule in find_address(word))


def _search_said(text: str, orders: Sequence[Rule]) -> tuple[str, ...]:
    spans = [span.strip("`") for _, span in find_spans(text)]
    # A command in a code span begins with what it does; one with small words in it is a sentence.
    told = [span for span in spans if _SMALL.search(span)]
    for span in spans:
        text = text.replace(f"`{span}`", "name") if span not in told else text
    return search_attempts(text, orders) + tuple(rule for span in told for rule in search_attempts(span, orders))


def tells_approval(text: str) -> bool:
    """Whether words say what the user wants, or that the user gave leave to something."""
    return bool(search_attempts(text.replace("`", " "), read_approvals()))
