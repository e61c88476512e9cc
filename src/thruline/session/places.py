"""Where a command ran: in the project of its session, or certainly somewhere else.

A session tells the folder that it is in; a command line may lead elsewhere before it does something. The session may
have begun in any folder of its repository, so a folder beside that one is not elsewhere for that alone: only where no
repository can hold both, or where one was shown to begin there or here. Errs on the side of the project: a folder that
nobody can tell, one above or below the project's and one of its worktrees are the project's.
"""

from posixpath import commonpath, join, normpath

from thruline.session.runs import UNKNOWN, find_asked

TYPE_CHECKING = False  # see session/__init__.py
if TYPE_CHECKING:
    from collections.abc import Iterable

# Where clients and people put the worktrees of a project.
_WORKTREE = "worktree"
_DRIVE = ":"  # C:/work
_VALUED = frozenset(
    ("-b", "-B", "--reason", "--branch", "-o", "--origin", "-c", "--depth", "-j", "--jobs", "--reference", "--template")
)
# Taking a line apart is dear: only one with such a word may show where a repository begins.
_SHOWING_WORDS = ("worktree add", "clone", " init", ".gitmodules", ".github")
# Stand at the root of a repository, and nowhere else.
_AT_ROOT = (".gitmodules", ".github/")
_NAMING = frozenset(("add", "rm", "mv"))
# Folders that hold repositories and are none, and those that hold the folders of people, which are none either.
_HOLDERS = frozenset(("/", "/tmp", "/var", "/opt", "/mnt", "/media", "/workspaces", "/root"))  # noqa: S108 - told, not used
_PEOPLE = ("/home", "/Users")
_PRIVATE = "/private"  # macOS: /tmp leads to /private/tmp


def find_branch(branches: "Iterable[tuple[int, str]]", line: int) -> str:
    """The branch that a session was on at a line, by where it came to each; "" where nothing tells."""
    return next((name for at, name in reversed([*branches]) if at <= line), "")


class Places:
    """Tell it each folder that a session, or a subagent of it, is in, and the command lines that show repositories."""

    __slots__ = ("_above_trees", "_here", "_homes", "_roots", "_trees")

    def __init__(self) -> None:
        self._homes: dict[str, str] = {}
        self._here: dict[str, str] = {}
        self._roots: set[str] = set()  # where repositories begin, of the project or others
        self._trees: set[str] = set()
        self._above_trees: set[str] = set()

    def enter(self, folder: str, source: str) -> None:
        """Takes in that the session (or the subagent of this label) is in a folder; the first one is its project."""
        self._homes.setdefault(source, folder)
        self._here[source] = folder

    def find_here(self, source: str) -> str:
        """The folder that the next command runs in; "" where nothing tells it."""
        return self._here.get(source, "")

    def is_away(self, source: str) -> bool:
        """Whether the session is in another folder than it began in."""
        return self._here.get(source) != self._homes.get(source)

    def learn(self, command: str, here: str) -> bool:
        """Takes in where a command line shows repositories and worktrees; whether it told anything new."""
        if not any(words in command for words in _SHOWING_WORDS):
            return False
        home = self._homes.get("", "")
        known = len(self._roots) + len(self._trees)
        for step in find_asked(command, "git"):
            named = [word for at, word in enumerate(step.words) if not at or step.words[at - 1] not in _VALUED]
            named = [word for word in named if not word.startswith("-")]
            folder = resolve_folder(here, step.folder)
            if step.verb == "worktree" and named[:1] == ["add"]:
                tree = _expand(resolve_folder(folder, "".join(named[1:2])), home)
                self._trees.add(tree)
                self._above_trees.update(_find_above(tree))
            elif step.verb == "init":
                self._roots.add(_expand(resolve_folder(folder, "".join(named[:1])), home))
            elif step.verb == "clone" and named:
                name = named[1] if len(named) > 1 else _find_name(named[0])
                self._roots.add(_expand(resolve_folder(folder, name), home))
            elif step.verb in _NAMING and step.sure and any(word.startswith(_AT_ROOT) for word in named):
                self._roots.add(_expand(folder, home))
        self._roots.discard(UNKNOWN)
        return len(self._roots) + len(self._trees) > known

    def is_elsewhere(self, folder: str, source: str, here: str) -> bool:
        """Whether a folder that a command led to from `here` is certainly none of the project's."""
        home = resolve_folder(self._homes.get(source, ""), "")
        place = resolve_folder(here, folder)
        if not home.startswith("/") or UNKNOWN in (folder, place) or _WORKTREE in place.lower():
            return False
        place = _expand(place, home)
        if not place.startswith("/"):
            return False
        above, above_home = _find_above(place), _find_above(home)
        if home in above or place in above_home or place in self._above_trees or not self._trees.isdisjoint(above):
            return False
        if self._roots.intersection(above) != self._roots.intersection(above_home):
            return True
        shared = commonpath((home, place))
        named_alike = home.rpartition("/")[2] == place.rpartition("/")[2]  # one may be a link to the other
        return not named_alike and (shared in (*_HOLDERS, *_PEOPLE) or (_is_persons(shared) and shared.count("/") == 2))


def resolve_folder(here: str, folder: str) -> str:
    """A folder as a command line tells it, seen from `here`; `UNKNOWN` where nobody can tell."""
    if folder == UNKNOWN or here == UNKNOWN:
        return UNKNOWN
    if _DRIVE in (here[1:2], folder[1:2]):
        here, folder = here.replace("\\", "/"), folder.replace("\\", "/")
    if folder.startswith(("/", "~")) or folder[1:2] == _DRIVE:
        return _drop_link(normpath(folder))
    return _drop_link(normpath(join(here, folder))) if here else folder or UNKNOWN


def _drop_link(folder: str) -> str:
    return folder.removeprefix(_PRIVATE) if folder.startswith(f"{_PRIVATE}/") else folder


def _expand(folder: str, home: str) -> str:
    """A folder told from that of a person, where the session's lies in one."""
    return "/".join((*home.split("/")[:3], folder[2:])) if folder.startswith("~/") and _is_persons(home) else folder


def _is_persons(folder: str) -> bool:
    """Whether a folder is one of a person, or below it."""
    return any(folder.startswith(f"{people}/") for people in _PEOPLE)


def _find_name(address: str) -> str:
    """The folder that a clone of this address is put in."""
    return address.rstrip("/").rpartition("/")[2].rpartition(":")[2].removesuffix(".git")


def _find_above(folder: str) -> "list[str]":
    """A folder and those that it lies in."""
    names = folder.split("/")
    return ["/", *("/".join(names[:count]) for count in range(2, len(names) + 1))]
