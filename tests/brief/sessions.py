"""Sessions of a few parts for the tests of this room, and facts that need no disk."""

from collections.abc import Iterable

from thruline.brief.check import check_document
from thruline.brief.claims.claimed import find_stated, find_wanted
from thruline.brief.document import parse_document
from thruline.brief.proof.done import Done
from thruline.brief.quotation.evidence import Evidence
from thruline.brief.report import Report
from thruline.session.parts import Part, Said


class NoFacts:
    """A project of which nothing can be told."""

    def has_commit(self, commit: str) -> bool | None:
        return None

    def read_subject(self, commit: str) -> str | None:
        return None

    def has_file(self, path: str, line: int, symbol: str) -> bool | None:
        return None

    def read_line(self, path: str, line: int) -> str | None:
        return None


class SomeFacts(NoFacts):
    """A project with one commit and one file."""

    def has_commit(self, commit: str) -> bool | None:
        return "1a2b3c4d".startswith(commit)

    def read_subject(self, commit: str) -> str | None:
        return "Close the cursor once"

    def has_file(self, path: str, line: int, symbol: str) -> bool | None:
        return path == "src/export.py" and line <= 2 and symbol in ("", "export")

    def read_line(self, path: str, line: int) -> str | None:
        return ["def export(rows):", "    return rows"][line - 1]


def said(line: int, text: str, by: str = "human") -> Said:
    """Something said at a line."""
    return Said(line, by, "turn" if by == "human" else "text", text, uuid=f"u{line}")


def check_text(text: str, session: Iterable[Part], facts: NoFacts | None = None, *, whole: bool = True) -> Report:
    """A file's text checked against a session; not `whole` where the transcript of a subagent is lost."""
    document = parse_document(text)
    evidence = Evidence(*find_wanted(document))
    done = Done((fact for _, stated in find_stated(document) for fact in stated), str.strip)
    for part in session:
        evidence.see(part)
        done.see(part)
    if not whole:
        done.miss_aside()
    return check_document(document, evidence, facts or NoFacts(), None if evidence.empty else done)
