"""Lines that have no place in a brief: what nobody checks must not stand between what was proved."""

from collections.abc import Iterator, Sequence

from thruline.brief.attempts.inert import blank_spans
from thruline.brief.quotation.quote import looks_quoted
from thruline.brief.section import HEADINGS
from thruline.brief.sources import HEADING as SOURCES_HEADING
from thruline.brief.sources import find_engines, is_source_line
from thruline.brief.wording import is_statement, is_title, is_topic
from thruline.pattern import compile_later

_STATEMENT = compile_later(r"_(.+)_\Z")
_TOPIC = "### "
_COMMENT = "<!--"
_FENCE = "---"
_FIELD = compile_later(r"#|[A-Za-z_][\w.-]*:(?: |\Z)|\s*- \S|[\s}\]]")


def find_strays(lines: Sequence[str], outside: Sequence[int]) -> Iterator[int]:
    """The lines of a brief that are no heading, claim, quotation, statement or Sources line; none where it is no brief.

    `outside` are the lines that are no part of a quotation. A packet or a fork has text of its own, and may.
    """
    if not is_brief(lines, outside):
        return
    start = _skip_frontmatter(lines)
    chosen = find_engines(lines) != {"rules"}  # the rules put no name of an engine behind a topic
    place = ""
    titled = False
    for at in outside:
        line = lines[at].rstrip()
        if not line or (at < start and _is_field(line)):
            continue
        if line in HEADINGS or line == SOURCES_HEADING:
            place = line
        elif is_title(line) and not place and not titled:
            titled = True
        elif not _belongs(line, place, chosen):
            yield at


def check_headings(lines: Sequence[str], outside: Sequence[int]) -> Iterator[tuple[int, str]]:
    """What is wrong with the five headings of a brief, each with its line; a missing one is told at the file's end."""
    if not is_brief(lines, outside):
        return
    order = list(HEADINGS)
    seen: list[str] = []
    for at in outside:
        heading = lines[at].rstrip()
        if heading not in HEADINGS:
            continue
        if heading in seen:
            yield at, f"{heading} stands here again"
        elif any(order.index(other) > order.index(heading) for other in seen):
            yield at, f"{heading} stands behind {seen[-1]}"
        seen.append(heading)
    last = len(lines) - 1 if lines[-1].strip() or len(lines) == 1 else len(lines) - 2
    for heading in order:
        if heading not in seen:
            yield last, f"{heading} is missing"


def is_brief(lines: Sequence[str], outside: Sequence[int]) -> bool:
    """Whether one of the five headings stands in a file."""
    return any(lines[at].rstrip() in HEADINGS for at in outside)


def _belongs(line: str, place: str, chosen: bool) -> bool:
    if looks_quoted(line):
        return True  # told as a malformed quotation
    if place == SOURCES_HEADING:
        return is_source_line(line)
    if not place or _COMMENT in blank_spans(line):
        return False
    statement = _STATEMENT.match(line)
    if statement is not None:
        return is_statement(statement[1])
    if line.startswith(_TOPIC):
        return is_topic(line.removeprefix(_TOPIC), chosen=chosen)
    return line.startswith(("- ", "* "))


def _is_field(line: str) -> bool:
    """Whether a line is one of frontmatter: its fence, a field, an item of a list, a comment."""
    return line == _FENCE or _FIELD.match(line) is not None


def _skip_frontmatter(lines: Sequence[str]) -> int:
    if lines and lines[0].rstrip() == _FENCE:
        for at in range(1, len(lines)):
            if lines[at].rstrip() == _FENCE:
                return at + 1
    return 0
