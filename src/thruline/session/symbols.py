"""The definitions in a piece of code: what an edit touched, as far as the edit itself shows it.

Pure, and no regular expressions: this is asked of every edit of a session. Only a line that begins with the word of a
definition counts, so a call of a function is none; of a language that has no such word nothing is told.
"""

# How a definition begins, by the ending of a file's name.
_SCRIPT = ("function ", "class ", "interface ")
_BY_ENDING = {
    "py": ("def ", "class "),
    "pyi": ("def ", "class "),
    "go": ("func ", "type "),
    "rs": ("fn ", "struct ", "enum ", "trait "),
    "rb": ("def ", "class ", "module "),
    "js": _SCRIPT,
    "jsx": _SCRIPT,
    "mjs": _SCRIPT,
    "ts": _SCRIPT,
    "tsx": _SCRIPT,
    "vue": _SCRIPT,
    "svelte": _SCRIPT,
    "php": _SCRIPT,
    "java": ("class ", "interface ", "record "),
    "cs": ("class ", "interface ", "record "),
    "kt": ("fun ", "class ", "interface ", "object "),
    "swift": ("func ", "class ", "struct ", "protocol "),
    "scala": ("def ", "class ", "object ", "trait "),
    "ex": ("def ", "defp ", "defmodule "),
    "exs": ("def ", "defp ", "defmodule "),
    "lua": ("function ",),
    "sh": ("function ",),
    "zig": ("fn ",),
}
# What may stand before that word.
_BEFORE = frozenset(("abstract", "async", "const", "data", "default", "export", "extern", "final", "inline"))
_BEFORE |= {"internal", "local", "open", "override", "private", "protected", "pub", "public", "sealed", "static"}
_BEFORE |= {"suspend", "unsafe"}
# Inside a function one is only the function's.
_TOP = frozenset(("type ", "struct "))
# What may stand behind a name; another sign makes it none.
_BEHIND = ("(", " ", ":", "{", "[", "<", "=", ";", ",", "?", "!", "\n", "\r", "\t")
_MOST, _LONGEST, _SHORTEST = 12, 80, 3
# Of a long text the beginning tells what it is.
_READ = 8_000


# How an edit touched a definition: it made it, it had it before and after, it took it away.
MADE, KEPT, TAKEN = 2, 1, 0


def compare_symbols(before: str, after: str, path: str) -> "tuple[tuple[str, int], ...]":
    """(name, MADE|KEPT|TAKEN) of the definitions in the two texts of an edit."""
    words = _BY_ENDING.get(path.rpartition(".")[2])
    if words is None:
        return ()
    old, new = _find_names(before, words), _find_names(after, words)
    if not old and not new:
        return ()
    # Behind the beginning that was read of one text there may be what the other has in its beginning.
    left = len(after) <= _READ
    known = old if len(before) <= _READ else {name: at for name, at in new.items() if name in before}
    found = [(name, KEPT if name in known else MADE) for name in new]
    if len(found) > _MOST:
        found = [*[one for one in found if one[1] == MADE], *[one for one in found if one[1] == KEPT]][:_MOST]
    return (*found, *[(name, TAKEN) for name in old if name not in new and (left or name not in after)])


def _find_names(text: str, words: "tuple[str, ...]") -> "dict[str, int]":
    """The names that the beginning of a text defines, each behind one of the words, in their order."""
    found: dict[str, int] = {}
    for word in words:
        at = text.find(word, 0, _READ)
        while at >= 0:
            lead = text[text.rfind("\n", 0, at) + 1 : at]
            if not lead or (_is_before(lead) and not (word in _TOP and lead.isspace())):
                name = _read_name(text, at + len(word))
                if name:
                    found.setdefault(name, at)
            at = text.find(word, at + len(word), _READ)
    return dict(sorted(found.items(), key=_get_place)) if len(found) > 1 else found


def _is_before(lead: str) -> bool:
    if "pub(" in lead:  # Rust tells in brackets who may see it: `pub(crate) fn`
        first, _, rest = lead.partition("(")
        lead = f"{first} {rest.partition(')')[2]}"
    return _BEFORE.issuperset(lead.split())


def _get_place(found: "tuple[str, int]") -> int:
    return found[1]


def _read_name(text: str, at: int) -> str:
    if text.startswith("(", at):  # the receiver of a method
        at = text.find(") ", at, at + _LONGEST) + 2
        if at < 2:
            return ""
    name = text[at : at + _LONGEST + 1]
    for sign in _BEHIND:
        name = name.partition(sign)[0]
        if name.isidentifier():
            return name if _SHORTEST <= len(name) <= _LONGEST else ""
    return ""
