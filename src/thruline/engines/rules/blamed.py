"""What a sentence clears of being the cause, and whether another one names it as the cause."""

from thruline.engines.rules.cues import find_cues
from thruline.engines.rules.terms import find_terms
from thruline.pattern import compile_later

_CLAUSE = compile_later(r"[,;:.!?()\n]+(?=\s|\Z)|\s*[—–]\s*|\s-\s")
_BLAMES = ("cause", "root", "blamed", "negated", "given_up")


def read_subject(denial: str) -> set[str]:
    """What a denial is about: the names of its first clause, else its words without those of any finding."""
    terms = find_terms(_CLAUSE.split(denial.strip(), maxsplit=1)[0])
    plain = {term: name for term, name in terms.items() if not find_cues(term, ("matter",))}
    return {term for term, name in plain.items() if name} or set(plain)


def blames(text: str, subject: set[str]) -> bool:
    """Whether a sentence calls this the cause."""
    if not subject or not subject <= find_terms(text).keys():
        return False
    cues = find_cues(text, _BLAMES)
    return bool(cues) and not cues & {"negated", "given_up"}
