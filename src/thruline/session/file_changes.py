"""The files that a command line certainly wrote, removed or moved.

Pure, and no regular expressions, as its steps are (commands.py). A path that a later step names may be there again:
`rm -rf build && mkdir build` removed nothing that anybody misses.
"""

from thruline.session.commands import Step, parse_steps
from thruline.session.writing import Words, drop_documents, find_written, may_redirect

TYPE_CHECKING = False  # see session/__init__.py
if TYPE_CHECKING:
    from collections.abc import Iterator

    from thruline.session.parts.done import Move

    Changes = tuple[tuple[str, str], ...]

# No system knows a longer path.
_LONGEST = 4096
# What names a path and does not make it.
_NAMING = frozenset(("rm", "ls", "echo", "printf", "test", "[", "grep", "rg", "cat", "find"))
_NAMING_OF_GIT = frozenset(("add", "commit", "rm", "status", "diff", "log", "show", "push", "grep", "ls-files"))
_IN_PLACE = (" -i", " -Ei", " -ri", " -ni", " -si", " --in-place")
_ENTERING = frozenset(("cd", "pushd", "popd"))
_GROUPS = ("(", "{")
# With one of these it may have done nothing, or something else than its words say.
_REMOVING_LESS = frozenset(("--cached", "--dry-run", "--interactive"))
_MOVING_LESS = frozenset(("--no-clobber", "--dry-run", "--interactive", "--update", "--target-directory"))


def find_file_changes(command: str) -> "tuple[Changes, tuple[Move, ...]]":
    """(path, deleted|created|written) of the files that a command certainly touched if it succeeded, and what it moved.

    What was moved is told twice: its two paths among the changes, and both with how they belong together.
    """
    if not may_change_files(command):
        return (), ()
    text = drop_documents(command)
    steps = parse_steps(text) if text is not None else None
    if not steps:
        return (), ()
    found: list[tuple[str, str] | None] = []
    moves: list[Move] = []
    removed: dict[str, list[int]] = {}  # where in `found` a path stands: a line may have thousands of steps
    folder = ""
    for step in _certain_steps(steps):
        read = Words(step.words, step.plain)
        words, plain = read.words, read.plain
        if not _only_names(step.words):
            for word in step.words[1:]:
                for path in _find_above(_join(folder, word.lstrip("0123456789&>").removeprefix("./"))):
                    for at in removed.pop(path, ()):
                        found[at] = None
        found += [(_join(folder, path), "written") for path in find_written(read) if not path.endswith("/")]
        if not words:
            continue
        if words[0] == "cd":
            folder = _join(folder, words[1]) if len(words) == 2 and plain[1] else ""
            if not folder or len(folder) > _LONGEST:
                break
            continue
        verb, rest = (words[1], 2) if words[0] == "git" and len(words) > 2 else (words[0], 1)
        if verb not in ("rm", "mv") or not all(plain):
            continue
        options = [word for word in words[rest:] if word.startswith("-") and word != "-"]
        paths = [_join(folder, word) for word in words[rest:] if not word.startswith("-")]
        if verb == "rm" and not _has(options, _REMOVING_LESS, "iIn"):
            for path in paths:
                removed.setdefault(path.rstrip("/"), []).append(len(found))
                found.append((path, "deleted"))
        elif verb == "mv" and not _has(options, _MOVING_LESS, "nitku"):
            for move in _read_moves(paths, by_git=rest > 1):
                moves.append(move)
                found += [(move[0], "deleted"), (move[1], "created")] if move[2] else [(move[0], "deleted")]
    return tuple(one for one in found if one is not None), tuple(moves)


def _has(options: "list[str]", names: "frozenset[str]", letters: str) -> bool:
    """Whether one of these options is there, by its name or among short ones."""
    short = [option for option in options if not option.startswith("--")]
    named = {option.partition("=")[0] for option in options}
    return not names.isdisjoint(named) or any(letter in option for option in short for letter in letters)


def _read_moves(paths: "list[str]", *, by_git: bool) -> "Iterator[Move]":
    if len(paths) < 2:
        return
    *files, to = paths
    inside = to.endswith("/") or to.rsplit("/", 1)[-1] in (".", "..") or len(files) > 1
    for path in files:
        name = path.rstrip("/").rsplit("/", 1)[-1]
        suffix = name.rpartition(".")[2] if "." in name else ""
        # Into a folder or to a new name cannot be told apart, except by a slash or the same suffix at the end.
        sure = inside or (bool(suffix) and to.endswith(f".{suffix}"))
        yield path.rstrip("/"), f"{to.rstrip('/')}/{name}" if inside else to, sure, by_git


def _certain_steps(steps: "list[Step]") -> "Iterator[Step]":
    # With exit status 0 these ran and succeeded: the tail of the line that is joined by && alone. What stands before a
    # `;` may have failed unseen, what is beside || or | or & may not have run.
    start = 0
    for at, step in enumerate(steps):
        if step.joined not in ("&&", ""):
            start = at + 1
    if any(_enters(step) for step in steps[:start]):
        return  # whether that cd succeeded is not known, so neither is what a relative path means
    first = start  # of programs behind a pipe all run, and the last one tells how it ended
    while first and steps[first - 1].joined == "|":
        first -= 1
    if first and steps[first - 1].joined == "||":
        return
    for step in steps[start:]:
        if _enters(step) and (step.words[0] != "cd" or first < start):
            return  # in a shell of its own, or where nobody can tell
        yield step


def _enters(step: "Step") -> bool:
    """Whether a step leads into another folder, or begins what may."""
    return step.words[0].startswith(_GROUPS) or not _ENTERING.isdisjoint(step.words[:3])


def _join(folder: str, path: str) -> str:
    if not folder or path.startswith("/"):
        return path
    return f"{folder.rstrip('/')}/{path}"


def may_change_files(command: str) -> bool:
    """Whether `find_file_changes` may find something in this command."""
    if "rm " in command or "mv " in command or "cp " in command or "tee " in command:
        return True
    return ("sed " in command and any(option in command for option in _IN_PLACE)) or may_redirect(command)


def _only_names(words: "list[str]") -> bool:
    """Whether a step makes nothing that it names."""
    if any(word.lstrip("0123456789&").startswith(">") for word in words):
        return False
    return words[0] in _NAMING or (words[0] == "git" and words[1:2] != [] and words[1] in _NAMING_OF_GIT)


def _find_above(path: str) -> "Iterator[str]":
    """A path and those that it lies below, without slashes at their ends."""
    if len(path) > _LONGEST:
        return
    yield path
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)
