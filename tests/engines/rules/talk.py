"""Small sessions for the tests of the rules: parts in, sections or a brief out."""

from collections.abc import Iterable

from tests.brief.sessions import NoFacts
from thruline.brief.check import Report, check_document, find_wanted
from thruline.brief.document import parse_document
from thruline.brief.evidence import Evidence
from thruline.brief.render import render_brief
from thruline.brief.section import Brief, Claim, Section
from thruline.engines.rules import Facts, GitState, Material, Rules
from thruline.session.ledger import Ledger
from thruline.session.parts import Call, Changed, Part, Result, Said
from thruline.session.summary import Summary
from thruline.signals.miner import SignalMiner

ABSENT = GitState("Not asked: there is none in this test.")


def human(line: int, text: str, kind: str = "turn", **fields: str) -> Said:
    return Said(line, "human", kind, text, uuid=f"u{line}", **fields)


def agent(line: int, text: str) -> Said:
    return Said(line, "agent", "text", text, uuid=f"a{line}")


def run(line: int, command: str, outcome: str = "ok", **fields: object) -> list[Part]:
    return [
        Call(line, f"c{line}", "Bash", "run", command),
        Result(line + 1, f"c{line}", outcome, 10, **fields),  # type: ignore[arg-type]
    ]


def edit(line: int, path: str, how: str = "edited") -> list[Part]:
    return [
        Call(line, f"c{line}", "Edit", "edit", path, paths=(path,)),
        Result(line + 1, f"c{line}", "ok", 10, changes=((path, how),)),
    ]


def refuse(line: int, path: str) -> list[Part]:
    return [
        Call(line, f"c{line}", "Edit", "edit", path, paths=(path,)),
        Result(line + 1, f"c{line}", "refused", 10, text="The user doesn't want this."),
    ]


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


def check(text: str, session: Iterable[Part]) -> Report:
    """The brief's text against the session it was made from."""
    document = parse_document(text)
    evidence = Evidence(*find_wanted(document))
    for part in session:
        evidence.see(part)
    return check_document(document, evidence, NoFacts())


def words(section: Section) -> str:
    """Everything a section says, quotations included."""
    return "\n".join(_words(claim) for claim in section.claims)


def _words(claim: Claim) -> str:
    return "\n".join([claim.topic, claim.text, *(quote.text for quote in claim.quotes)])
