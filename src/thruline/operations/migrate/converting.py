"""A handoff of another tool as the sections of a packet: every line quoted, with its place in the file it came from.

The words are those of a file, so they are a record like any other: they stand in quotations, and `verify` reads the
file again. Which heading they belong below is told by the heading they stood below.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from thruline.artifacts import packet as artifact
from thruline.artifacts.frontmatter import Document, parse_document
from thruline.artifacts.relevant_files import find_inside
from thruline.brief.attempts.inert import render_words
from thruline.brief.claims.names import render_openable, render_path
from thruline.brief.pointer import Pointer
from thruline.brief.quotation.quote import Quote, render_quote
from thruline.clock import parse_time
from thruline.errors import FormatError
from thruline.operations.packets.next_prompt import FRAME, render_goal
from thruline.redact import redact

_MOST_LINES, _LONGEST, _MOST_FILES = 60, 600, 20
_TITLES = ("purpose", "topic", "title", "goal", "task")
_TIMES = ("created_at", "created", "date", "timestamp", "ended_at", "last_updated")
_MARKS = re.compile(r"\A\s*(?:[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+|>\s+)?")
_RULE = re.compile(r"\A\s*(?:[-*_=]{3,}|[`~]{3,}\S*|\|[\s|:-]*\|)\s*\Z")
_STAMP = re.compile(r"(20\d\d)-?(\d\d)-?(\d\d)(?:[-_T ](\d\d)[-:]?(\d\d)(?:[-:]?(\d\d))?)?")
_PATH = re.compile(r"[\w@.+-]+(?:/[\w@.+-]+)+|[\w@+-]+\.[A-Za-z]\w{0,5}")
# The first word of a heading's that is found decides; the order is that of asking.
_PLACES = (
    (artifact.QUESTIONS, ("question", "blocker", "unknown", "blocked")),
    (artifact.VALIDATORS, ("validat", "verif", "exit criteria", "acceptance", "how to test", "definition of done")),
    (artifact.PLAN, ("next step", "action item", "todo", "to do", "plan", "remaining", "what's next", "next session")),
    (artifact.CONSTRAINTS, ("constraint", "rule", "do not", "don't", "avoid", "gotcha", "watch out", "caution")),
    (
        artifact.DECISIONS,
        ("decision", "decided", "rejected", "failed", "not work", "n't work", "learning", "dead"),
    ),
    (artifact.FILES, ("file", "reference", "artifact")),
    (artifact.INTENT, ("intent", "goal", "objective", "purpose", "task")),
    (
        artifact.CONTEXT,
        ("context", "background", "summary", "status", "state", "change", "progress", "done", "complete"),
    ),
)


@dataclass(frozen=True, slots=True)
class Converted:
    """What a handoff becomes. `created` is None where neither the file nor its name tells."""

    purpose: str
    created: datetime | None
    files: tuple[str, ...]
    sections: dict[str, str]


def convert_handoff(data: bytes, name: str, root: str) -> Converted:
    """The packet's parts from the file `name` (as seen from `root`)."""
    document, first = _parse(data, name)
    rows = list(_read_rows(document.body.decode("utf-8", "replace"), first))
    purpose = _find_purpose(document, rows, name)
    files = _find_files(rows, root)
    places: dict[str, list[str]] = {}
    left: dict[str, int] = {}
    for number, title, line in rows:
        place = _find_place(title)
        if len(places.setdefault(place, [])) >= _MOST_LINES:
            left[place] = left.get(place, 0) + 1
            continue
        places[place] += _quote(line, name, number)
    for place, count in left.items():
        places[place].append(
            f"- {count} more lines are in {render_path(name, 400)}. (`{Pointer('file', path=name).render()}`)"
        )
    intent = [render_words(purpose), *places.pop(artifact.INTENT, [])]
    listed = [
        f"### {artifact.CONFIRMED}",
        "",
        f"### {artifact.SUGGESTED}",
        *(f"- {render_path(each)}" for each in files),
    ]
    sections = {title: "\n".join(lines) for title, lines in places.items()}
    sections |= {
        artifact.INTENT: "\n".join(intent),
        artifact.FILES: "\n".join([*listed, *places.get(artifact.FILES, [])]),
        artifact.NEXT_PROMPT: _render_prompt(purpose, name, files),
    }
    return Converted(purpose, _find_time(document, name), files, sections)


def _parse(data: bytes, name: str) -> tuple[Document, int]:
    """The document and the number of its body's first line."""
    try:
        document = parse_document(data, name)
        return document, 1 if document.lines is None else len(document.lines) + 3
    except FormatError:
        return parse_document(b"\n" + data, name), 0  # a rule on top that begins no front matter


def _read_rows(text: str, first: int) -> Iterator[tuple[int, str, str]]:
    """Line number, heading and words of each line that says something."""
    title, fence = "", ""
    for number, line in enumerate(text.splitlines(), first):
        stripped = line.strip()
        if stripped.startswith(("```", "~~~")):
            fence = "" if fence else stripped[:3]
            continue
        if not fence and stripped.startswith("#") and stripped.lstrip("#").startswith(" "):
            title = stripped.lstrip("#").strip()
        elif stripped and not _RULE.match(line):
            words = _MARKS.sub("", line).rstrip()
            if words:
                yield number, title, words


def _find_place(title: str) -> str:
    lowered = title.lower()
    return next((place for place, words in _PLACES if any(word in lowered for word in words)), artifact.NOTES)


def _quote(line: str, name: str, number: int) -> list[str]:
    words = redact(line).text
    cut = words[:_LONGEST].rstrip() + " …" if len(words) > _LONGEST else words
    return render_quote(Quote(cut, Pointer("file", path=name, line=number), "file"), "- ")


def _find_purpose(document: Document, rows: list[tuple[int, str, str]], name: str) -> str:
    told = [document.get(key) for key in _TITLES]
    words = next((value for value in told if isinstance(value, str) and value.strip()), "")
    if not words:
        top = next((section.title for section in document.sections if section.level == 1), "")
        words = re.sub(r"(?i)\A(?:session |project )?hand-?off(?: document| notes?)?\s*[:\u2013\u2014-]*\s*", "", top)
    if not words:
        words = next((line for _, title, line in rows if _find_place(title) == artifact.INTENT), "")
    stem = re.sub(r"[-_]+", " ", os.path.splitext(os.path.basename(name))[0])
    return redact(" ".join((words or f"continue from {stem}").split())[:160]).text


def _find_time(document: Document, name: str) -> datetime | None:
    for key in _TIMES:
        value = document.get(key)
        if isinstance(value, str):
            try:
                return parse_time(value)
            except ValueError:
                if found := _read_stamp(value):
                    return found
    return _read_stamp(os.path.basename(name))


def _read_stamp(text: str) -> datetime | None:
    match = _STAMP.search(text)
    if match is None:
        return None
    try:
        return datetime(*(int(part or 0) for part in match.groups()), tzinfo=UTC)  # type: ignore[arg-type,misc]
    except ValueError:
        return None


def _find_files(rows: list[tuple[int, str, str]], root: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for _, _, line in rows:
        for word in _PATH.findall(line):
            inside = find_inside(word, root, root)
            if inside and os.path.isfile(os.path.join(root, inside)):
                found[inside] = None
    return tuple(found)[:_MOST_FILES]


def _render_prompt(purpose: str, name: str, files: tuple[str, ...]) -> str:
    blocks = [render_goal(purpose), FRAME, f"Where the work stood is told in {render_openable(name, 400)}."]
    blocks += [f"Open first: {', '.join(render_openable(each) for each in files[:5])}."] if files else []
    return "\n\n".join(blocks)
