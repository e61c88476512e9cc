"""The commits of a session in its code-state: the newest with their subjects, the others by name."""

from collections.abc import Iterator

from thruline.brief.inert import render_span
from thruline.brief.pointer import place
from thruline.brief.quote import Quote
from thruline.brief.section import SESSION, Claim
from thruline.engines.rules.did import COMMITS_AT, point_at_delegations, point_at_each
from thruline.engines.rules.facts import Facts
from thruline.session.commits import CommitFact

# What a commit takes of the room: its line, the line of its subject, and the subject; and its name alone.
_COST, _NAME_COST = 110, 12
_FEWEST_NAMED = 6


def build_commits(facts: Facts, room: int) -> Iterator[Claim]:
    """The claims about commits that stand, in about `room` bytes: the session's, its subagents', others new in its log.

    A commit of a subagent is told at the place of its delegation: each of their files would need a line of the Sources.
    """
    standing = [made for made in facts.ledger.commits[::-1] if not made.gone]
    own = [made for made in standing if not made.logged and not made.rebased]
    yield from _tell(own, "committed", "", room, 0.75)
    yield from _tell([made for made in standing if made.rebased], "committed", " before a rebase", 0, 0.4)
    yield from _tell(facts.ledger.commits_elsewhere[::-1], "committed", " in another folder", room // 2, 0.6)
    known = {made.digest[:7] for made in facts.ledger.commits if not made.logged}
    # What a subagent only saw in a log is nobody's that it knows.
    others = [made for made in facts.aside.ledger.commits[::-1] if not made.logged and made.digest[:7] not in known]
    aside = [made for made in others if not made.gone]
    if aside:
        who = "a subagent" if len({made.source for made in aside}) == 1 else "subagents"
        names, more = _name(aside, max(_FEWEST_NAMED, room // 3 // _NAME_COST))
        where = point_at_delegations(facts, [made.source for made in aside]) or point_at_each(aside)
        yield Claim(f"{who} committed {names}{more}", pointers=where, topic=SESSION, shown=COMMITS_AT, weight=0.72)
    theirs = {made.digest[:7] for made in others}
    logged = [made for made in standing if made.logged and made.digest[:7] not in theirs]
    yield from _tell(logged, "new in the log:", "", room, 0.7)


def _tell(newest: list[CommitFact], words: str, behind: str, room: int, weight: float) -> Iterator[Claim]:
    shown = newest[: max(1, room // 2 // _COST)] if room else []
    for number, made in enumerate(shown):
        where = place(made.line, source=made.source, uuid=made.uuid)
        quotes = (Quote(made.subject, where, "git"),) if made.subject.strip() else ()
        name = f"{words} {render_span(made.digest)}{behind}"
        yield Claim(
            name,
            quotes,
            () if quotes else (where,),
            topic=SESSION,
            shown=COMMITS_AT,
            weight=weight - number / 100,
        )
    rest = newest[len(shown) :]
    if rest:
        names, more = _name(rest, max(_FEWEST_NAMED, room // 3 // _NAME_COST))
        yield Claim(
            f"{words} {names}{more}{behind}",
            pointers=point_at_each(rest),
            topic=SESSION,
            shown=COMMITS_AT,
            weight=weight - 0.15,
        )


def _name(made: list[CommitFact], most: int) -> tuple[str, str]:
    names = ", ".join(render_span(one.digest) for one in made[:most])
    return names, f" and {len(made) - most} more" if len(made) > most else ""
