"""What a session changed, asked for by the path that a plan gives a file.

A plan writes paths from the project's root, from a folder of it, or a name alone; whoever carries it out may make the
file in another folder or under a like name. In doubt it was changed, with two exceptions, since they are what is left
out most: a test is never done by changing what it tests, and a name that every folder has says nothing without its own.
"""

from collections.abc import Iterable

from thruline.engines.rules.facts import Facts
from thruline.pattern import compile_later
from thruline.value import dataclass

_WORDS = compile_later(r"[\W_]+")
# Texts are read, not run; any project has some.
_ANYWHERE = frozenset(("md", "rst", "txt"))
# Names that any folder may have: without it they name no file.
# fmt: off
_EVERYWHERE = frozenset((
    "__init__", "__main__", "index", "main", "mod", "lib", "types", "readme", "conftest", "doc", "package", "page",
    "layout", "route", "skill", "config", "utils", "models", "views",
))
# fmt: on
_TESTS = frozenset(("test", "tests", "spec", "specs", "__tests__", "testing", "e2e"))


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    # The line of its last change; a subagent's lines are no lines of the session's, so those count always.
    last: float
    created: bool
    words: frozenset[str]
    tests: bool


class Changed:
    """What a session and its subagents changed."""

    def __init__(self, facts: Facts) -> None:
        self._here = facts.summary.cwd.rstrip("/").lower() + "/"
        here = [(path, fact, float(fact.last)) for path, fact in facts.ledger.files.items()]
        aside = [(path, fact, float("inf")) for path, fact in facts.aside.ledger.files.items()]
        files = [
            _File(path.lower(), last, "created" in fact.how, split_name(find_name(path)), self._is_test(path.lower()))
            for path, fact, last in (*here, *aside)
            if fact.how != ["read"]
        ]
        self._last = max((one.last for one in files if one.last != float("inf")), default=0)
        self._by_name: dict[str, list[_File]] = {}
        self._by_ending: dict[str, list[_File]] = {}
        for one in files:
            self._by_name.setdefault(find_name(one.path), []).append(one)
            self._by_ending.setdefault(_find_ending(one.path), []).append(one)
        self.endings = {_find_ending(path.lower()) for path in facts.ledger.files} | _ANYWHERE

    def any_after(self, line: int) -> bool:
        """Whether the session itself changed a file after a line."""
        return self._last > line

    def find_left(self, paths: Iterable[str], line: int) -> list[str]:
        """Those of a plan's paths of which nothing shows that they were changed after a line."""
        listed = list(paths)
        ends = {find_name(path) for path in listed}
        # What was changed as the plan says is no other file of the plan under a like name.
        taken = {
            one.path
            for path in listed
            for one in self._by_name.get(find_name(path), ())
            if one.last > line and is_same(one.path, path)
        }
        return [path for path in listed if not self._has(path, line, taken, ends)]

    def _has(self, path: str, line: int, taken: set[str], ends: set[str]) -> bool:
        name = find_name(path)
        named = [one for one in self._by_name.get(name, ()) if one.last > line]
        if any(is_same(one.path, path) for one in named):
            return True
        tests, mine = self._is_test(path), split_name(name)
        if is_everywhere(name):
            return False
        if any(one.tests == tests and one.path not in taken for one in named):
            return True
        return any(
            one.last > line
            and one.tests == tests
            and (mine <= one.words or (one.created and one.words <= mine) or _is_plural(mine, one.words))
            and one.path not in taken
            and find_name(one.path) not in ends
            for one in self._by_ending.get(_find_ending(name), ())
        )

    def _is_test(self, path: str) -> bool:
        """Whether a path is a test's; of the folders outside the project nothing is known."""
        inner = path.removeprefix(self._here)
        folders = inner.split("/")[:-1] if not inner.startswith("/") else []
        stem = find_name(path).rpartition(".")[0]
        return not _TESTS.isdisjoint((*folders, *split_name(find_name(path)))) or stem.endswith(
            ("test", "tests", "spec")
        )


def find_name(path: str) -> str:
    """The last name of a path, in lower case."""
    return path.rsplit("/", 1)[-1].lower()


def split_name(name: str) -> frozenset[str]:
    """The words of a file's name, without its ending."""
    return frozenset(word for word in _WORDS.split(name.rpartition(".")[0]) if word)


def is_everywhere(name: str) -> bool:
    """Whether any folder may have a file of this name."""
    return name.partition(".")[0] in _EVERYWHERE


def _find_ending(path: str) -> str:
    return path.rpartition(".")[2]


def is_same(changed: str, planned: str) -> bool:
    """Whether two paths may be one: the shorter of them is the end of the other."""
    one, other = changed.lstrip("./~"), planned.lstrip("./~")
    return one == other or one.endswith("/" + other) or other.endswith("/" + one)


def _is_plural(mine: frozenset[str], other: frozenset[str]) -> bool:
    return {word.removesuffix("s") for word in mine} == {word.removesuffix("s") for word in other}
