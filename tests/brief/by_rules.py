"""Briefs that the rules make of small sessions, as `verify` takes them, and what it says of them."""

from collections.abc import Iterable

from tests.brief.sessions import check_text
from tests.engines.rules.talk import build
from thruline.brief.render import render_brief
from thruline.brief.section import Brief
from thruline.engines.rules import GitState
from thruline.session.parts import Part


def render_rules(session: Iterable[Part], budget: int = 3_000) -> str:
    """The brief of a session in the folder `/home/dev/shop`, of which git was not asked."""
    sections = build(session, budget * 4 - 300, GitState("Git was not asked."))
    return render_brief(Brief(tuple(sections.values()), title="Brief: shop"), budget).text


def find_troubles(text: str, session: Iterable[Part]) -> list[str]:
    """What `verify` says of a brief: a kind for each trouble."""
    return [one.kind for one in check_text(text, [*session]).troubles]
