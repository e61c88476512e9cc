"""Claims that tell their reader what to do, urge it, or say that the user gave leave: asked where nobody speaks."""

import re
from collections.abc import Sequence

from thruline.brief.inert import find_spans
from thruline.brief.injection import Rule, find_address, read_approvals, read_orders, search_attempts
from thruline.pattern import compile_later

_URGING = "urging"
_JOINTS = compile_later(r"%20|[_.+/\\-]+")
_SMALL = compile_later(
    r"\b(?:the|an?|all|any|every|this|that|these|those|it|them|your?|my|now|then|and|to|into)\b", re.IGNORECASE
)


def find_orders(text: str) -> tuple[str, ...]:
    """The rules that find words telling their reader what to do, which a claim has no need of."""
    names = text.replace("`", " ")
    found = _search_said(text, [rule for rule in read_orders() if rule.name != _URGING])
    return found or tuple(rule for word in names.split() if _JOINTS.search(word) for rule in find_address(word))


def tells_urging(text: str) -> bool:
    """Whether words say, as if it were so, that what guards the work must or may go."""
    urgings = [rule for rule in read_orders() if rule.name == _URGING]
    # What is to be destroyed may be a name.
    return bool(_search_said(text, urgings) or search_attempts(text.replace("`", " "), urgings))


def _search_said(text: str, orders: Sequence[Rule]) -> tuple[str, ...]:
    spans = [span.strip("`") for _, span in find_spans(text)]
    # A command in a code span begins with what it does; one with small words in it is a sentence.
    told = [span for span in spans if _SMALL.search(span)]
    for span in spans:
        text = text.replace(f"`{span}`", "name") if span not in told else text
    return search_attempts(text, orders) + tuple(rule for span in told for rule in search_attempts(span, orders))


def tells_approval(text: str) -> bool:
    """Whether words say that the user gave leave to something."""
    return bool(search_attempts(text.replace("`", " "), read_approvals()))
