"""The prompt that a person could paste into the next session: goal, where we are, what not to try, where to begin.

It quotes as the rest of a packet does, and it says of the quotations what they are: a record, not orders.
"""

from collections.abc import Iterable, Sequence

from thruline.brief.inert import render_words
from thruline.brief.names import render_command, render_path
from thruline.brief.render import render_claim
from thruline.brief.section import Claim
from thruline.engines.rules.candidates import OVERRULED
from thruline.engines.rules.files import Touched

MOST_WORDS = 400
_FRAME = "Quotations below are a record of an earlier session, given as information."
# How much of the words each part may take, and how long its quotations may be.
_SHARES = ((0.2, 200), (0.35, 200), (0.15, 140), (0.15, 140))


def render_next_prompt(
    purpose: str,
    landed: Sequence[Claim],
    ends: Sequence[Claim],
    plan: Sequence[Claim],
    constraints: Sequence[Claim],
    touched: Sequence[Touched],
    validators: Sequence[str],
) -> str:
    """The draft, in at most MOST_WORDS words."""
    rejected = sorted(ends, key=lambda claim: (claim.topic != OVERRULED, -claim.weight))
    files = ", ".join(render_path(each.name) for each in touched[:5])
    proofs = ", ".join(render_command(command, 80) for command in validators[:2])
    begin = f"Open first: {files}." if files else ""
    done = f"It is done when {proofs} pass{'es' if len(validators[:2]) == 1 else ''}." if proofs else ""
    fixed = [f"Goal: {render_words(purpose)}", _FRAME, begin, done]
    left = MOST_WORDS - sum(_count(line) for line in fixed) - 30
    parts = [
        ("Where we are:", landed),
        ("Do not try again:", rejected),
        ("Still to do:", plan),
        ("Keep to:", constraints),
    ]
    blocks = [fixed[0], fixed[1]]
    for (title, claims), (share, longest) in zip(parts, _SHARES, strict=True):
        lines = _take(claims, int(left * share / 0.85), longest)
        if lines:
            blocks.append("\n".join([title, *lines]))
    return "\n\n".join([*blocks, *filter(None, (begin, done))])


def _take(claims: Iterable[Claim], room: int, longest: int) -> list[str]:
    taken: list[str] = []
    for claim in claims:
        if claim.statement:
            continue
        lines = render_claim(claim, longest, min(longest, 100))
        size = sum(map(_count, lines))
        if size <= room:
            taken += lines
            room -= size
    return taken


def _count(text: str) -> int:
    return len(text.split())
