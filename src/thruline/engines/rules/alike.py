"""Whether two command lines run the same thing, however their output was cut: `make 2>&1 | tail` is `make`.

Errs on the side of alike: that a command failed is worth a line only where nothing later shows it pass.
"""

from thruline.pattern import compile_later
from thruline.session.commands import answers_by_status, parse_steps

# What only cuts or hides the output.
_HIDDEN = compile_later(r"\s*(?:2>&1|&?>{1,2}\s*/dev/null|[12]>{1,2}\s*/dev/null)(?=[\s;|&)]|\Z)")
_FILTERS = frozenset(("tail", "head", "grep", "egrep", "rg", "tee", "cat", "less", "sed", "awk", "sort", "uniq", "wc"))

Core = frozenset[tuple[str, ...]]


def find_core(command: str) -> Core:
    """The programs of a command line with their words, without `cd`, what filters their output and what hides it."""
    plain = _HIDDEN.sub("", command)
    found: list[tuple[str, ...]] = []
    piped = False
    for step in parse_steps(plain) or ():
        if step.words[0] != "cd" and not (piped and step.words[0] in _FILTERS):
            found.append(tuple(step.words))
        piped = step.joined == "|"
    return frozenset(found or [tuple(plain.split())])


def has_answer(core: Core) -> bool:
    """Whether one of these programs tells "no match" or "differs" by its status, which is no failure."""
    return any(answers_by_status(" ".join(words[:2])) for words in core)


def is_within(core: Core, command: str) -> bool:
    """Whether a command line runs all of these."""
    # Reading a line is slow beside looking for a name in it, and few lines have the names.
    return all(words[0] in command for words in core if words) and core <= find_core(command)
