"""Steps of a plan that nobody spoke of again, while most of the others were reported.

The fact this rests on: whoever carries out a plan of many named steps reports them by what they are called, and what
was left out is passed over in silence. Few silent steps among many that were told are worth a look; many are no sign.
"""

from thruline.engines.rules.facts import Facts
from thruline.engines.rules.open_threads.lists import find_lists
from thruline.engines.rules.terms import find_terms

# A plan has so many named steps, of which at most this part is silent; each has so many words of its own.
FEWEST_STEPS, MOST_SILENT, FEWEST_WORDS = 6, 0.2, 2
# So many steps are held against all that was said later.
MOST_STEPS = 60
# What a step is called stands in bold.
_MARKS = ("**", "__")


def find_unspoken(text: str, line: int, facts: Facts) -> list[tuple[int, int]]:
    """The named steps of a plan of which no word stands in anything that was said, made or run after a line."""
    items = [item for listed in find_lists(text) for item in listed.items if text.startswith(_MARKS, item.start)]
    titles = {
        (item.start, item.end): find_terms(text[item.start : item.title].strip("*_")) for item in items[:MOST_STEPS]
    }
    if len(titles) < FEWEST_STEPS:
        return []
    counts: dict[str, int] = {}
    for terms in titles.values():
        for term in terms:
            counts[term] = counts.get(term, 0) + 1
    own = {span: [term for term in terms if counts[term] == 1] for span, terms in titles.items()}
    silent = _find_silent({term for terms in own.values() for term in terms}, line, facts)
    found = [span for span, terms in own.items() if len(terms) >= FEWEST_WORDS and silent.issuperset(terms)]
    return found if len(found) <= MOST_SILENT * len(titles) else []


def _find_silent(wanted: set[str], line: int, facts: Facts) -> set[str]:
    """The words that stand in nothing later; part of another word is enough to be there."""
    material, ledger = facts.material, facts.ledger
    texts = [one.text for one in (*material.messages, *material.thoughts, *material.reports) if one.line > line]
    texts += [item for item, _ in material.tasks.items] if material.tasks is not None else []
    texts += [*ledger.files, *facts.aside.ledger.files, *ledger.commands]
    texts += [made.subject for made in ledger.commits]
    left = set(wanted)
    for text in texts:
        if not left:
            break
        lowered = text.lower()
        left = {term for term in left if term not in lowered}
    return left
