"""Statements that there is nothing, held against the transcript: where it certainly has something, they are untrue.

"No dead end and no correction was found." needs no pointer, so it would be the easiest way to hide one. Whether the
rules judged rightly that there is nothing worth telling is not asked: only what they tell in any case is.
"""

from collections.abc import Iterator

from thruline.brief.attempts.watch import TOPIC as ATTEMPTS
from thruline.brief.document import Document
from thruline.brief.proof.done import Done
from thruline.brief.section import NAMES
from thruline.brief.sources import find_engines
from thruline.brief.wording import FOUND_NOTHING, NO_FILE, NO_ROOM, NOTHING, PLACEHOLDER
from thruline.session.parts import Part
from thruline.session.summary import INTERRUPTED, MID_TURN, UNANSWERED
from thruline.signals.miner import SignalMiner
from thruline.signals.people import is_strongest

_OPEN = (UNANSWERED, INTERRUPTED, MID_TURN)
_NOTHING = NOTHING.strip("_")
_FAILED = PLACEHOLDER.strip("_")
_TOPIC = "### "
_WHY = {
    "dead_ends": "the user corrected or refused something, or went back",
    "code_state": "the session changed files or made a commit",
    "open_threads": "the session does not end with an answer",
    "basics": "the session tells in which folder it was started",
}
_BESIDE = "it stands beside what was found"
# A smaller brief may have had no room for anything of a section.
_SMALLEST = 2_400


class Denied:
    """Give it each part with `see`: what a statement that there were no dead ends is held against."""

    def __init__(self) -> None:
        self._miner = SignalMiner()

    def see(self, part: Part) -> None:
        """Takes one part in."""
        self._miner.see(part)

    def has_dead_end(self) -> bool:
        """Whether the user certainly corrected something."""
        return any(is_strongest(one) and not one.withdrawn and not one.source for one in self._miner.finish())


def denies_dead_ends(document: Document) -> bool:
    """Whether a document states that there were none."""
    return any(section == "dead_ends" for _, section, _ in _find_statements(document))


def check_nothing(document: Document, done: Done, denied: Denied | None = None) -> Iterator[tuple[int, str]]:
    """The statements that are untrue, each with its line and why."""
    found = _find_found(document)
    for at, section, text in _find_statements(document):
        if section in found and text not in NO_FILE:
            yield at, _BESIDE
        elif text == _FAILED:
            continue
        elif not _is_excused(document, section, text) and _is_there(section, done, denied):
            yield at, _WHY[section]


def _is_excused(document: Document, section: str, text: str) -> bool:
    """Whether it says no more than that nothing fits a small brief, or that a model found nothing."""
    if text == NO_ROOM:
        return is_small(document)
    return text == _NOTHING and "rules" not in find_engines(document.lines, section)


def is_small(document: Document) -> bool:
    """Whether a brief is so small that what nothing else may push out may have had no room in it."""
    return sum(len(line.encode("utf-8", "surrogatepass")) + 1 for line in document.lines) < _SMALLEST


def _is_there(section: str, done: Done, denied: Denied | None) -> bool:
    ended = done.ended
    if section == "dead_ends":
        return ended.was_refused() or (denied is not None and denied.has_dead_end())
    if section == "code_state":
        return ended.has_changed()
    if section == "open_threads":
        return ended.summary.state in _OPEN
    return section == "basics" and bool(ended.summary.cwd)


def _find_statements(document: Document) -> Iterator[tuple[int, str, str]]:
    """The lines that state so, each with its section and its words."""
    for at in document.outside:
        line, section = document.lines[at].strip(), document.sections.get(at, "")
        text = line.strip("_") if line.startswith("_") and line.endswith("_") else ""
        own = (_NOTHING, NO_ROOM, _FAILED, FOUND_NOTHING.get(section))
        if section in NAMES and (text in NO_FILE or text in own):
            yield at, section, text


def _find_found(document: Document) -> set[str]:
    """The sections that have a claim; that a text tries to instruct is told in one where nothing else is open too."""
    if document.headings:
        return set()  # with one twice, or none, nobody knows what stands where
    topic = ""
    topics = {}
    outside = frozenset(document.outside)
    for at, line in enumerate(document.lines):
        if at in outside and line.startswith("#"):
            topic = line.removeprefix(_TOPIC).strip()
        topics[at] = topic
    return {claim.section for claim in document.claims if topics[claim.first] != ATTEMPTS}
