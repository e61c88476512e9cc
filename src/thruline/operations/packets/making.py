"""`handoff <purpose>`: a packet filled from what the rules found in a session.

Every word that is not ours stands in a quotation, as in a brief, so `thruline verify` proves a packet as well.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from thruline.artifacts import packet as artifact
from thruline.artifacts.relevant_files import find_inside
from thruline.brief.inert import render_words
from thruline.brief.names import render_command, render_path
from thruline.brief.render import render_claim
from thruline.brief.section import Claim, Section
from thruline.brief.sources import render_sources
from thruline.clock import read_clock
from thruline.engines.rules import Facts, Rules
from thruline.engines.rules.basics import is_work, strip_watched
from thruline.engines.rules.candidates import ASKED, OVERRULED
from thruline.engines.rules.candidates import RULES as CONSTRAINTS
from thruline.engines.rules.files import Touched, find_touched
from thruline.engines.rules.open_threads import CONFLICTS
from thruline.harnesses.transcripts import read_head
from thruline.layout import ProjectPaths
from thruline.operations.handoff.brief import read_facts, read_git
from thruline.operations.packets.freshness import COMMIT_FIELD, STATE_FIELD, build_state, read_head_commit
from thruline.operations.packets.next_prompt import render_next_prompt
from thruline.operations.packets.store import write_packet
from thruline.operations.sessions.locate import Located
from thruline.operations.sessions.source import describe_sources
from thruline.redact import redact
from thruline.session import parts

# A packet is read by people too: about as much as a brief.
_ROOM = 10_000
_MOST_FILES, _MOST_VALIDATORS = 20, 6
_TESTS = re.compile(
    r"\b(?:tests?|pytest|unittest|tox|nox|jest|vitest|mocha|rspec|ctest|check|lint|ruff|mypy|tsc|eslint|clippy|vet)\b"
)
_REJECTED, _DECIDED = "### Rejected", "### Decided"
_NOTHING = "_Nothing was found in the session._"


@dataclass(frozen=True, slots=True)
class MadePacket:
    """A packet that was written, and where."""

    id: str
    path: str
    purpose: str
    session: str
    suggested: tuple[str, ...]
    validators: tuple[str, ...]


def make_packet(located: Located, paths: ProjectPaths, purpose: str) -> MadePacket:
    """Writes the packet of a session for a purpose, a draft."""
    git = read_git(read_head(located.harness, located.files[0]).get("cwd", ""))
    facts, _, _ = read_facts(located, git)
    sections = {section.name: section for section in Rules(facts).build(_ROOM)}
    touched = [each for each in find_touched(facts.ledger, facts.summary.cwd) if each.how not in ("deleted", "gone")]
    files = tuple(find_inside(each.path, paths.root, facts.summary.cwd) or each.name for each in touched[:_MOST_FILES])
    validators = find_validators(facts)
    purpose = redact(" ".join(purpose.split())).text
    session = facts.summary.session_id or located.session_id
    texts = build_texts(sections, purpose, touched[:_MOST_FILES], validators)
    labels = sorted(_find_labels(sections.values()))
    sources = describe_sources(
        located, session=session, leaf=facts.summary.last_uuid, labels=labels, project=facts.summary.cwd
    )

    def render(packet_id: str) -> bytes:
        return artifact.render_packet(
            packet_id,
            read_clock(),
            purpose,
            fields={
                "source": located.harness.name,
                "session_id": session,
                "transcript_path": located.shown(located.files[0]),
                "relevant_files_confirmed": [],
                "relevant_files_suggested": list(files),
                STATE_FIELD: build_state(paths.root, files),
                COMMIT_FIELD: read_head_commit(paths.root),
                "validators": list(validators),
                "loop_promise": None,
                "loop_max_iterations": 0,
            },
            sections=texts,
            sources="\n".join(render_sources(sources, {})),
        )

    packet_id = write_packet(paths, purpose, render)
    path = f"{paths.packets}/{packet_id}.md"
    return MadePacket(packet_id, path, purpose, session, files, validators)


def build_texts(
    sections: dict[str, Section], purpose: str, touched: Sequence[Touched], validators: Sequence[str]
) -> dict[str, str]:
    """What stands below each heading."""
    basics, threads = sections["basics"].claims, sections["open_threads"].claims
    landed, ends = sections["convergence"].claims, sections["dead_ends"].claims
    constraints = [claim for claim in basics if claim.topic == CONSTRAINTS]
    decided = [claim for claim in basics if claim.topic == ASKED]
    context = [claim for claim in basics if claim.topic not in (CONSTRAINTS, ASKED)]
    questions = [claim for claim in threads if claim.topic == CONFLICTS or claim.flag or _asks(claim)]
    plan = [claim for claim in threads if claim not in questions and not claim.statement]
    return {
        artifact.INTENT: render_words(purpose),
        artifact.CONTEXT: _render(landed) + "\n" + _render(context),
        artifact.CONSTRAINTS: _render(constraints) or _NOTHING,
        artifact.DECISIONS: "\n".join(_render_decisions(decided, ends)),
        artifact.FILES: _render_files(touched),
        artifact.NEXT_PROMPT: render_next_prompt(purpose, landed, ends, plan, constraints, touched, validators),
        artifact.PLAN: _render(plan) or _NOTHING,
        artifact.VALIDATORS: "\n".join(f"- {render_command(command)}" for command in validators) or _NOTHING,
        artifact.QUESTIONS: _render(questions) or _NOTHING,
        artifact.NOTES: "",
    }


def find_validators(facts: Facts) -> tuple[str, ...]:
    """The commands of the session that tell whether it works: the passed before the failed, newest first."""
    ran = [
        each
        for each in facts.ledger.commands.values()
        if not each.source and is_work(each.command) and _TESTS.search(each.command)
    ]
    ran.sort(key=lambda each: (each.outcome != parts.OK, -each.line))
    commands = dict.fromkeys(strip_watched(each.command) for each in ran)
    # A secret in a command line would be tracked by git with the packet.
    return tuple(one for one in commands if redact(one).text == one)[:_MOST_VALIDATORS]


def _render(claims: Iterable[Claim]) -> str:
    return "\n".join(line for claim in claims for line in render_claim(claim))


def _render_decisions(decided: Sequence[Claim], ends: Sequence[Claim]) -> Iterable[str]:
    yield _DECIDED
    yield _render(decided) or _NOTHING
    yield _REJECTED
    users = [claim for claim in ends if claim.topic == OVERRULED]
    yield _render([*users, *(claim for claim in ends if claim.topic != OVERRULED)]) or _NOTHING


def _render_files(touched: Sequence[Touched]) -> str:
    rows = [f"- {render_path(each.name)} ({each.how})" for each in touched]
    return "\n".join([f"### {artifact.CONFIRMED}", "", f"### {artifact.SUGGESTED}", *rows])


def _asks(claim: Claim) -> bool:
    return any(quote.text.rstrip().endswith("?") for quote in claim.quotes)


def _find_labels(sections: Iterable[Section]) -> set[str]:
    claims = [claim for section in sections for claim in section.claims]
    pointers = [pointer for claim in claims for pointer in claim.pointers]
    pointers += [quote.pointer for claim in claims for quote in claim.quotes]
    return {pointer.source for pointer in pointers} - {""}
