"""The definitions that a session worked on, by file: those that edits touched most and that were talked of."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from thruline.brief.attempts.inert import render_span
from thruline.brief.claims.names import render_path
from thruline.brief.claims.symbols import choose_symbols, is_symbol
from thruline.brief.pointer import place
from thruline.brief.section import SESSION, Claim
from thruline.engines.rules.did import TOUCHED_AT
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.files import CREATED, DELETED, EDITED, GONE, Touched
from thruline.pattern import compile_later
from thruline.redact import redact
from thruline.value import dataclass, replace

_MOST, _MOST_TESTS, _WEIGHED = 12, 3, 24
# What a mention is worth beside the edits: by people, and by the agent at the end of a turn.
_BY_PERSON, _BY_AGENT = 3, 2
# Of the agent's last words so many messages are looked at.
_LAST = 6
# Of a person's message so much is looked at: a long one is a page or a log.
_READ = 2_000
_TEST = frozenset(("test", "tests", "spec", "specs", "conftest"))
_WORD = compile_later(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# What a claim takes beside the names.
_FRAME = 34


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition, the file it stands in and the line of that file's last change; `worth` ranks it."""

    name: str
    path: str
    line: int
    worth: int
    test: bool


def find_worked_on(facts: Facts, touched: Iterable[Touched]) -> list[Symbol]:
    """The definitions that the session's own edits touched, the weightiest first; a few of tests come last.

    Of a file that is gone, or again as it was, nothing is told: `touched` tells what became of each.
    """
    there = _find_there(touched)
    found = [
        Symbol(name, fact.path, fact.last, worth, _is_test(name, fact.path))
        for fact in facts.ledger.files.values()
        if fact.symbols and not fact.source and fact.path in there
        for name, worth in fact.symbols.items()
    ]
    if not found:
        return []
    found.sort(key=_rank)
    agents = facts.material.agents()
    final = "\n".join(each.text for each in [*[one for one in agents if one.final][-_LAST:], *agents[-1:]])
    told = "\n".join(each.text[:_READ] for each in facts.material.humans())
    best: dict[str, Symbol] = {}
    for one in found[:_WEIGHED]:
        talked = _BY_PERSON * (one.name in told) + _BY_AGENT * (one.name in final)
        best.setdefault(one.name, replace(one, worth=one.worth + talked))
    ranked = sorted(best.values(), key=_rank)
    tests = [one for one in ranked if one.test]
    return [*[one for one in ranked if not one.test], *tests[:_MOST_TESTS]][:_MOST]


def _find_there(touched: Iterable[Touched]) -> set[str]:
    """The paths of the changed files that nothing removed afterwards."""
    told = list(touched)
    # A command names a file as its shell does, so by its name in the project; a folder goes with what is in it.
    gone: dict[str, int] = {}
    for one in told:
        if one.how in (DELETED, GONE):
            gone[one.name.rstrip("/")] = max(one.line, gone.get(one.name.rstrip("/"), 0))
    return {one.path for one in told if one.how in (CREATED, EDITED) and not _is_gone(one, gone)}


def _is_gone(touched: Touched, gone: Mapping[str, int]) -> bool:
    name = touched.name
    while gone and name:
        if gone.get(name, 0) > touched.line:
            return True
        name = name.rpartition("/")[0]
    return False


def _rank(symbol: Symbol) -> tuple[bool, int, int]:
    return symbol.test, -symbol.worth, -symbol.line


def _is_test(name: str, path: str) -> bool:
    file = _WORD.findall(path.replace("\\", "/").rpartition("/")[2])
    return not _TEST.isdisjoint(word.lower() for word in [*file, *_WORD.findall(name)[:1]])


def build_worked_on(found: list[Symbol], room: int) -> list[Claim]:
    """A claim for each file, in about `room` bytes in all."""
    files: dict[str, list[Symbol]] = {}
    named = {path: _name_file(path, found) for path in dict.fromkeys(one.path for one in found)}
    for one in found:
        cost = len(one.name) + 4 + (0 if one.path in files else len(named[one.path]) + _FRAME)
        if cost <= room and is_symbol(one.name):
            files.setdefault(one.path, []).append(one)
            room -= cost
    return [
        Claim(words, pointers=(place(group[0].line),), topic=SESSION, shown=TOUCHED_AT, weight=0.58)
        for path, group in files.items()
        for words in [_tell(tuple(choose_symbols(one.name for one in group)), named[path])]
        if words
    ]


# The same names are told in several sizes of a brief.
@lru_cache(maxsize=64)
def _tell(names: tuple[str, ...], file: str) -> str:
    """The words of a claim, without a name that would be redacted beside another (`ReadToken`, `SomeValue`)."""
    words = _join(names, file) if names else ""
    if redact(words).text == words:
        return words
    kept: list[str] = []
    for name in names:
        words = _join([*kept, name], file)
        kept += [name] if redact(words).text == words else []
    return _join(kept, file) if kept else ""


def _join(names: Iterable[str], file: str) -> str:
    return f"touched {', '.join(map(render_span, names))} in {render_path(file, 80)}"


def _name_file(path: str, found: list[Symbol]) -> str:
    """The last part of a path, or two where another file ends in the same."""
    *_, folder, file = ["", *path.split("/")]
    twice = any(one.path != path and one.path.endswith(f"/{file}") for one in found)
    return f"{folder}/{file}" if twice and folder else file
