"""What the project's disk and git say about the commits and files that a brief points at; nothing is changed."""

import os

from thruline.gitfacts import NoAnswer, has_commit, read_log
from thruline.layout import find_root

# Subjects are read in one go; one further back than this cannot be compared, and is said to be unchecked.
_COMMITS = 2_000
_LARGEST = 8 << 20


def find_session_folder(cwd: str, here: str) -> str:
    """The folder that a session worked in, as it is on this machine: its own, or `here` where that is called the same.

    "" where neither is: what another project's git and files say would prove nothing.
    """
    if not cwd or os.path.isdir(cwd):
        return cwd or here
    name = cwd.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return here if name and os.path.basename(here) == name else ""


class ProjectFacts:
    """Answers about one project, each asked once. `no_git` says why commits cannot be checked, "" where they can.

    There are no files but the project's. Of a folder that is not on this machine nothing is told: `absent`; with
    `confined` it has no files: for what a model points at, which proves nothing by naming a file. Where it is `doubted`
    that the folder is the project, what is not there may be elsewhere.
    """

    def __init__(self, root: str, *, timeout: float | None = None, confined: bool = False) -> None:
        self.root = root
        self._confined = confined
        self._timeout = timeout
        self.doubted = False
        self.absent = not os.path.isdir(root)
        self.no_git = "the project's folder is not on this machine" if self.absent else ""
        self._commits: dict[str, bool | None] = {}
        self._subjects: dict[str, str] | None = None
        self._files: dict[str, list[str] | None] = {}

    def has_commit(self, commit: str) -> bool | None:
        """Whether the repository has this commit; None where there is none to ask."""
        if self.no_git:
            return False if self.absent and self._confined else None
        if commit not in self._commits:
            answer = has_commit(self.root, commit, timeout=self._timeout)
            if isinstance(answer, NoAnswer):
                self.no_git = answer.reason
                return None
            self._commits[commit] = answer
        return None if self.doubted and not self._commits[commit] else self._commits[commit]

    def read_subject(self, commit: str) -> str | None:
        """The subject of a commit that HEAD leads to."""
        if self._subjects is None:
            log = read_log(self.root, _COMMITS, timeout=self._timeout)
            self._subjects = {} if isinstance(log, NoAnswer) else {one.id: one.subject for one in log}
        return next((subject for id_, subject in self._subjects.items() if id_.startswith(commit)), None)

    def has_file(self, path: str, line: int, symbol: str) -> bool | None:
        """Whether the file is in the project and has that line, or that symbol as a word."""
        if self.absent:
            return False if self._confined or self._leaves(path) else None
        full = self._resolve(path)
        if not os.path.lexists(full):
            return None if self.doubted and not self._leaves(path) else False
        if not self._is_inside(full, whole=self._confined):
            return False
        if not line and not symbol:
            return True
        if not self._is_inside(full, whole=True):
            return False
        lines = self._read(full)
        if lines is None:
            return None
        if line:
            return line <= len(lines)
        return any(_has_word(text, word) for word in [symbol.rpartition(".")[2]] for text in lines)

    def read_line(self, path: str, line: int) -> str | None:
        """One line of a file of the project."""
        full = self._resolve(path)
        lines = self._read(full) if self._is_inside(full, whole=True) else None
        return lines[line - 1] if lines is not None and 0 < line <= len(lines) else None

    def _is_inside(self, full: str, *, whole: bool) -> bool:
        """Whether a path lies in the project; without `whole` its last part may be a link that leads elsewhere."""
        top = os.path.realpath(find_root(self.root).path)
        real = os.path.realpath(full if whole else os.path.dirname(full))
        return (real + os.sep).startswith(top.rstrip(os.sep) + os.sep)

    def _leaves(self, path: str) -> bool:
        # By its words alone: the folder is not here.
        full = os.path.normpath(os.path.join(self.root, os.path.expanduser(path)))
        return not full.startswith(os.path.normpath(self.root).rstrip(os.sep) + os.sep)

    def _resolve(self, path: str) -> str:
        path = os.path.expanduser(path)
        full = os.path.join(self.root, path)
        if os.path.isabs(path) or os.path.exists(full):
            return full
        # A session that was started in a folder of the project may name files as the project does.
        whole = os.path.join(find_root(self.root).path, path)
        return whole if os.path.exists(whole) else full

    def _read(self, full: str) -> list[str] | None:
        if full not in self._files:
            try:
                size = os.path.getsize(full) if os.path.isfile(full) else _LARGEST + 1
                # No more than it says to have: some files of the system look regular, say 0, and never end.
                with open(full if size <= _LARGEST else os.devnull, "rb") as file:
                    data = file.read(size) if size else b""
                self._files[full] = data.decode("utf-8", "replace").splitlines() if size <= _LARGEST else None
            except OSError:
                self._files[full] = None
        return self._files[full]


def _has_word(text: str, word: str) -> bool:
    at = text.find(word)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(word) : at + len(word) + 1]
        if not (before.isalnum() or before == "_") and not (after.isalnum() or after == "_"):
            return True
        at = text.find(word, at + 1)
    return False
