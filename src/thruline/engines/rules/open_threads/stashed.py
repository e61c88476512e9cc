"""Work that lies in a stash: laid aside by the session, and not taken out again as far as it shows."""

from collections.abc import Iterator

from thruline.brief.names import render_path
from thruline.brief.pointer import place
from thruline.brief.section import Claim
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.files import shorten_path
from thruline.session.stashed import find_lay, find_stashed

# The newest so many are told, each with so many of its files.
_MOST, _MOST_NAMED = 3, 5


def build_stashed(facts: Facts) -> Iterator[Claim]:
    """A claim for each stash, the newest first."""
    for stash, lies in find_stashed(facts.ledger)[::-1][:_MOST]:
        newest = sorted(lies, key=lambda fact: -fact.last)
        names = [render_path(shorten_path(find_lay(fact), facts.summary.cwd), 80) for fact in newest[:_MOST_NAMED]]
        more = f" and {len(newest) - _MOST_NAMED} more" if len(newest) > _MOST_NAMED else ""
        words = f"stashed, not taken out again: {', '.join(names)}{more}."
        yield Claim(words, pointers=(place(stash.line),), weight=0.9, flag=True)
