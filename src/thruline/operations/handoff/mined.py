"""What the rules found in a session, for a model's sections to be merged on: every correction, whatever the budget."""

from thruline.brief.corrections import add_corrections
from thruline.brief.pointer import Pointer
from thruline.brief.section import Section
from thruline.engines.rules import Rules
from thruline.engines.rules.candidates.candidate import PERHAPS
from thruline.harnesses.transcripts import read_folder
from thruline.operations.handoff.brief import find_corrections, read_facts, read_git
from thruline.operations.sessions.locate import Located
from thruline.spine.budget import BYTES_PER_TOKEN
from thruline.value import dataclass


@dataclass(frozen=True, slots=True)
class Mined:
    """The rules' sections, and where every correction stands: one that is not quoted in the end is announced."""

    sections: dict[str, Section]
    corrections: tuple[Pointer, ...]


def mine_sections(located: Located, budget: int, *, git_timeout: float | None = None) -> Mined:
    """The rules' sections for about `budget` tokens, with the corrections that did not fit added to them."""
    git = read_git(read_folder(located.harness, located.files[0]), git_timeout)
    facts, _, _ = read_facts(located, git, timeout=git_timeout)
    sections = {section.name: section for section in Rules(facts).build(budget * BYTES_PER_TOKEN)}
    # What the rules' own brief would not show as a correction is none here either, and is not counted.
    said = [one for one in facts.signals if one.kind == "correction" and one.strength >= PERHAPS]
    return Mined(add_corrections(sections, said), find_corrections(facts.signals))
