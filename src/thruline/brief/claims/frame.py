"""What of a brief stands in no claim: its title, that there is nothing, and the flags that are never left out."""

from collections.abc import Iterator

from thruline.brief.claims.standing import LEFT, UNCOMMITTED, UNTESTED, find_standing
from thruline.brief.claims.stated import parse_count
from thruline.brief.document import Document
from thruline.brief.proof.done import Done
from thruline.brief.proof.nothing import Denied, check_nothing, is_small
from thruline.brief.section import HEADINGS
from thruline.brief.sources import find_engines
from thruline.brief.verify import UNTRUE
from thruline.brief.wording import PLACEHOLDER, is_title
from thruline.pattern import compile_later

TITLE, UNTOLD = "title", "untold"
_TITLE = compile_later(r"# Brief: (?P<name>.+?)(?:, (?P<day>\d{4}-\d{2}-\d{2}))?\s*\Z")
_NAMELESS = "a session"
_FLAGS = {
    UNTESTED: "nothing ran after the last edit, and that is not told",
    LEFT: "files were changed after the last commit, and that is not told",
    UNCOMMITTED: "the session changed files and made no commit, and that is not told",
}
_CUT = "did not fit the budget"
_LOST = compile_later(r"(\d+) of (\d+) corrections by the user")


def check_frame(document: Document, done: Done, denied: Denied | None = None) -> Iterator[tuple[int, str, str]]:
    """What is wrong there: the line, the kind and why. Without `denied` nobody can tell of corrections."""
    if not document.is_brief:
        return
    at = next((at for at in document.outside if is_title(document.lines[at].rstrip())), -1)
    if at >= 0:
        yield from ((at, TITLE, what) for what in _check_title(document.lines[at], done))
    yield from ((at, UNTRUE, what) for at, what in check_nothing(document, done, denied))
    yield from ((at, UNTRUE, what) for at, what in _check_counts(document, done.ended.turns.heard))
    # A section that failed says so, and was made by nobody.
    threads = [document.lines[at].rstrip() for at, name in document.sections.items() if name == "open_threads"]
    if (
        "rules" not in find_engines(document.lines, "open_threads")
        or PLACEHOLDER in threads
        or (is_small(document) and _is_cut(document))
    ):
        return
    heading = next((at for at in document.outside if HEADINGS.get(document.lines[at].rstrip()) == "open_threads"), 0)
    told = {fact.kind for claim in document.claims for fact in find_standing(document.lines[claim.first])}
    yield from ((heading, UNTOLD, _FLAGS[kind]) for kind in done.ended.find_untold(told))


def _check_counts(document: Document, heard: int) -> Iterator[tuple[int, str]]:
    """Counts of corrections that cannot be: how many the rules find may change, how often somebody spoke does not."""
    quoted = {(one.quote.pointer.source, one.quote.pointer.line) for one in document.quotes}
    for at in document.outside:
        told = _LOST.search(document.lines[at]) if document.lines[at].startswith("_") else None
        lost, corrections = map(parse_count, told.groups()) if told is not None else (1, 1)
        if corrections > max(heard, 1):
            yield at, "the user did not say anything so often"
        elif told is not None and not 0 < lost <= corrections <= lost + len(quoted):
            yield at, "so many corrections are not quoted here"


def _is_cut(document: Document) -> bool:
    return any(_CUT in document.lines[at] for at in document.outside)


def _check_title(line: str, done: Done) -> Iterator[str]:
    title = _TITLE.match(line.replace("\\", ""))
    if title is None:
        return
    summary = done.ended.summary
    if title["day"] and summary.first_time and title["day"] != summary.first_time[:10]:
        yield "the session did not begin on that day"
    folder = "/" + "/".join(part for part in summary.cwd.replace("\\", "/").split("/") if part)
    name = title["name"].replace("%20", " ")
    if summary.cwd and title["name"] != _NAMELESS and not folder.endswith(f"/{name}"):
        yield "the session was not started in a folder of that name"
