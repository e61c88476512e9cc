"""What changed since a packet was written: its files by content, commits that landed, quotations that no longer hold.

A packet keeps the digest of each file that it lists or that a claim of it names, and the commit it was written at. A
claim is stale when it names a file that changed; which those are is decided by the path of the file, so an edit makes
exactly its own claims stale.
"""

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from thruline.artifacts.packet import HEADINGS, Packet
from thruline.brief.attempts.inert import find_spans, parse_span
from thruline.brief.claims.names import encode_name
from thruline.brief.document import parse_document
from thruline.brief.sources import parse_sources
from thruline.engines.rules.open_threads import UNCOMMITTED
from thruline.errors import ThrulineError
from thruline.gitfacts import NoAnswer, read_committed, read_log, read_status
from thruline.layout import ProjectPaths
from thruline.operations.packets.named import find_words, is_named, strip_roots
from thruline.operations.verify import verify_file

STATE_FIELD, COMMIT_FIELD = "relevant_files_state", "commit"
_MARK = "#"
_GONE = "gone"
_COMMITS = 200
_MORE = " more."  # files that a claim only counts
# Of a larger file so many pieces are read, evenly spread, and its size: a claim about a dump is worth no minute.
_LARGEST, _PIECES, _PIECE = 64 << 20, 16, 1 << 20


@dataclass(frozen=True, slots=True)
class Stale:
    """A claim that names a changed file: its line in the packet, its first words, and the files."""

    line: int
    text: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Freshness:
    """What changed. `commits` are (hash, subject), `unproved` quotations that fail, `notes` what was not checked.

    `committed` are files that a commit which landed has as they are now: nobody is at work on them. `settled` are
    claims that said of such files that they were not committed.
    """

    changed: tuple[str, ...]
    gone: tuple[str, ...]
    commits: tuple[tuple[str, str], ...]
    stale: tuple[Stale, ...]
    unproved: tuple[str, ...]
    notes: tuple[str, ...]
    committed: tuple[str, ...] = ()
    settled: tuple[Stale, ...] = ()

    @property
    def fresh(self) -> bool:
        return not (self.changed or self.gone or self.stale or self.unproved)


def build_state(root: str, files: Iterable[str]) -> list[str]:
    """`path#digest` for each file, as a packet keeps it; `gone` for one that is not there."""
    return [f"{name}{_MARK}{_digest(os.path.join(root, name))}" for name in files]


@dataclass(frozen=True, slots=True)
class Then:
    """What a packet compares with: the digest of each file, and the commit, when its claims were made."""

    state: tuple[str, ...]
    commit: str


def join_states(root: str, packets: Sequence[Packet]) -> Then:
    """What packets joined into one compare with: nothing that is stale in one of them may look fresh in all.

    Of a file that they saw differently the digest that no longer holds is kept, else that of the oldest packet.
    """
    oldest = sorted(packets, key=lambda packet: packet.created_at)
    seen: dict[str, list[str]] = {}
    for packet in oldest:
        for name, digest in read_state(packet).items():
            seen.setdefault(name, []).append(digest)
    now = dict(one.rsplit(_MARK, 1) for one in build_state(root, seen))
    kept = {name: next((one for one in digests if one != now[name]), digests[0]) for name, digests in seen.items()}
    commits = [commit for packet in oldest if isinstance(commit := packet.document.get(COMMIT_FIELD), str) and commit]
    return Then(tuple(f"{name}{_MARK}{digest}" for name, digest in kept.items()), commits[0] if commits else "")


def build_then(paths: ProjectPaths, files: Iterable[str]) -> Then:
    """What a packet that is made now compares with."""
    return Then(tuple(build_state(paths.root, files)), read_head_commit(paths.root))


def read_head_commit(root: str) -> str:
    """The commit that HEAD is at, "" where there is none."""
    status = read_status(root)
    return "" if isinstance(status, NoAnswer) else status.branch.commit


def check_freshness(paths: ProjectPaths, packet: Packet) -> Freshness:
    """Everything that changed since the packet was written."""
    notes: list[str] = []
    before = read_state(packet)
    now = dict(one.rsplit(_MARK, 1) for one in build_state(paths.root, before))
    changed = tuple(name for name, digest in before.items() if now[name] not in (digest, _GONE))
    gone = tuple(name for name, digest in before.items() if now[name] == _GONE != digest)
    if not before:
        notes.append("the packet keeps no digests of files")
    commits = _find_commits(paths.root, packet, notes)
    committed = _find_committed(paths.root, packet, before) if commits else ()
    names = Names(tuple(before), find_roots(paths, packet))
    return Freshness(
        changed,
        gone,
        commits,
        tuple(_find_stale(packet, (*changed, *gone), names)),
        tuple(_find_unproved(paths, packet, notes)),
        tuple(notes),
        committed,
        tuple(each for each in _find_stale(packet, committed, names) if _is_settled(each.text, committed, names)),
    )


def extend_state(paths: ProjectPaths, packet: Packet, names: Iterable[str]) -> list[str]:
    """The packet's rows of digests, with those of files that it did not watch yet."""
    state = read_state(packet)
    rows = [f"{name}{_MARK}{digest}" for name, digest in state.items()]
    return rows + build_state(paths.root, [name for name in names if name not in state])


def read_state(packet: Packet) -> dict[str, str]:
    """The digest of each file when the packet was made."""
    value = packet.document.get(STATE_FIELD)
    rows = [one for one in value if isinstance(one, str) and _MARK in one] if isinstance(value, list) else []
    return dict(one.rsplit(_MARK, 1) for one in rows)


def _digest(path: str) -> str:
    try:
        if not os.path.isfile(path):
            return _GONE
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size <= _LARGEST:
                return hashlib.file_digest(file, "sha256").hexdigest()[:16]
            digest = hashlib.sha256(b"%d" % size)
            for piece in range(_PIECES):
                file.seek((size - _PIECE) * piece // (_PIECES - 1))
                digest.update(file.read(_PIECE))
            return digest.hexdigest()[:16]
    except OSError:
        return _GONE


def _find_commits(root: str, packet: Packet, notes: list[str]) -> tuple[tuple[str, str], ...]:
    then = packet.document.get(COMMIT_FIELD)
    if not isinstance(then, str) or not then:
        return ()
    log = read_log(root, _COMMITS)
    if isinstance(log, NoAnswer):
        notes.append(f"commits were not looked up: {log.reason}")
        return ()
    ids = [commit.id for commit in log]
    if then not in ids:
        notes.append("the commit that the packet was written at is not among the newest of this branch")
        return ()
    return tuple((commit.id[:12], commit.subject) for commit in log[: ids.index(then)])


def _find_committed(root: str, packet: Packet, watched: Iterable[str]) -> tuple[str, ...]:
    found = read_committed(root, str(packet.document.get(COMMIT_FIELD)), tuple(watched))
    # Where git does not answer, nothing is said: that a file changed is told all the same.
    return () if isinstance(found, NoAnswer) else tuple(name for name in watched if name in found)


def _is_settled(text: str, committed: tuple[str, ...], names: "Names") -> bool:
    """Whether a claim says of files that they are not committed, and names them all, and all of them are."""
    _, told, files = text.partition(UNCOMMITTED)
    spans = [parse_span(span) or "" for _, span in find_spans(files.partition(". (")[0])]
    return bool(told and spans) and _MORE not in files and all(names.find(each) & {*committed} for each in spans)


def _find_stale(packet: Packet, changed: tuple[str, ...], names: "Names") -> Iterable[Stale]:
    if not changed:
        return
    text = packet.document.render().decode("utf-8", "replace")
    lines = text.split("\n")
    first = 0 if packet.document.lines is None else len(packet.document.lines) + 2
    for start, end in _find_claims(lines, first):
        block = "\n".join(lines[start : end + 1])
        meant = names.find_in(block)
        named = tuple(name for name in changed if name in meant)
        if named:
            yield Stale(start + 1, " ".join(lines[start].split())[:160], named)


class Names:
    """The files of a packet, as its claims may name them: from one of `roots` on, relative to it, or by their end."""

    def __init__(self, files: tuple[str, ...], roots: tuple[str, ...]) -> None:
        self._forms = {form: name for name in files for form in (name, encode_name(name) or name)}
        self._roots = tuple(root.rstrip("/") + "/" for root in roots if root)

    def find_in(self, text: str) -> set[str]:
        """The files that a claim means."""
        text = strip_roots(text, self._roots)
        found = {name for word in find_words(text) for name in self.find(word)}
        blank = [name for name in self._forms.values() if " " in os.path.basename(name)]
        return found | {name for name in blank if is_named(os.path.basename(name), text)}

    def find(self, word: str) -> set[str]:
        """The files that a word of a claim means: the one of exactly this path, else those that end with it."""
        word = word.rstrip(".").removeprefix("./")
        if word.startswith("/"):
            inside = next((word[len(root) :] for root in self._roots if word.startswith(root)), "")
            return {self._forms[inside]} if inside in self._forms else set()
        if word in self._forms:
            return {self._forms[word]}
        return {name for form, name in self._forms.items() if form.endswith("/" + word)} if word else set()


def find_roots(paths: ProjectPaths, packet: Packet) -> tuple[str, ...]:
    """Where the project is, and where its session may have seen it."""
    lines = packet.document.render().decode("utf-8", "replace").split("\n")
    return (paths.root, *(source.project for source in parse_sources(lines)))


def _find_claims(lines: list[str], first: int) -> Iterable[tuple[int, int]]:
    """First and last line of each bullet below our own headings; the lists of files name files, and claim nothing."""
    heading, start = "", -1
    for at in range(first, len(lines) + 1):
        line = lines[at] if at < len(lines) else "## "
        begins = line.startswith(("- ", "#")) or not line.strip()
        if start >= 0 and begins:
            yield start, at - 1
            start = -1
        if line.startswith("## "):
            heading = line[3:].strip()
        elif line.startswith("- ") and heading in HEADINGS and heading not in ("Relevant Files", "Next Prompt (Draft)"):
            start = at


def _find_unproved(paths: ProjectPaths, packet: Packet, notes: list[str]) -> Iterable[str]:
    if not parse_document(packet.document.render().decode("utf-8", "replace")).quotes:
        return
    try:
        verified = verify_file(packet.document.path, folder=paths.root)
    except ThrulineError as error:
        notes.append(f"quotations were not proved: {error.what}")
        return
    notes.extend(verified.notes)
    for trouble in verified.report.troubles:
        yield f"line {trouble.line}: {trouble.what}"
