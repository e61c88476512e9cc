"""Small sessions for the tests of the rules: parts in, sections or a brief out."""

from collections.abc import Iterable

from tests.session.talk import agent, edit, human, run
from thruline.brief.render import render_brief
from thruline.brief.section import Brief, Claim, Section
from thruline.engines.rules import Facts, GitState, Material, Rules
from thruline.engines.rules.candidates import find_candidates
from thruline.engines.rules.reverted import find_undoings
from thruline.engines.rules.settled import Since
from thruline.session.ledger import Ledger
from thruline.session.parts import Changed, Part
from thruline.session.summary import Summary
from thruline.signals.miner import SignalMiner

ABSENT = GitState("Not asked: there is none in this test.")

ORDERS: list[Part] = [
    human(2, "The nightly export writes some orders twice. Find out why and fix it."),
    agent(3, "My guess is that the source moves while it is read. Let me wait between pages."),
    *edit(4, "/home/dev/shop/exporter.py"),
    *run(6, "python3 -m unittest -q", "error", exit_status=1),
    agent(
        8, "The pause did not help, so a moving source is not the cause. I could retry each page with a longer pause."
    ),
    human(9, "No, don't add a pause. We tried that in spring and it only hid the problem."),
    agent(
        10,
        "You are right. Root cause: the cursor was inclusive, so every page began with the last row of the one before.",
    ),
    *edit(11, "/home/dev/shop/exporter.py"),
    *run(13, "python3 -m unittest -q"),
    *run(15, "git commit -am x", commits=(("bc4d18f", "Ask for rows after the last key"),)),
    agent(17, "`fetch_page` now asks for rows with a key greater than the cursor, and the test passes."),
    human(18, "Good. Never change the column order, old consumers read by position."),
    agent(19, "Understood, the column order stays. Still open: nothing was run against staging."),
]

# Something else that a session goes on with.
LAST = [human(30, "Now add the shop's name to the footer."), agent(31, "The footer shows the name of the shop now.")]


def fold(session: Iterable[Part], git: GitState = ABSENT) -> Facts:
    """What the operation folds, without a file."""
    summary, ledger, material, miner = Summary(), Ledger(), Material(), SignalMiner()
    for part in [Changed(1, "cwd", "/home/dev/shop"), *session]:
        for see in (summary.see, ledger.see, material.see, miner.see):
            see(part)
    material.finish()
    return Facts(summary, ledger, material, tuple(miner.finish()), git)


def build(session: Iterable[Part], room: int = 11_000, git: GitState = ABSENT) -> dict[str, Section]:
    """The sections by name."""
    return {section.name: section for section in Rules(fold(session, git)).build(room)}


def render(session: Iterable[Part], budget: int = 3_000) -> str:
    """The brief's text."""
    return render_brief(Brief(tuple(build(session, budget * 4 - 300).values()), title="Brief"), budget).text


def words(section: Section) -> str:
    """Everything a section says, quotations included."""
    return "\n".join(_words(claim) for claim in section.claims)


def _words(claim: Claim) -> str:
    return "\n".join([claim.topic, claim.text, *(quote.text for quote in claim.quotes)])


def told(*session: Part, landed: bool = False) -> str:
    """What the agent said that may be told as where the session landed, or as noted on the way unless `landed`."""
    facts = fold(session)
    undoings = find_undoings(facts.ledger, facts.material, facts.summary.cwd, facts.signals)
    found = find_candidates(facts.material, facts.signals, Since(facts.material, facts.ledger), undoings)
    found = [each for each in found if not each.gone]
    said = [each for each in found if each.message.by == "agent" and each.section in ("convergence", "basics")]
    return "\n".join(each.text for each in said if not (landed and each.superseded))
