"""Which of the agent's words later words say otherwise: of what was said of one thing, only the last stands.

Shallow on purpose. Two sentences speak of one thing where they share most of their words; they say otherwise where one
denies and the other does not, or where both count and count differently. What was removed, pushed, committed or fixed
since is not as it was said to be. Errs on the side of leaving out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from thruline.engines.rules.blamed import blames, read_subject
from thruline.engines.rules.candidates.candidate import Candidate
from thruline.engines.rules.cues import find_cues, may_tell
from thruline.engines.rules.material import Material
from thruline.engines.rules.settled import Since
from thruline.engines.rules.terms import find_terms, is_function
from thruline.engines.rules.units import split_units
from thruline.pattern import compile_later
from thruline.signals.signal import Signal

# Sentences speak of one thing that share so much of the shorter one, and two terms that are not in everybody's mouth:
# so many sentences at most have them, or such a part of all.
SHARE, LEAST = 0.6, 3
FEW_HOLDERS, PART, TELLING = 6, 0.04, 2
# Of what was removed so much must be named.
REMOVED_SHARE = 0.6
# What the user removed is looked for in so many of the newest messages, and in so much of each.
MOST_TOLD, MOST_READ = 200, 400
_CLAUSE = compile_later(r"[,;:.!?()\n—–]+(?=\s|\Z)|\s-\s")
# A version, or how many there are of something, with the word before it: "phase 2" is a name.
_COUNT = compile_later(r"(?:\b(\w+)[ `*(]+)?(?<![\w.#/-])(\d+(?:[./]\d+)*)\b(?![-\w:])")
# What a denial reaches.
_PART = compile_later(r"[,;:.!?()\n—–]+(?=\s|\Z)|\s-\s|\s(?:so|but|because|and|while|since|which|that)\s")
_VERSION = compile_later(r"(?<![\w.])v?(\d+\.\d+\.\d+)(?![\w.]*\d)")
_NEGATED, _REMOVAL = ("negated",), ("removal",)
_NO_TERMS: frozenset[str] = frozenset()


# What was removed or is not wanted: the line, its terms and the names among them.
Gone = tuple[int, frozenset[str], frozenset[str]]


class Stated:
    """A sentence of the agent, by what it is compared; what few comparisons ask for is read when the first does.

    `terms` are without numbers: what is counted is compared apart, by `counts`.
    """

    __slots__ = ("_denied", "_names", "_read", "counts", "denies", "line", "terms")

    def __init__(self, line: int, text: str, terms: dict[str, bool], denies: bool) -> None:
        self.line, self.denies = line, denies
        self._read = text, terms
        self._names: frozenset[str] | None = None
        self._denied: frozenset[str] | None = None if denies else _NO_TERMS
        self.counts, self.terms = _NO_TERMS, frozenset(terms)
        if any(term[0].isdigit() for term in terms):
            found = [match.groups() for match in _COUNT.finditer(text)]
            self.counts = frozenset([count for word, count in found if "." in count or not word or is_function(word)])
            self.terms = frozenset([term for term in terms if term not in self.counts and not term.isdigit()])

    @property
    def names(self) -> frozenset[str]:
        """Those of its terms that are names."""
        if self._names is None:
            self._names = frozenset([term for term in self.terms if self._read[1][term]])
        return self._names

    @property
    def denied(self) -> frozenset[str]:
        """The terms of its clauses that deny something."""
        if self._denied is None:
            clauses = [clause for clause in _PART.split(self._read[0]) if find_cues(clause, _NEGATED)]
            self._denied = frozenset([term for clause in clauses for term in find_terms(clause)])
        return self._denied


def find_contradicted(
    candidates: Sequence[Candidate],
    said: Sequence[Candidate],
    material: Material,
    signals: Sequence[Signal],
    since: Since,
) -> Iterator[Candidate]:
    """Those of the candidates that do not stand; `said` is all that the agent said."""
    known = {id(each): Stated(each.message.line, each.text, each.terms, "negated" in each.cues) for each in said}
    others = _Others([*known.values(), *_read_leads(said)])
    newest = next((one for one in reversed(said) if len(_read_versions(one)) == 1), None)
    removed = _index(_find_removed(said, material, since))
    denied = _index(_find_denied(signals))
    for each in candidates:
        one = known[id(each)]
        gone = "removal" not in each.cues and _is_gone(one, removed)
        gone = gone or ("settled" in each.cues and _is_gone(one, denied))
        if gone or others.deny(one) or _is_past(each, since) or _is_old(each, newest):
            yield each


class _Others:
    """All sentences, by the terms that tell things apart."""

    __slots__ = ("_all", "_telling")

    def __init__(self, stated: Sequence[Stated]) -> None:
        spread = Counter([term for one in stated for term in one.terms])
        most = max(FEW_HOLDERS, PART * len(stated))
        self._all: dict[str, list[Stated]] = {term: [] for term, count in spread.items() if 1 < count <= most}
        # Those that deny or count something: no other can say otherwise than a sentence that denies nothing.
        self._telling: dict[str, list[Stated]] = {}
        for one in stated:
            for term in one.terms & self._all.keys():
                self._all[term].append(one)
                if one.denies or one.counts:
                    self._telling.setdefault(term, []).append(one)

    def deny(self, one: Stated) -> bool:
        """Whether a later sentence about the same thing says otherwise."""
        holders = self._all if one.denies else self._telling
        shared: dict[int, int] = {}
        for term in holders.keys() & one.terms:
            for other in holders[term]:
                if other.line > one.line:
                    shared[id(other)] = known = shared.get(id(other), 0) + 1
                    if known == TELLING and _is_otherwise(one, other):
                        return True
        return False


def _read_leads(said: Sequence[Candidate]) -> Iterator[Stated]:
    """The lines above lists, which are quoted with an item only."""
    for message in {id(each.message): each.message for each in said}.values():
        for span in split_units(message.text):
            text = message.text[span.start : span.end]
            if text.rstrip("*_` ").endswith((":", "：")):
                yield Stated(message.line, text, find_terms(text), bool(find_cues(text, _NEGATED)))


def _is_otherwise(one: Stated, other: Stated) -> bool:
    """Whether two sentences speak of one thing, and one denies what the other says or they count differently."""
    shared = one.terms & other.terms
    shorter = min(len(one.terms), len(other.terms))
    if len(shared) < SHARE * shorter or (len(shared) < LEAST and len(shared) < shorter and not shared & one.names):
        return False
    denies, answers = (len(shared & each.denied) >= SHARE * len(shared) for each in (one, other))
    return denies != answers or bool(one.counts and other.counts and not one.counts <= other.counts)


def _read_versions(candidate: Candidate) -> set[str]:
    """The versions that a sentence says something was brought to."""
    if "versioned" not in candidate.cues and candidate.lead is None and candidate.stated is None:
        return set()
    text = candidate.text
    for lead in (candidate.lead, candidate.stated):
        text += f"\n{candidate.message.text[slice(*lead)]}" if lead is not None else ""
    return set(_VERSION.findall(text)) if find_cues(text, ("versioned",)) else set()


def _is_old(candidate: Candidate, newest: Candidate | None) -> bool:
    """Whether it tells of a version, and the newest sentence that does tells of another."""
    if newest is None or newest.message.line <= candidate.message.line:
        return False
    versions = _read_versions(candidate)
    return bool(versions) and versions.isdisjoint(_read_versions(newest))


def _find_removed(said: Sequence[Candidate], material: Material, since: Since) -> Iterator[Gone]:
    """What commits, the user and the agent say was removed."""
    told = [(line, subject) for line, subject in since.subjects]
    told += [(message.line, message.text[:MOST_READ]) for message in material.humans()[-MOST_TOLD:]]
    told = [(line, text) for line, text in told if may_tell(text, "removal") and find_cues(text, _REMOVAL)]
    told += [(each.message.line, each.text) for each in said if "removal" in each.cues]
    for line, text in told:
        yield from _read_after(line, text, _REMOVAL)


def _find_denied(signals: Sequence[Signal]) -> Iterator[Gone]:
    """What the user does not want, by their corrections and rules."""
    for one in signals:
        if one.by == "human" and one.kind in ("correction", "constraint") and not one.withdrawn:
            yield from _read_after(one.line, one.quote[:MOST_READ], _NEGATED)


def _read_after(line: int, text: str, cue: tuple[str, ...]) -> Iterator[Gone]:
    """What stands behind such a word in its clause."""
    for clause in _CLAUSE.split(text) if find_cues(text, cue) else ():
        words = clause.split()
        at = next((at for at, word in enumerate(words) if find_cues(word, cue)), len(words))
        found = find_terms(" ".join(words[at + 1 :]))
        terms = {term: name for term, name in found.items() if not find_cues(term, ("any_rule",))}
        names = frozenset(term for term, name in terms.items() if name)
        if names or len(terms) > 1:
            yield line, frozenset(terms), names


def _index(found: Iterable[Gone]) -> dict[str, list[Gone]]:
    by_term: dict[str, list[Gone]] = {}
    for what in found:
        for term in what[1]:
            by_term.setdefault(term, []).append(what)
    return by_term


def _is_gone(one: Stated, gone: dict[str, list[Gone]]) -> bool:
    """Whether a sentence speaks of something that went after it was said."""
    for term in gone.keys() & one.terms:
        for line, terms, names in gone[term]:
            if line > one.line:
                shared = one.terms & terms
                if len(shared) >= REMOVED_SHARE * len(terms) and (len(shared) > 1 or not shared.isdisjoint(names)):
                    return True
    return False


def _is_past(candidate: Candidate, since: Since) -> bool:
    """Whether it tells of a state that a commit, a push, a change or a later report ended."""
    line, cues = candidate.message.line, candidate.cues
    if ("unpushed" in cues and since.pushed > line) or ("uncommitted" in cues and since.committed > line):
        return True
    if "lasting" not in cues:
        return False
    return since.is_changed(candidate.terms, line) or since.is_reported(candidate.text, line)


def find_taken_back(denials: Sequence[Candidate], said: Sequence[Candidate]) -> Iterator[Candidate]:
    """The denials of a cause that the agent itself named as the cause later."""
    for each in denials:
        subject = read_subject(each.text)
        if any(one.message.line > each.message.line and blames(one.text, subject) for one in said):
            yield each
