"""`thruline verify`: a file of ours, every quotation re-read and every pointer re-opened."""

import os
from dataclasses import dataclass

from thruline.brief.check import Report, check_document, find_wanted
from thruline.brief.document import parse_document
from thruline.brief.evidence import Evidence
from thruline.config import load_config_tolerant
from thruline.disk.atomic import read_bytes, write_bytes
from thruline.errors import FormatError, NotFound
from thruline.layout import find_project, find_user_paths
from thruline.operations.facts import ProjectFacts
from thruline.operations.sessions.source import find_sources, read_parts

_LARGEST = 4 << 20
_MOST_QUOTES = 5_000


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
    data = read_bytes(path)
    if len(data) > _LARGEST:
        raise FormatError("The file is too large for a brief.", path=path, next="give a markdown file of thruline")
    text = _decode(data, path)
    document = parse_document(text)
    if not document.is_brief and not (document.quotes or document.malformed or document.pointers):
        raise FormatError(
            "This is no brief: it has none of the five sections, and no quotation or pointer of ours.",
            path=path,
            next="give a markdown file of thruline",
        )
    if len(document.quotes) + len(document.spoken) > _MOST_QUOTES:
        raise FormatError("The file has too many quotations for a brief.", path=path, next="split it")
    evidence = Evidence(*find_wanted(document))
    notes: tuple[str, ...] = ()
    transcripts: tuple[str, ...] = ()
    if document.sources or session or evidence.sources:
        found = find_sources(document.sources, folder=folder, session=session)
        notes = found.notes
        if found.located is not None:
            transcripts = tuple(map(found.located.shown, found.located.files))
            for part in read_parts(found.located, found.labels, evidence.sources):
                evidence.see(part)
    here = find_project(folder)
    settings = load_config_tolerant(here, find_user_paths(), os.environ)
    # The folder that the session worked in, if the file names it: what is here may be another project.
    named = project or next((source.project for source in document.sources if source.project), "")
    facts = ProjectFacts(named or here.root, timeout=settings.git.timeout_seconds)
    report = check_document(document, evidence, facts)
    if facts.absent:
        notes += (f"commits and files were not checked: {named} is not on this machine; --project tells where it is",)
    elif facts.no_git:
        notes += (f"commits could not be checked: {facts.no_git}",)
    fixed = fix and report.text != text
    if fixed:
        write_bytes(path, report.text.encode("utf-8"))
    proved = not report.troubles and not (evidence.sources and evidence.empty)
    return Verified(os.path.abspath(path), proved, fixed, report, transcripts, notes)


def _decode(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FormatError("The file is not UTF-8.", path=path, line=line, next="give a markdown file") from None
