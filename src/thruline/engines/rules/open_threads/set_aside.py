"""Work that lies elsewhere: in a stash that was not taken out again, or on a remote that has what the branch lost."""

from collections.abc import Iterator

from thruline.brief.attempts.inert import render_span
from thruline.brief.claims.names import render_path
from thruline.brief.pointer import place
from thruline.brief.section import Claim
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.files import shorten_path
from thruline.session.pushes import find_pushed_away
from thruline.session.stashed import find_lay, find_stashed

# The newest so many are told, each with so many of its files.
_MOST, _MOST_NAMED = 3, 5


def build_set_aside(facts: Facts) -> Iterator[Claim]:
    """The claims, the newest first: something to look at, since others push and stash as well."""
    away, line = find_pushed_away(facts.ledger, facts.aside.ledger, facts.summary.cwd, facts.material.branches)
    if away:
        shown = ", ".join(render_span(made.digest) for made in away[::-1][:_MOST_NAMED])
        more = f" and {len(away) - _MOST_NAMED} more" if len(away) > _MOST_NAMED else ""
        where = tuple(dict.fromkeys((place(away[-1].line), place(line), place(away[-1].left_at))))
        yield Claim(f"pushed, and gone from the branch since: {shown}{more}.", pointers=where, weight=0.9, flag=True)
    for stash, lies in find_stashed(facts.ledger)[::-1][:_MOST]:
        newest = sorted(lies, key=lambda fact: -fact.last)
        names = [render_path(shorten_path(find_lay(fact), facts.summary.cwd), 80) for fact in newest[:_MOST_NAMED]]
        more = f" and {len(newest) - _MOST_NAMED} more" if len(newest) > _MOST_NAMED else ""
        words = f"stashed, not taken out again: {', '.join(names)}{more}."
        yield Claim(words, pointers=(place(stash.line),), weight=0.9, flag=True)
