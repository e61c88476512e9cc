"""What a command line of git puts back, and where: by the options and names that certainly do.

A file of another commit (`git checkout main -- a.py`) is brought, not put back; what is picked by hand (`-p`) nobody
knows; and a name counts from the folder that git worked in.
"""

from bisect import bisect_left
from posixpath import normpath

from thruline.session.places import resolve_folder
from thruline.session.runs import UNKNOWN, Asked, find_asked

TYPE_CHECKING = False  # see session/__init__.py
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from thruline.session.files import FileFact

# All that is not committed, instead of names.
ALL = ("*",)
_WHOLE = frozenset((".", ":/", "./", "*"))
_HEADS = frozenset(("HEAD", "@"))
_PICKED = frozenset(("-p", "--patch", "--ours", "--theirs", "-2", "-3", "-m", "--merge", "--conflict"))
_BRANCHES = frozenset(("-b", "-B", "--orphan", "-t", "--track", "-d", "--detach"))
_SOURCES = ("-s", "--source")
_PUTTING_BACK = ("restore", "checkout", "reset")


class PutBack:
    """The names that a step of git put back, or `ALL`, and the folder that it worked in; `led` if the line led there.

    `hard` where the index was put back as well, so a file that git had moved is where it was.
    """

    __slots__ = ("folder", "hard", "led", "names")

    def __init__(self, folder: str, names: "tuple[str, ...]", *, led: bool, hard: bool = False) -> None:
        self.folder = folder
        self.names = names
        self.led = led
        self.hard = hard


class Files:
    """Files that may be meant by what is put back: a session may put thousands back, one after another.

    Kept in the order of their paths and of what these end in, so that what lies in a folder stands side by side.
    """

    def __init__(self, facts: "Iterable[FileFact]") -> None:
        self._facts = {fact.path: fact for fact in facts}
        wholes = [(resolve_folder("", path), path) for path in self._facts]
        self._ends = sorted((path[::-1], path) for path in self._facts)
        self._fixed = sorted(pair for pair in wholes if _is_whole(pair[0]))
        # Told from the folder that a step worked in, and those of them that lead out of it or are written otherwise.
        self._loose = sorted(pair for pair in wholes if not _is_whole(pair[0]) and _is_plain(pair[1]))
        self._odd = [path for whole, path in wholes if not _is_whole(whole) and not _is_plain(path)]

    def find(self, back: PutBack, is_own: "Callable[[FileFact], bool]") -> "list[FileFact]":
        """Those among them that are put back; only the session's own may be meant."""
        found: set[str] = set()
        for name in back.names:
            if name in ALL and not back.folder:
                found.update(self._facts)
                continue
            wanted = "" if name in ALL else name.removeprefix("./").rstrip("/")
            exact = resolve_folder(back.folder, wanted)
            found.update(self._find_in(back.folder, exact))
            # Named from a folder below the project's: only where no other file fits better.
            below = not back.led and wanted and not wanted.startswith(("/", "~", "."))
            better = self._facts.get(exact)
            if below and not (better is not None and is_own(better)):
                found.update(path for _, path in _find_begun(self._ends, f"/{wanted}"[::-1]))
        return [fact for fact in map(self._facts.__getitem__, sorted(found)) if is_own(fact)]

    def _find_in(self, folder: str, exact: str) -> "Iterator[str]":
        """The paths that are, as seen from a folder, this one or below it."""
        if _is_whole(exact):
            yield from _find_below(self._fixed, exact)
        if not folder:
            yield from _find_below(self._loose, exact)
        elif f"{folder}/".startswith(f"{exact}/"):
            yield from (path for _, path in self._loose)
        elif exact.startswith(f"{folder}/"):
            yield from _find_below(self._loose, exact[len(folder) + 1 :])
        for path in self._odd:
            if f"{resolve_folder(folder, path)}/".startswith(f"{exact}/"):
                yield path


def _is_whole(path: str) -> bool:
    return path.startswith(("/", "~")) or path[1:2] == ":"


def _is_plain(path: str) -> bool:
    return normpath(path) == path and not path.startswith("..") and "\\" not in path


def _find_below(pairs: "Sequence[tuple[str, str]]", exact: str) -> "Iterator[str]":
    at = bisect_left(pairs, (exact, ""))
    while at < len(pairs) and pairs[at][0] == exact:
        yield pairs[at][1]
        at += 1
    yield from (path for _, path in _find_begun(pairs, f"{exact}/"))


def _find_begun(pairs: "Sequence[tuple[str, str]]", begin: str) -> "Iterator[tuple[str, str]]":
    """The pairs that begin with this text, in order."""
    for at in range(bisect_left(pairs, (begin, "")), len(pairs)):
        if not pairs[at][0].startswith(begin):
            return
        yield pairs[at]


def find_put_back(command: str, folder: str) -> "Iterator[PutBack]":
    """What a command line that began in this folder puts back, step by step."""
    if "git" not in command or not any(verb in command for verb in _PUTTING_BACK):
        return  # taking a line apart is dear beside looking for a word in it
    for step in find_asked(command, "git"):
        names = _read_names(step)
        place = resolve_folder(folder, step.folder) if folder or step.folder else ""
        if names and place != UNKNOWN:
            yield PutBack(place, names, led=bool(step.folder), hard=step.verb == "reset")


def _read_names(step: Asked) -> "tuple[str, ...]":
    """What a step of git puts back: names, everything, or nothing."""
    words, options = step.words, frozenset(one.partition("=")[0] for one in step.options)
    at = words.index("--") if "--" in words else len(words)
    before, named = [word for word in words[:at] if not word.startswith("-")], words[at + 1 :]
    if step.verb == "restore":
        found = _read_restored(words[:at], before, named, options)
    elif step.verb == "checkout":
        found = [] if options & (_PICKED | _BRANCHES) else _read_checked_out(before, named)
    elif step.verb == "reset":
        found = list(ALL) if "--hard" in options else []
    else:
        found = []
    return name_all(found)


def name_all(names: "list[str]") -> "tuple[str, ...]":
    """The names, or `ALL` where one of them is the folder itself."""
    return ALL if any(word in _WHOLE for word in names) else tuple(names)


def _read_restored(
    words: "list[str]", before: "list[str]", named: "list[str]", options: "frozenset[str]"
) -> "list[str]":
    if options & _PICKED or (options & {"--staged", "-S"} and not options & {"--worktree", "-W"}):
        return []
    sources = [word.partition("=")[2] for word in words if word.startswith("--source=")]
    apart = [words[at + 1] for at, word in enumerate(words[:-1]) if word in _SOURCES]
    if not _HEADS.issuperset(sources + apart):
        return []
    return named or [word for word in before if word not in apart]


def _read_checked_out(before: "list[str]", named: "list[str]") -> "list[str]":
    if named:
        return named if _HEADS.issuperset(before) else []
    # Without the two dashes a name may be a branch; one with a dot that was changed before is a file.
    kept = before[1:] if before[:1] and before[0] in _HEADS else before
    if len(kept) > 1 and not _is_file(kept[0]):
        return []
    return [word for word in kept if _is_file(word)]


def _is_file(word: str) -> bool:
    return word in _WHOLE or ("." in word.rsplit("/", 1)[-1] and not _is_version(word))


def _is_version(word: str) -> bool:
    """Whether a word is a tag's name such as `v1.2`."""
    numbers = word.removeprefix("v").split(".")
    return len(numbers) > 1 and all(number.isascii() and number.isdigit() for number in numbers)
