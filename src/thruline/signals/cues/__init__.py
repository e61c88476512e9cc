"""Cues: phrases by class and language, as data. A phrase is looked up word by word, never searched for.

English is always there; another language joins when a text is written in it, told by script or by its commonest words.
"""

import os
from collections.abc import Iterable
from functools import cache

from thruline.datafile import read_data
from thruline.pattern import Signs, compile_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LANGUAGES = ("en", "de", "es", "fr", "ja", "pt", "ru", "zh")
TABLES = ("cues", "answer", "before", "agent", "withdraw", "standing")

# What ends a sentence, as words of their own.
ENDS = frozenset(".!?;:\n")

_WORD = compile_later(r"[^\W_]+(?:['-][^\W_]+)*|[🤔🤯😅😂😬🙈✅]|[.!?;:\n]")
# The same for lower-case text of ASCII alone, which is most of it, in half the time.
_PLAIN_WORD = compile_later(r"[a-z0-9]+(?:['-][a-z0-9]+)*|[.!?;:\n]")
_SCRIPTS = (
    ("ja", Signs("\u3040-\u30ff")),
    ("zh", Signs("\u4e00-\u9fff")),
    ("ru", Signs("\u0400-\u04ff")),
)
_NONE: frozenset[str] = frozenset()
# Of a text in bytes: letters in lower case, digits, and blanks for all else.
_LOWERING = bytes(ord(chr(code).lower()) if chr(code).isalnum() and code < 128 else 32 for code in range(256))
# Words that no other of our languages has; most texts have one of them.
_ENGLISH = (" the ", " to ", " and ", " it ", " is ", " you ", " we ", " that ", " this ")

# What has fewer words may leave out the small ones ("lint fails again"); of longer texts so much is looked at.
LEAST_LISTED, MOST_LISTED = 6, 4000

# A tree of words: the classes of the phrases that end with a word, and what may follow it.
Tree = dict[str, tuple[list[str], "Tree"]]


class Language:
    """The cues of one language: by table the phrases with their classes, as trees; and words by their work.

    `verbs` and `done` tell what a verb is for, `asks` what kind of question a word opens, `frames` how a sentence is
    put: by its first word, then by its second ("" where one word is enough).
    """

    __slots__ = (
        "_trees", "_words", "asks", "done", "frames", "measured", "name", "phrases", "spaced",
        "verbs",
    )  # fmt: skip

    def __init__(self, fields: "dict[str, Any]") -> None:
        self.name: str = fields["language"]
        self.measured: bool = fields["measured"]
        self.spaced: bool = fields.get("spaced", True)
        self.phrases: dict[str, dict[str, list[str]]] = {table: fields.get(table, {}) for table in TABLES}
        self._words = {name: frozenset(listed) for name, listed in fields.get("words", {}).items()}
        self.verbs = _turn(fields.get("verbs", {}))
        self.done = _turn(fields.get("done", {}))
        self.asks = _turn(fields.get("asks", {}))
        self.frames: dict[str, dict[str, str]] = {}
        for phrase, name in _turn(fields.get("frames", {})).items():
            first, _, second = phrase.partition(" ")
            self.frames.setdefault(first, {})[second] = name
        # By table: the phrases, those that open a sentence, and the first words of both; made when first asked for.
        self._trees: dict[str, tuple[Tree, Tree, frozenset[str]]] = {}

    def words(self, work: str) -> frozenset[str]:
        """The words that do this work in a sentence; none where the language's file does not tell."""
        return self._words.get(work, _NONE)

    def _plant(self, table: str) -> tuple[Tree, Tree, frozenset[str]]:
        tree, opening = _build_trees(self.phrases[table])
        self._trees[table] = planted = tree, opening, frozenset((*tree, *opening))
        return planted

    def find(self, table: str, words: list[str], text: str) -> dict[str, int]:
        """Class -> where it is first told: the index of the word, or of the character where words are not spaced."""
        found: dict[str, int] = {}
        if not self.spaced:
            text = text.lower()
            for name, listed in self.phrases[table].items():
                places = [at for at in map(text.find, listed) if at >= 0]
                if places:
                    found[name] = min(places)
            return found
        tree, opening, firsts = self._trees.get(table) or self._plant(table)
        if firsts.isdisjoint(words):
            return found
        for at in [at for at, word in enumerate(words) if word in firsts]:
            if words[at] in opening and (at == 0 or words[at - 1] in ENDS):
                _walk(opening, words, at, found)
            if words[at] in tree:
                _walk(tree, words, at, found)
        return found


def _walk(tree: Tree, words: list[str], at: int, found: dict[str, int]) -> None:
    for word in words[at : at + 6]:
        if word not in tree:
            return
        names, tree = tree[word]
        for name in names:
            found.setdefault(name, at)
        if not tree:
            return


def _turn(classes: dict[str, list[str]]) -> dict[str, str]:
    return {word: name for name, listed in classes.items() for word in listed}


def _build_trees(classes: dict[str, list[str]]) -> tuple[Tree, Tree]:
    """The phrases that may stand anywhere, and those that open a sentence."""
    anywhere: Tree = {}
    opening: Tree = {}
    for name, listed in classes.items():
        for phrase in listed:
            names: list[str] = []
            after = opening if phrase[0] == "^" else anywhere
            for word in phrase.removeprefix("^").split():
                names, after = after.setdefault(word, ([], {}))
            names.append(name)
    return anywhere, opening


@cache
def load_language(name: str) -> Language:
    """The cues of one language from the package's data."""
    return Language(_load(name))


def load_agent(name: str) -> dict[str, list[str]]:
    """The phrases of an agent in one language, by class."""
    found: dict[str, list[str]] = _load(name).get("agent", {})
    return found


@cache
def _load(name: str) -> "dict[str, Any]":
    return read_data(os.path.join(os.path.dirname(__file__), f"{name}.toml"))


@cache
def load_function_words() -> frozenset[str]:
    """The small words of every language, which say nothing alone."""
    return _join(_load("function").values())


@cache
def load_denials() -> frozenset[str]:
    """The words of every language by which somebody says that a thing is not so, or shall not be."""
    return _join([lines for lines in _load("against").values() if isinstance(lines, list)])


@cache
def load_conditions() -> frozenset[str]:
    """The words of every language that set a condition."""
    return _join(_load("against")["unless"].values())


@cache
def load_doubts() -> frozenset[str]:
    """The words of every language by which a thing is only thought of, offered, or to come."""
    return _join(_load("against")["maybe"].values())


def _join(lists: "Iterable[list[str]]") -> frozenset[str]:
    return frozenset(" ".join([line for lines in lists for line in lines]).split())


@cache
def load_partings() -> frozenset[str]:
    """What parts, in every language, what is wanted from what is refused."""
    return frozenset([phrase for phrases in _load("against")["but"].values() for phrase in phrases])


def load_refusing(name: str) -> dict[str, list[str]]:
    """The phrases of one language by which somebody refuses what was just done or said, by their work."""
    found: dict[str, list[str]] = _load("refusing")[name]
    return found


def load_quoting(name: str) -> dict[str, list[str]]:
    """The phrases of one language that tell whose the words between quotation marks are, by their work."""
    found: dict[str, list[str]] = _load("quoting")[name]
    return found


def load_confirming() -> dict[str, list[str]]:
    """What says that something works (`works`, and `running` in scripts without blanks), `unless` these stand there."""
    found: dict[str, list[str]] = _load("confirming")
    return found


def load_denied() -> dict[str, dict[str, list[str]]]:
    """By language the phrases by which somebody denies a fault or a hurry, by their work."""
    found: dict[str, dict[str, list[str]]] = _load("denied")
    return found


@cache
def _function_bytes() -> frozenset[bytes]:
    return frozenset([word.encode() for word in load_function_words() if word.isascii()])


def is_listing(text: str) -> bool:
    """Whether a text of several words has none of the small words of a sentence: names, a command, output.

    The fact it rests on: of 2,529 labelled and made-up messages three are so, and none of them corrects anything. It
    errs on the side of prose: a text with a letter beyond ASCII may be in a language whose small words we do not know.
    """
    read = text if len(text) <= MOST_LISTED else f"{text[:MOST_LISTED]}\n{text[-MOST_LISTED:]}"
    if not read.isascii():
        return False
    words = split_ascii(read)
    return len(words) >= LEAST_LISTED and _function_bytes().isdisjoint(words)


def has_function_word(text: str) -> bool:
    """Whether a text has one of the small words of some language."""
    if is_english(text):
        return True
    # Most texts without one need no closer look: a word that is there has its letters there.
    if text.isascii() and _function_runs().isdisjoint(split_ascii(text)):
        return False
    return not load_function_words().isdisjoint(split_words(text))


@cache
def _function_runs() -> frozenset[bytes]:
    return frozenset([run for word in load_function_words() for run in split_ascii(word)])


@cache
def _common() -> dict[str, frozenset[str]]:
    return {name: frozenset(words) for name, words in _load("common").items()}


@cache
def _foreign() -> frozenset[str]:
    return frozenset().union(*[words for name, words in _common().items() if name != "en"])


def split_words(text: str) -> list[str]:
    """The words of a text, lower case, and the marks that end its sentences (see ENDS)."""
    text = text.lower()
    return _PLAIN_WORD.findall(text) if text.isascii() else _WORD.findall(text.replace("\u2019", "'"))


def split_ascii(text: str) -> list[bytes]:
    """The words of a text as far as they are ASCII, lower case: a tenth of what `split_words` costs."""
    return text.encode("ascii", "replace").translate(_LOWERING).split()


def is_english(text: str) -> bool:
    """Whether a word tells at once that a text is English; most English texts have one."""
    for word in _ENGLISH:  # noqa: SIM110 - any() would make a generator for each of thousands of texts
        if word in text:
            return True
    return False


def guess_language(text: str, words: Iterable[str]) -> Language:
    """Which of our languages a text is written in; English where nothing tells."""
    if is_english(text):
        return load_language("en")
    known = set(words)
    known -= ENDS
    if not text.isascii():
        for name, script in _SCRIPTS:
            if len(script.findall(text)) * 3 > len(known):
                return load_language(name)
    common = _common()
    if text.isascii() and known.isdisjoint(_foreign()):
        return load_language("en")
    english = len(known & common["en"])
    if english * 6 >= len(known) or len(known) < 2:
        return load_language("en")
    best, most = "en", english
    for name, expected in common.items():
        count = len(known & expected)
        if count > most:
            best, most = name, count
    return load_language(best)
