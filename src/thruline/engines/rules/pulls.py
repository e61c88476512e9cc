"""Pull requests that a session opened, merged or worked on, and whether its last commit was pushed."""

from collections.abc import Iterator

from thruline.brief.attempts.inert import render_span
from thruline.brief.pointer import place
from thruline.brief.proof.pulls import Pulls
from thruline.brief.section import SESSION, Claim
from thruline.engines.rules.did import PULLS_AT, PUSH_AT
from thruline.engines.rules.facts import Facts
from thruline.session import parts
from thruline.session.pushes import KEPT, PUSHED, find_push

_MOST = 4


def build_pulls(facts: Facts) -> list[Claim]:
    """The claims about pull requests and the last push."""
    return list(_find_claims(facts))


def _find_claims(facts: Facts) -> Iterator[Claim]:
    pulls = Pulls()
    seen: list[tuple[int, str, bool]] = [(part.line, part.value, True) for part in facts.material.pulls]
    ran = [each for each in facts.ledger.commands.values() if each.outcome == parts.OK and not each.source]
    seen += [(each.line, each.command, False) for each in ran]
    # What was opened is told in the record of the command that opened it, and comes first.
    for line, text, opened in sorted(seen, key=lambda one: (one[0], not one[2])):
        (pulls.open if opened else pulls.see)(text, line)
    for verb, found in (("opened", pulls.opened), ("merged", pulls.merged)):
        for number, line in list(found.items())[-_MOST:]:
            words = f"{verb} pull request {render_span(number)}"
            yield Claim(words, pointers=(place(line),), topic=SESSION, shown=PULLS_AT, weight=0.74)
    others = sorted(pulls.others, key=lambda number: (-pulls.worth[number], -pulls.lines[number][-1]))
    if others:
        names = ", ".join(map(render_span, others[:_MOST]))
        at = sorted(line for number in others[:_MOST] for line in pulls.lines[number])
        where = place(at[0], at[-1] if at[-1] != at[0] else 0)
        plural = "s" if len(others) > 1 else ""
        yield Claim(
            f"worked on pull request{plural} {names}",
            pointers=(where,),
            topic=SESSION,
            shown=PULLS_AT,
            weight=0.73,
        )
    state, line = find_push(facts.ledger, facts.aside.ledger, facts.summary.cwd, facts.material.branches)
    if state == PUSHED:
        words = "pushed after the last commit."
        yield Claim(words, pointers=(place(line),), topic=SESSION, shown=PUSH_AT, weight=0.45)
    elif state == KEPT:
        words = "not pushed, as far as the session shows."
        yield Claim(words, pointers=(place(line),), topic=SESSION, shown=PUSH_AT, weight=0.45, flag=True)
