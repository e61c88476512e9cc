"""What the agent gave up where nobody was told: in thoughts that have text, and in what subagents came back with."""

from thruline.engines.rules.candidates.candidate import DISPROVED, FADE, LONGEST_UNIT, Candidate
from thruline.engines.rules.cues import GIVEN_UP, find_cues
from thruline.engines.rules.material import REPORT, THOUGHT, Material
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.units import split_units

# Beside what the agent said (0.75 on the way, 1.35 where a turn ends): what it only thought, what a subagent told it.
HIDDEN = {THOUGHT: 0.5, REPORT: 0.35}
# They are few and plain, so each is worth its line.
HIDDEN_WORTH = 0.004
SHORTEST_HIDDEN = 40


def find_hidden(material: Material) -> list[Candidate]:
    """What was given up where nobody was told: in thoughts that have text, then in what subagents came back with."""
    found: list[Candidate] = []
    for message in (*material.thoughts, *material.reports):
        age = 1 - message.line / max(1, material.last_line)
        for number, span in enumerate(split_units(message.text)):
            text = message.text[span.start : span.end]
            if not (SHORTEST_HIDDEN <= len(text) <= LONGEST_UNIT) or text.endswith(("?", "？", ":", "：")):
                continue
            if find_cues(text, GIVEN_UP) == {"given_up"}:
                quality = HIDDEN[message.kind] * (1 - FADE * age)
                where, terms = (message, span.start, span.end), find_terms(text)
                found.append(Candidate(*where, "dead_ends", DISPROVED, HIDDEN_WORTH, quality, terms, order=number))
    return found
