"""`pickup`: the prompt that continues a packet, with what changed since. The packet itself is not touched."""

from dataclasses import dataclass

from thruline.artifacts.packet import NEXT_PROMPT, Packet
from thruline.brief.attempts.inert import render_words
from thruline.brief.claims.names import render_openable
from thruline.brief.pointer import Pointer
from thruline.brief.quotation.quote import Quote, render_quote
from thruline.clock import read_clock
from thruline.engines.rules.files import find_touched
from thruline.errors import ThrulineError
from thruline.layout import ProjectPaths
from thruline.operations.handoff.brief import read_facts, read_git
from thruline.operations.packets.freshness import Freshness, check_freshness
from thruline.operations.packets.store import find_current, find_packet
from thruline.operations.packets.suggesting import join_names, rank_touched, read_logged
from thruline.operations.sessions.locate import locate
from thruline.redact import redact
from thruline.session.pickup_prompt import frame_prompt

_MOST = 12


@dataclass(frozen=True, slots=True)
class Pickup:
    """A prompt ready to paste, and what it rests on. `rescanned` are files that the packet does not know."""

    packet: Packet
    freshness: Freshness
    prompt: str
    rescanned: tuple[str, ...] = ()


def pick_up(paths: ProjectPaths, ref: str = "", *, rescan: bool = False) -> Pickup:
    """The prompt of a packet; without `ref` of the newest active one, else the newest draft.

    With `rescan` the tool logs are read again: files that were touched since the packet was written are added.
    """
    packet = find_packet(paths, ref) if ref else find_current(paths)
    freshness = check_freshness(paths, packet)
    found = find_since(paths, packet) if rescan else ()
    return Pickup(packet, freshness, render_prompt(packet, freshness, found), found)


def find_since(paths: ProjectPaths, packet: Packet) -> tuple[str, ...]:
    """Files that the project's log or the session's own ledger has by now and the packet has not, the best first."""
    logged = [each.path for each in read_logged(paths, read_clock(), packet.created_at)]
    own: list[str] = []
    if packet.session_id or packet.transcript_path:
        try:
            located = locate(packet.session_id or packet.transcript_path, folder=paths.root)
        except ThrulineError:
            located = None  # the log alone, then: the session is on another machine
        if located is not None:
            facts, _, _ = read_facts(located, read_git(""))
            touched = find_touched(facts.ledger, facts.summary.cwd)
            own = [each.path for each in rank_touched(paths, touched, facts.summary.cwd)]
    known = {*packet.confirmed, *packet.suggested}
    return tuple(name for name in join_names(own, logged) if name not in known)


def render_prompt(packet: Packet, freshness: Freshness, rescanned: tuple[str, ...] = ()) -> str:
    """What the next session is told: the draft, the packet's place, and what no longer holds."""
    draft = (packet.document.read_section(NEXT_PROMPT, 2) or "").strip() or f"Goal: {render_words(packet.purpose)}"
    place = packet.document.path
    blocks = [draft, *_render_files(packet, rescanned, draft)]
    changes = render_freshness(freshness)
    if changes:
        blocks.append("Since the packet was written:\n" + changes)
    return frame_prompt(packet.id, packet.status, render_openable(place, 400), blocks)


def render_freshness(freshness: Freshness) -> str:
    """The changes as bullets; nothing where there are none."""
    settled = set(freshness.committed)
    rows = [f"- changed: {_render_changed(name, settled)}" for name in freshness.changed[:_MOST]]
    rows += [f"- gone: {render_openable(name)}" for name in freshness.gone[:_MOST]]
    rows += [line for digest, subject in freshness.commits[:_MOST] for line in _render_commit(digest, subject)]
    more = len(freshness.commits) - _MOST
    rows += [f"- landed: {more} more commits"] if more > 0 else []
    for one in freshness.settled[:_MOST]:
        names = ", ".join(render_openable(name) for name in one.files)
        rows.append(f"- settled, line {one.line} of the packet: committed since: {names}")
    for one in freshness.stale[:_MOST]:
        names = ", ".join(_render_changed(name, settled) for name in one.files)
        rows.append(f"- stale, line {one.line} of the packet: it names {names}")
    rows += [f"- not proved, {render_words(one)}" for one in freshness.unproved[:_MOST]]
    return "\n".join(rows)


def _render_changed(name: str, settled: set[str]) -> str:
    return render_openable(name) + (" (committed since)" if name in settled else "")


def _render_commit(digest: str, subject: str) -> list[str]:
    words = redact(subject).text.strip()
    quote = render_quote(Quote(words, Pointer("commit", commit=digest), "git"), "  ") if words else []
    return [f"- landed: commit `{digest}`", *quote]


def _render_files(packet: Packet, rescanned: tuple[str, ...], draft: str) -> list[str]:
    """The lists of files, without what the draft names already."""
    lists = (
        ("Confirmed by the user", packet.confirmed),
        ("Also changed by the session", packet.suggested),
        ("Changed since, by the tool logs", rescanned),
    )
    rows = []
    told = draft
    for title, names in lists:
        shown = [name for name in (render_openable(each) for each in names) if name not in told][:_MOST]
        if shown:
            rows.append(f"{title}: {', '.join(shown)}.")
            told += rows[-1]
    return ["\n".join(rows)] if rows else []
