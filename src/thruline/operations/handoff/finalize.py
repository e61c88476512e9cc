"""`handoff finalize`: a model's sections repaired, checked, verified and merged with the rules' into one brief.

Nothing in them is run, opened or fetched. A section that cannot be used is told by name; the rules' section, or the
placeholder, stands in for it.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

from thruline.brief.attempts.watch import AttemptWatch, tell_withheld
from thruline.brief.claims.denials import find_denials
from thruline.brief.claims.mentioned import find_mentioned
from thruline.brief.claims.standing import find_claimed
from thruline.brief.merge import merge_sections
from thruline.brief.model.content import attach_pointers, count_odd, fold_topics, parse_content, parse_pointers
from thruline.brief.model.fate import Fate, judge_fates, number_claims
from thruline.brief.model.lift import CopyWatch
from thruline.brief.model.repair import repair_json
from thruline.brief.model.unsaid import strip_spoken
from thruline.brief.model.whole import widen_quotes
from thruline.brief.model.withhold import withhold_orders
from thruline.brief.pointer import Pointer
from thruline.brief.proof.done import Done
from thruline.brief.quotation.evidence import Evidence
from thruline.brief.render import DEFAULT_BUDGET, Rendered, render_brief
from thruline.brief.section import TABLE, Brief, Section, check_answer, find_row, order_sections
from thruline.brief.verify import Tally, find_wanted, verify_sections
from thruline.disk.atomic import read_bytes
from thruline.engines.rules.basics import name_command
from thruline.errors import NotFound, ThrulineError
from thruline.operations.facts import ProjectFacts, find_session_folder
from thruline.operations.handoff.brief import build_title
from thruline.operations.sessions.describe import describe_sources
from thruline.operations.sessions.locate import Located
from thruline.operations.sessions.reading import Reading
from thruline.operations.sessions.side_files import prove_aside
from thruline.operations.sessions.source import read_others
from thruline.session.summary import Summary

# A section is a page; what is larger is a dump, and none of it is read.
_LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Finalized:
    """A brief and how it came to be.

    `failures` are (section, why), `notes` (section, what of it could not be used). `grown` tells that the session's
    leaf is not the one that was asked for, `strange` that it has no record of that name at all. `fates` tell of each
    claim that a model wrote what became of it.
    """

    brief: Brief
    rendered: Rendered
    tally: Tally
    failures: tuple[tuple[str, str], ...]
    session: str
    leaf: str
    grown: bool
    strange: bool = False
    notes: tuple[tuple[str, str], ...] = ()
    fates: tuple[Fate, ...] = ()


def finalize(
    located: Located,
    sections_dir: str,
    *,
    root: str,
    leaf: str = "",
    budget: int = DEFAULT_BUDGET,
    rules: Mapping[str, Section] | None = None,
    corrections: tuple[Pointer, ...] = (),
    origin: str = "agent",
    alone: bool = True,
    git_timeout: float | None = None,
) -> Finalized:
    """The brief of the sections in `sections_dir`; an error only where neither they nor the rules gave one.

    `corrections` are the places of all that was mined: the brief tells how many of them it does not quote. With `alone`
    what the rules found will do.
    """
    told, failures, notes = read_sections(sections_dir, origin)
    if not told and not (rules and alone):
        names = "; ".join(f"{name}: {why}" for name, why in failures)
        raise NotFound(
            "No section could be used.",
            where=f"{sections_dir}  ({names})",
            next="write at least one section; `thruline handoff <ref>` makes a brief without any",
        )
    made = build_brief(
        located,
        told,
        rules or {},
        failures,
        root=root,
        corrections=corrections,
        leaf=leaf,
        budget=budget,
        git_timeout=git_timeout,
    )
    return replace(made, notes=notes)


def build_brief(
    located: Located,
    told: Mapping[str, Section],
    rules: Mapping[str, Section],
    failures: tuple[tuple[str, str], ...] = (),
    *,
    root: str,
    corrections: tuple[Pointer, ...] = (),
    leaf: str = "",
    budget: int = DEFAULT_BUDGET,
    git_timeout: float | None = None,
) -> Finalized:
    """Verifies both kinds of sections, merges and renders them.

    The session is read twice: what a model copied is known only after the first time, and proved in the second.
    """
    written = number_claims(told.values())
    copies, summary, watch = CopyWatch(written), Summary(), AttemptWatch()
    known = not leaf
    for part in Reading(located):
        known = known or part.uuid == leaf
        copies.see(part)
        summary.see(part)
        watch.see(part)
    quotes = [quote for section in rules.values() for claim in section.claims for quote in claim.quotes]
    watch.see_subjects((quote.pointer, quote.text) for quote in quotes if quote.pointer.kind == "commit")
    lifted = fold_topics(copies.lift(written))
    evidence = Evidence(*find_wanted([*lifted, *rules.values()]))
    claims = [claim for section in lifted for claim in section.claims]
    stated = [fact for claim in claims for fact in find_claimed(claim.text, claim.quotes, claim.pointers)]
    stated += [fact for claim in claims for fact in (*find_mentioned(claim.text), *find_denials(claim.text))]
    done = Done(stated, name_command)
    for part in Reading(located):
        evidence.see(part)
        done.see(part)
    for part in read_others(located, located.sources(), evidence.sources):
        evidence.see(part)
        done.see_other(part)
    if done.wants_aside:
        prove_aside(located, done)
    # The session's own folder decides, wherever this is run; one that is not on this machine leaves facts unchecked.
    project = find_session_folder(summary.cwd, root) or summary.cwd
    facts = ProjectFacts(project, timeout=git_timeout)
    confined = ProjectFacts(project, timeout=git_timeout, confined=True)
    proved_told, tally = verify_sections(lifted, evidence, confined, done)
    proved_rules, own = verify_sections(rules.values(), evidence, facts)
    spoken = strip_spoken(withhold_orders(widen_quotes(proved_told, evidence), evidence, confined))
    merged = merge_sections({one.name: one for one in proved_rules}, {one.name: one for one in spoken})
    sections = order_sections(_add_attempts(merged, watch))
    labels = {source for source, _ in _places(sections)}
    session = summary.session_id or located.session_id
    brief = Brief(
        sections,
        title=build_title(summary),
        sources=describe_sources(
            located, session=session, leaf=summary.last_uuid, labels=sorted(labels), project=project
        ),
        corrections=corrections,
    )
    for name in ("quotes", "pointers", "facts"):
        getattr(tally, name).update(getattr(own, name))
    whole = replace(tally, claims=tally.claims + own.claims, unsourced=tally.unsourced + own.unsourced)
    grown = bool(leaf) and leaf != summary.last_uuid
    rendered = render_brief(brief, budget)
    return Finalized(
        brief,
        rendered,
        whole,
        failures,
        session,
        summary.last_uuid,
        grown and known,
        not known,
        fates=judge_fates(written, lifted, proved_told, spoken, rendered),
    )


def read_sections(
    folder: str, origin: str
) -> tuple[dict[str, Section], tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """The sections that can be used, by name, why each of the others cannot, and what of the first was left out."""
    found = _find_files(folder)
    sections: dict[str, Section] = {}
    failures: list[tuple[str, str]] = []
    notes: list[tuple[str, str]] = []
    for row in TABLE:
        path = found.get(row.name)
        section, why = _read_section(path, row.name, origin) if path else (None, "there is no file")
        if section is not None:
            sections[row.name] = section
        if why:
            (failures if section is None else notes).append((row.name, why))
    return sections, tuple(failures), tuple(notes)


def _find_files(folder: str) -> dict[str, str]:
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise NotFound(
            f"Cannot read the sections: {error.strerror}.", where=folder, next="give the folder they were written to"
        ) from None
    found: dict[str, str] = {}
    for name in names:
        row = find_row(name) if name.endswith(".json") else None
        # The canonical spelling wins over a tolerated one.
        if row is not None and (row.name not in found or name == row.file_name):
            found[row.name] = os.path.join(folder, name)
    return found


def _read_section(path: str, name: str, origin: str) -> tuple[Section | None, str]:
    try:
        if not os.path.isfile(path):
            return None, "it is not a file"
        size = os.path.getsize(path)
        if size > _LARGEST:
            return None, f"{size:,} bytes; at most {_LARGEST:,} are read"
        text = read_bytes(path).decode("utf-8", "replace")
    except (ThrulineError, OSError) as error:
        return None, str(error).split("\n", 1)[0]
    value = repair_json(text)
    if value is None:
        return None, "no JSON object in it" if text.strip() else "it is empty"
    problems = check_answer(name, value)
    if problems:
        return None, "; ".join(problems)
    pointers, notes = parse_pointers(value["pointers"])
    claims = attach_pointers(parse_content(value["content"], pointers, origin), notes)
    if not claims:
        return None, "no claim in its content"
    odd = count_odd(value["pointers"])
    return Section(name, claims), f"{odd} of {len(value['pointers'])} pointers cannot be read" if odd else ""


def _add_attempts(sections: dict[str, Section], watch: AttemptWatch) -> dict[str, Section]:
    claims = tell_withheld(watch.build_claims(), sections.values())
    if not claims:
        return sections
    threads = sections.get("open_threads", Section("open_threads", failed=True))
    known = {
        pointer.render() for claim in threads.claims for pointer in claim.pointers if claim.topic == claims[0].topic
    }
    fresh = tuple(claim for claim in claims if not any(pointer.render() in known for pointer in claim.pointers))
    return sections | {"open_threads": replace(threads, claims=(*threads.claims, *fresh))}


def _places(sections: tuple[Section, ...]) -> list[tuple[str, int]]:
    claims = [claim for section in sections for claim in section.claims]
    pointers = [pointer for claim in claims for pointer in claim.pointers]
    pointers += [quote.pointer for claim in claims for quote in claim.quotes]
    return [(pointer.source, pointer.line) for pointer in pointers if pointer.kind == "transcript"]
