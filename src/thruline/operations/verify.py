"""`thruline verify`: a file of ours, every quotation re-read and every pointer re-opened."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace

from thruline.brief.check import check_document
from thruline.brief.claims.claimed import find_stated, find_wanted
from thruline.brief.claims.forms import find_free
from thruline.brief.claims.stated import COMMITTED, CREATED, EDITED, Fact
from thruline.brief.document import Document, parse_document
from thruline.brief.pointer import decode_path
from thruline.brief.proof.done import Done
from thruline.brief.proof.nothing import Denied, denies_dead_ends
from thruline.brief.quotation.evidence import Evidence
from thruline.brief.quotation.quote import CUT
from thruline.brief.report import SOURCE, Report, Trouble
from thruline.brief.section import Source
from thruline.brief.sources import parse_sources
from thruline.brief.verify import DANGLING, OK
from thruline.config import load_config_tolerant
from thruline.disk.atomic import read_bytes, write_bytes
from thruline.engines.rules.basics import name_command
from thruline.errors import FormatError, NotFound
from thruline.layout import find_project, find_user_paths
from thruline.operations.facts import ProjectFacts
from thruline.operations.sessions.describe import find_last_line, is_same
from thruline.operations.sessions.locate import Located
from thruline.operations.sessions.reading import Reading
from thruline.operations.sessions.side_files import prove_aside
from thruline.operations.sessions.source import find_sources, read_others
from thruline.operations.sessions.written import check_out
from thruline.session.summary import Summary

PROJECT = "project"  # what a brief was checked against is not its project
# What editors of Windows put before a text says nothing.
_MARK = "\ufeff"
# A brief has some kilobytes, and some dozens of claims. What is far larger is none, and would be read for minutes.
_LARGEST = 1 << 20
_LONGEST_LINE = 1 << 16
_MOST = 5_000


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found in a file. `transcripts` are the files it was checked against, `notes` what to know of them."""

    file: str
    ok: bool
    fixed: bool
    report: Report
    transcripts: tuple[str, ...]
    notes: tuple[str, ...]


def verify_file(path: str, *, folder: str, session: str = "", project: str = "", fix: bool = False) -> Verified:
    """Checks the file at `path`; with `fix` it is repaired, and only where something was wrong.

    `project` is where the project of the file is now, for one that was moved since.
    """
    if project and not os.path.isdir(project):
        raise NotFound("No such folder.", where=project, next="give the folder that the project is in now")
    if os.path.exists(path) and not os.path.isfile(path):
        raise FormatError("This is no regular file.", path=path, next="give a markdown file of thruline")
    data = read_bytes(path)
    if len(data) > _LARGEST:
        raise FormatError("The file is too large for a brief.", path=path, next="give a markdown file of thruline")
    text = _decode(data, path)
    _check_lines(text, path)
    document = parse_document(text)
    if not document.is_brief and not (document.quotes or document.malformed or document.pointers):
        raise FormatError(
            "This is no brief: it has none of the five sections, and no quotation or pointer of ours.",
            path=path,
            next="give a markdown file of thruline",
        )
    _check_counts(document, path)
    evidence = Evidence(*find_wanted(document))
    found_stated = find_stated(document)
    stated = [fact for _, facts in found_stated for fact in facts]
    done = Done(stated, name_command)
    denied = Denied() if denies_dead_ends(document) else None
    notes: tuple[str, ...] = ()
    transcripts: tuple[str, ...] = ()
    changed: list[str] = []
    if document.sources or session or evidence.sources:
        found = find_sources(document.sources, folder=folder, session=session)
        notes = found.notes
        changed += [found.changed] if found.changed else []
        if found.located is not None:
            transcripts = tuple(map(found.located.shown, found.located.files))
            own = next((source for source in document.sources if not source.label), None)
            done.last_line = find_last_line(own, found.located.files[0]) if own is not None else 0
            for part in Reading(found.located):
                evidence.see(part)
                done.see(part)
                if denied is not None and not (0 < done.last_line < part.line):
                    denied.see(part)
            for part in read_others(found.located, found.labels, evidence.sources):
                evidence.see(part)
                done.see_other(part)
            if done.wants_aside:
                prove_aside(found.located, done)
            # As it is written there: the folder that a claim tells is held against the transcript with its claim.
            written = next((source for source in parse_sources(document.lines) if not source.label), None)
            if written is not None and not session:
                changed += _find_untrue(written, found.located, done.ended.summary)
    here = find_project(folder)
    settings = load_config_tolerant(here, find_user_paths(), os.environ)
    # The folder that the session worked in, if the file names it: what is here may be another project.
    stated_in = next((source.project for source in document.sources if source.project), "")
    named = project or stated_in or done.ended.summary.cwd
    facts = ProjectFacts(named or here.root, timeout=settings.git.timeout_seconds)
    other = _find_other_project(document, stated, facts)
    # Without a transcript nobody knows better than git, and this may be another project's.
    facts.doubted = bool(other) and evidence.empty
    report = check_document(document, evidence, facts, None if evidence.empty else done, denied, found_stated)
    if changed and not _is_doubted(report):
        told = next((at for at, line in enumerate(document.lines) if line.startswith("- `transcript` ")), 0)
        troubles = [Trouble(told + 1, SOURCE, what) for what in changed]
        report = replace(report, troubles=(*report.troubles, *troubles))
    notes += tuple(_tell_free(document))
    if other and project:
        report = replace(report, troubles=(*report.troubles, Trouble(1, PROJECT, other, project)))
    elif other:
        notes += (f"{facts.root}: {other}",)
    if facts.absent:
        notes += (f"commits and files were not checked: {named} is not on this machine; --project tells where it is",)
    elif facts.no_git:
        notes += (f"commits could not be checked: {facts.no_git}",)
    fixed = fix and report.text != text
    if fixed:
        check_out(path)
        write_bytes(path, report.text.encode("utf-8"))
    proved = not report.troubles and not (evidence.sources and evidence.empty)
    return Verified(os.path.abspath(path), proved, fixed, report, transcripts, notes)


def _check_lines(text: str, path: str) -> None:
    for at, line in enumerate(text.split("\n")):
        if len(line) > _LONGEST_LINE:
            raise FormatError("The line is too long for a brief.", path=path, line=at + 1, next="split it")


def _check_counts(document: Document, path: str) -> None:
    """A claim, a quotation or a pointer each costs; the line told is the first of those that are too many."""
    counted = {
        "quotations": [*(one.first for one in document.quotes), *(one.line for one in document.spoken)],
        "pointers": [one.line for one in document.pointers],
        "claims": [one.first for one in document.claims],
    }
    for name, lines in counted.items():
        if len(lines) > _MOST:
            told = f"The file has too many {name} for a brief: at most {_MOST:,} are read."
            raise FormatError(told, path=path, line=sorted(lines)[_MOST] + 1, next="split it")


def _find_untrue(own: Source, located: Located, summary: Summary) -> Iterator[str]:
    """What the line of a transcript in the Sources says of it that is not so."""
    if own.harness and own.harness != located.harness.name:
        yield "the transcript is another client's"
    stem = os.path.basename(located.shown(located.files[0])).partition(".")[0]
    if own.session and own.session not in (summary.session_id, located.session_id, stem):
        yield "the transcript is another session's"
    if own.leaf not in ("", summary.last_uuid) and own.digest and is_same(own, located.files[0]):
        yield "that is not the record that was the last"
    if own.project and summary.cwd and _find_name(own.project) != _find_name(summary.cwd):
        yield "the session was not started in a folder of that name"


def _find_name(folder: str) -> str:
    # One that is called the same may be where the project is on this machine.
    return folder.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _is_doubted(report: Report) -> bool:
    """Whether the transcript may be another one: not all that is quoted of it stands in it, or nothing is."""
    return report.quotes[OK] == 0 or report.quotes[OK] != report.quotes.total() or bool(report.pointers[DANGLING])


def _tell_free(document: Document) -> Iterator[str]:
    """How many claims are in a model's words, checked less than the rules': one added by hand is told."""
    others = sorted(document.made_by - {"rules"})
    free = len(list(find_free(document))) if document.is_brief and others else 0
    if free:
        words = "1 claim is" if free == 1 else f"{free} claims are"
        names = ", ".join(f"`{name}`" for name in others)
        yield f"{words} in words of {names}: names, places and quotations in them were checked, not what they mean"


def _find_other_project(document: Document, stated: list[Fact], facts: ProjectFacts) -> str:
    """What shows that a folder is not the project of a brief: it has nothing of what the brief names. "" where it has.

    Errs on the side of the project: one commit, or where none is named one file, is enough.
    """
    if facts.absent:
        return ""
    commits = [fact.name for fact in stated if fact.kind == COMMITTED]
    commits += [inline.pointer.commit for inline in document.pointers if inline.pointer.kind == "commit"]
    commits += [placed.quote.pointer.commit for placed in document.quotes if placed.quote.pointer.kind == "commit"]
    if commits:
        known = any(facts.has_commit(commit) for commit in dict.fromkeys(commits))
        return "" if known else "none of the commits that this file names is there: it may be another project"
    files = [decode_path(fact.name) for fact in stated if fact.kind in (CREATED, EDITED)]
    files = [name for name in files if not name.startswith(("/", "~", CUT))]
    known = not files or any(facts.has_file(name, 0, "") for name in files)
    return "" if known else "none of the files that this file names is there: it may be another project"


def _decode(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8").removeprefix(_MARK)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FormatError("The file is not UTF-8.", path=path, line=line, next="give a markdown file") from None
