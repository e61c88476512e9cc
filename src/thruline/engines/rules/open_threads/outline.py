"""What a plan is called and which steps it has, in few words: its title and the headings or items that are numbered."""

import re

from thruline.brief.quotation.quote import Quote
from thruline.engines.rules.decided import quote_plan
from thruline.engines.rules.material import Message
from thruline.engines.rules.quoting import build_quote
from thruline.pattern import compile_later

_TITLE = compile_later(r"^#+[ \t]+(\S.{3,200})$", re.MULTILINE)
_STEP = compile_later(r"^(?:#{2,6}[ \t]+)?[*_]{0,2}((?:[^\W\d_]+ )?\d{1,2}[.):][ \t]+\S[^\n]{3,160})$", re.MULTILINE)
FEWEST = 2


def quote_outline(plan: Message, most: int) -> Quote:
    """The title and the numbered steps of a plan in about `most` bytes; how it begins, where it has none."""
    title = _TITLE.search(plan.text)
    spans = [title.span(1)] if title else []
    left = most - sum(end - start for start, end in spans)
    steps = [match.span(1) for match in _STEP.finditer(plan.text)]
    for start, end in steps if len(steps) >= FEWEST else ():
        left -= end - start
        if left < 0:
            break
        if (start, end) not in spans:
            spans.append((start, end))
    return build_quote(plan, spans, roomy=True) if len(spans) > 1 else quote_plan(plan, most)
