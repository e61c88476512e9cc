"""The files that a step of a command line certainly wrote, if it ended well: by `>` and `>>`, `tee`, `cp`, `sed -i`.

That a file was written tells neither whether it was there before nor whether it has other words now. A folder that was
made is no file, and `touch` may have done nothing at all.
"""

TYPE_CHECKING = False  # see session/__init__.py
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_EXPANDED = frozenset("$`*?[]{}()<>~!&\n")
_LEADS = "0123456789&"
# What leads the output of a program to a file; an error that is kept in one is none of the session's work.
_OUTPUT = ("", "1", "&")
# Where nothing is kept.
_NOWHERE = ("/dev/", "/proc/")
# With one of these a copy may have been left out, or is one of a folder.
_COPYING_LESS = frozenset(
    ("--no-clobber", "--interactive", "--update", "--target-directory", "--recursive", "--archive", "--parents")
)
_COPYING_LESS_SHORT = frozenset("niutrRaTlsP")
_TESTS = ("[[", "((")
_SHOWING = ("--help", "--version")


class Words:
    """The words of a step without what leads its output elsewhere; `to` are the files that its output went to."""

    __slots__ = ("plain", "to", "words")

    def __init__(self, words: "list[str]", plain: "list[bool]") -> None:
        self.words: list[str] = []
        self.plain: list[bool] = []
        self.to: list[str] = []
        skip = False
        for at, (word, certain) in enumerate(zip(words, plain, strict=True)):
            if skip:
                skip = False
                continue
            rest = "" if certain else word.lstrip(_LEADS)
            if not rest.startswith((">", "<")):
                self.words.append(word)
                self.plain.append(certain)
                continue
            target = rest.lstrip("<>")
            skip = not target
            named = _EXPANDED.isdisjoint(target)
            if skip and at + 1 < len(words):
                target, named = words[at + 1], plain[at + 1]
            out = rest.startswith(">") and not rest.startswith((">>>", "><")) and word[: -len(rest)] in _OUTPUT
            if out and named and target and not target.startswith(_NOWHERE):
                self.to.append(target)


def find_written(step: Words) -> "Iterator[str]":
    """The paths that a step wrote."""
    words, plain = step.words, step.plain
    if words and words[0].startswith(_TESTS):
        return  # there it compares
    yield from step.to
    program = words[0] if words else ""
    read = _READ.get(program)
    if read is not None and not any(word in _SHOWING for word in words):
        yield from read(words[1:], plain[1:])


def _find_teed(words: "list[str]", plain: "list[bool]") -> "list[str]":
    named = [word for word, certain in zip(words, plain, strict=True) if certain and word[:1] not in ("", "-")]
    return [word for word in named if not word.startswith(_NOWHERE)]


def _find_copies(words: "list[str]", plain: "list[bool]") -> "list[str]":
    options = [word for word in words if word.startswith("-")]
    short = "".join([option[1:] for option in options if not option.startswith("--")])
    named = {option.partition("=")[0] for option in options}
    files = [word for word in words if not word.startswith("-")]
    if not all(plain) or len(files) < 2 or not _COPYING_LESS.isdisjoint(named):
        return []
    if not _COPYING_LESS_SHORT.isdisjoint(short):
        return []
    *copied, to = files
    inside = to.endswith("/") or to.rsplit("/", 1)[-1] in (".", "..") or len(copied) > 1
    if inside:
        return [f"{to.rstrip('/')}/{name}" for path in copied if (name := path.rsplit("/", 1)[-1])]
    # Into a folder or to a name cannot be told apart, except by the same suffix.
    name = copied[0].rsplit("/", 1)[-1]
    suffix = name.rpartition(".")[2] if "." in name else ""
    return [to] if suffix and to.endswith(f".{suffix}") and not to.startswith(_NOWHERE) else []


def _find_edited(words: "list[str]", plain: "list[bool]") -> "list[str]":
    """The files of `sed -i`: all names behind its script."""
    in_place = scripted = False
    files: list[str] = []
    behind = ""
    for word, certain in zip(words, plain, strict=True):
        if behind:
            scripted, behind = True, ""
        elif word in ("-e", "-f", "--expression", "--file"):
            behind = word
        elif word.startswith(("--expression=", "--file=")):
            scripted = True
        elif word.startswith("--"):
            in_place = in_place or word.startswith("--in-place")
        elif word.startswith("-") and len(word) > 1:
            letters = word[1:].partition("i")
            in_place = in_place or bool(letters[1])
            if "e" in letters[0] or "f" in letters[0]:
                return []  # a script that hangs on its option, or one of a file
        elif not word:
            continue  # a suffix for copies that is empty, as some systems want it
        elif not scripted:
            scripted = True
        elif certain:
            files.append(word)
    return files if in_place else []


_READ: "dict[str, Callable[[list[str], list[bool]], list[str]]]" = {
    "tee": _find_teed,
    "cp": _find_copies,
    "sed": _find_edited,
}


def drop_documents(command: str) -> "str | None":
    """The command without its here-documents; None where it is not certain where one ends."""
    if "<<" not in command:
        return command
    kept: list[str] = []
    lines = iter(command.split("\n"))
    for line in lines:
        ends: list[tuple[str, bool]] = []
        at = line.find("<<")
        while at >= 0:
            start = at + 2
            if line.startswith("<", start):
                return None  # a word that stands for a document
            tabs = line.startswith("-", start)
            start += tabs
            start += len(line[start:]) - len(line[start:].lstrip(" "))
            sign = line[start : start + 1]
            close = line.find(sign, start + 1) if sign in ("'", '"') else -1
            if close > 0:
                name, end = line[start + 1 : close], close + 1
            else:
                end = start
                while end < len(line) and (line[end].isalnum() or line[end] == "_"):
                    end += 1
                name = line[start:end]
            if not name or name[0].isdigit():
                return None
            ends.append((name, tabs))
            line = f"{line[:at]} {line[end:]}"
            at = line.find("<<", at)
        kept.append(line)
        for name, tabs in ends:
            if not any((body.lstrip("\t") if tabs else body) == name for body in lines):
                return None
    return "\n".join(kept)


def may_redirect(command: str) -> bool:
    """Whether a command may lead its output to a file: somewhere else than nowhere, and not behind `-` or `=`."""
    at = command.find(">")
    while at >= 0:
        rest = command[at + 1 : at + 12].lstrip("> ")
        if command[at - 1 : at] not in ("2", "-", "=") and rest[:1] not in ("&", "=") and not rest.startswith("/dev/"):
            return True
        at = command.find(">", at + 1)
    return False
