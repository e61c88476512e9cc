"""Whatever a test of the rules builds is held against the closed list of what they may say."""

import pytest

from thruline.brief.claims.forms import is_known
from thruline.brief.document import parse_document
from thruline.brief.render.claim import render_claim
from thruline.brief.section import Section
from thruline.engines.rules import Rules


@pytest.fixture(autouse=True)
def known_words(monkeypatch: pytest.MonkeyPatch) -> None:
    build = Rules.build

    def build_known(self: Rules, room: int) -> tuple[Section, ...]:
        made = build(self, room)
        for claim in (claim for section in made for claim in section.claims if claim.text and not claim.statement):
            line = render_claim(claim)[0]
            pointers = [inline.start for inline in parse_document(line).pointers]
            assert is_known(line, pointers), f"not in brief/claims/forms.py: {line}"
        return made

    monkeypatch.setattr(Rules, "build", build_known)
