"""What the rules found in a session, for a model's sections to be merged on: every correction, whatever the budget."""

from thruline.brief.merge import add_corrections
from thruline.brief.section import Section
from thruline.engines.rules import Rules
from thruline.harnesses.transcripts import read_head
from thruline.operations.handoff.brief import read_facts, read_git
from thruline.operations.sessions.locate import Located
from thruline.spine.budget import BYTES_PER_TOKEN


def mine_sections(located: Located, budget: int, *, git_timeout: float | None = None) -> dict[str, Section]:
    """The rules' sections for about `budget` tokens, with the corrections that did not fit added to them."""
    git = read_git(read_head(located.harness, located.files[0]).get("cwd", ""), git_timeout)
    facts, _, _ = read_facts(located, git, timeout=git_timeout)
    sections = {section.name: section for section in Rules(facts).build(budget * BYTES_PER_TOKEN)}
    return add_corrections(sections, facts.signals)
