"""Whether a session knows the names in a model's own words (`mentioned.py`), and ran what is said to have run.

A claim may hold thousands of names and a session thousands of texts: each text is gone through once, and its words are
looked up.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from thruline.brief.claims.mentioned import (
    KINDS,
    NAMED_COMMIT,
    NAMED_DIGITS,
    NAMED_FILE,
    SAID_PUSHED,
    SAID_RUN,
    SAID_WORKED,
    is_command,
)
from thruline.brief.claims.stated import Fact
from thruline.brief.pointer import decode_path
from thruline.brief.quotation.match import read_texts
from thruline.brief.quotation.quote import CUT
from thruline.pattern import compile_later
from thruline.session import parts
from thruline.session.commits import is_same_commit

_PUSH = compile_later(r"\bpush\b")
_WORD = compile_later(r"[\w-]+")
_STEP = compile_later(r"&&|\|\||[;|\n]")
_VARIABLE = compile_later(r"\w+=\S*\Z")
_PYTHON = compile_later(r"python3(?:\.\d+)?\Z")
# Git shortens no name further.
_PREFIX = 4
# A command that more others resemble counts as run: a session does not tell its commands apart so finely.
_MOST_ALIKE = 200


class Mentioned:
    """Give it each part with `see`; `has` tells at the end whether the transcript knows a name, or a run of it."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._wanted = {fact for fact in facts if fact.kind in KINDS}
        self._names = _Names(fact.name for fact in self._wanted if fact.kind in (NAMED_FILE, NAMED_DIGITS))
        self._commands = _Commands(fact.name for fact in self._wanted if fact.kind in (SAID_RUN, SAID_WORKED))
        self._commits: defaultdict[str, set[str]] = defaultdict(set)
        self._pushed = False
        self._calls: dict[str, str] = {}

    def see(self, part: parts.Part) -> None:
        """Takes one part in."""
        if not self._wanted:
            return
        if isinstance(part, parts.Call):
            if part.action == "run":
                self._calls[part.call_id] = part.target
            self._names.look((part.target, *part.paths))
        elif isinstance(part, parts.Result):
            self._end(part)
        elif isinstance(part, parts.Delegated):
            self._names.look((part.task, part.outcome))
        elif isinstance(part, parts.Changed):
            self._names.look((part.value,))
        self._names.look(text for _, text in read_texts(part))

    def _end(self, result: parts.Result) -> None:
        self._names.look(path for path, _ in result.changes)
        for digest, _ in (*result.commits, *result.logged):
            self._commits[digest[:_PREFIX]].add(digest)
        command = self._calls.pop(result.call_id, "")
        if not command or result.outcome == parts.REFUSED:
            return
        self._commands.see(command, worked=result.outcome == parts.OK)
        self._pushed |= bool(result.pushed) or (result.outcome == parts.OK and _PUSH.search(command) is not None)

    def has(self, fact: Fact) -> bool:
        """Whether the session knows what a fact names, or did it; what is no command was not said to have run."""
        if fact.kind == SAID_PUSHED:
            return self._pushed
        if fact.kind in (SAID_RUN, SAID_WORKED):
            return self._commands.has(fact.name, worked=fact.kind == SAID_WORKED)
        if fact.kind == NAMED_COMMIT or fact.name not in self._names.said:
            return any(is_same_commit(digest, fact.name) for digest in self._commits.get(fact.name[:_PREFIX], ()))
        return True

    def find_missing(self) -> list[Fact]:
        """What the session's own transcript does not know."""
        return [fact for fact in self._wanted if not self.has(fact)]


class _Names:
    """Names that are looked for in texts; each is found by the one of its words that the fewest others have."""

    def __init__(self, names: Iterable[str]) -> None:
        self.said: set[str] = set()
        bare = {name: name.removeprefix("./").removeprefix("~/").rstrip("/") for name in names}
        words = {name: list(_WORD.finditer(text)) for name, text in bare.items()}
        often = Counter(word for found in words.values() for word in {match[0] for match in found})
        self._by_word: defaultdict[str, list[tuple[str, str, int]]] = defaultdict(list)
        self._by_end: defaultdict[str, list[str]] = defaultdict(list)
        for name, text in bare.items():
            if words[name]:
                rarest = min(words[name], key=lambda match: (often[match[0]], -len(match[0])))
                self._by_word[rarest[0]].append((name, text, rarest.start()))
            if name.startswith("/"):
                folders = name.split("/")
                for at in range(2, len(folders) - 1):
                    self._by_end["/".join(folders[at:])].append(name)

    def look(self, texts: Iterable[str]) -> None:
        """Notes the names that stand in a text as a whole, perhaps as the end of a longer path."""
        for text in texts:
            for match in _WORD.finditer(text) if self._by_word else ():
                for name, bare, at in self._by_word.get(match[0], ()):
                    if name not in self.said and _stands_at(bare, text, match.start() - at):
                        self.said.add(name)
            # Told as a whole, of what the session calls by the way from its folder on.
            if self._by_end and "/" in text and " " not in text:
                self.said.update(*(self._by_end.get(end.lstrip("/"), ()) for end in (text, decode_path(text))))


def _stands_at(bare: str, text: str, at: int) -> bool:
    if at < 0 or not text.startswith(bare, at):
        return False
    around = (text[max(0, at - 1) : at], text[at + len(bare) : at + len(bare) + 1])
    return not any(sign.isalnum() or sign in ("_", "-") for sign in around if sign)


class _Commands:
    """Commands that are said to have run; each is looked for among those that have the rarest of its words."""

    def __init__(self, names: Iterable[str]) -> None:
        self._words = {name: _split(name) for name in names}
        wanted = {_find_key(word) for words in self._words.values() for word in words}
        self._having: dict[str, list[int]] = {key: [] for key in wanted}
        self._ran: list[tuple[list[str], bool]] = []
        self._seen: set[tuple[str, bool]] = set()
        self._programs: set[str] = set()

    def see(self, command: str, *, worked: bool) -> None:
        """Takes in a command that ran."""
        if not self._words or (command, worked) in self._seen:
            return
        self._seen.add((command, worked))
        self._programs.update(_find_programs(command))
        words = _split(command)
        keys = {key for key in map(_find_key, words) if key in self._having}
        for key in keys:
            self._having[key].append(len(self._ran))
        if keys:
            self._ran.append((words, worked))

    def has(self, name: str, *, worked: bool) -> bool:
        """Whether it ran, and `worked` where that is said; a name that is no command is held against nothing."""
        wanted = [word for word in self._words[name] if word != CUT]
        if not wanted or not is_command(name, _find_key(wanted[0]) in self._programs):
            return True
        alike = min((self._having[_find_key(word)] for word in wanted), key=len)
        if len(alike) > _MOST_ALIKE:
            return True
        return any((ended or not worked) and _runs(wanted, words) for words, ended in (self._ran[at] for at in alike))


def _find_programs(command: str) -> Iterator[str]:
    for step in _STEP.split(command):
        yield from (_find_key(word) for word in [word for word in step.split() if not _VARIABLE.match(word)][:1])


def _split(command: str) -> list[str]:
    words = [word.strip("\"'`,;()") for word in command.split() if word.strip("\"'`,;()&|")]
    return [_PYTHON.sub("python", word) for word in words]


def _find_key(word: str) -> str:
    """What two words that name the same have in common: the last part of the path."""
    return _PYTHON.sub("python", word.rstrip("/").rpartition("/")[2] or word)


def _runs(wanted: list[str], words: list[str]) -> bool:
    """Whether a command says all of the wanted words in their order, options in any; paths in it may be longer."""
    left, options = iter(words), {word for word in words if word.startswith("-")}
    return all(
        want in options
        if want.startswith("-")
        else any(word == want or word.endswith("/" + want.removeprefix("./")) for word in left)
        for want in wanted
    )
