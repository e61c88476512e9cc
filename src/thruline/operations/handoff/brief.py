"""`handoff <ref>`: the brief of a session by rules, from one pass over it.

The rules quote what they read in that same pass, so nothing is read twice; `verify` proves it to whoever doubts.
"""

import os
import re
from collections.abc import Callable, Iterable

from thruline.brief.attempts.prose import is_prose
from thruline.brief.attempts.watch import AttemptWatch, tell_withheld
from thruline.brief.claims.names import reads_like_order
from thruline.brief.pointer import Pointer, place
from thruline.brief.render import DEFAULT_BUDGET, Rendered, measure_room, render_brief
from thruline.brief.section import Brief
from thruline.digest import sha256
from thruline.engines.rules import NAME, SURE, VERSION, Facts, GitState, Material, Rules
from thruline.engines.rules.ahead import Ahead
from thruline.gitfacts import NOT_A_REPOSITORY, NoAnswer, has_commit, read_diff_stat, read_log, read_status
from thruline.harnesses.transcripts import read_folder
from thruline.layout import ProjectPaths, find_user_paths
from thruline.operations.handoff.begin import Begun
from thruline.operations.handoff.cache import Key, find_cached, keep_brief, read_cached
from thruline.operations.sessions.describe import describe_sources
from thruline.operations.sessions.locate import Located
from thruline.operations.sessions.measure import stamp_files
from thruline.operations.sessions.reading import Reading
from thruline.operations.sessions.reading_aside import ReadingAside
from thruline.operations.sessions.side_files import read_aside
from thruline.session.ledger import Ledger
from thruline.session.parts import Problem
from thruline.session.summary import Summary
from thruline.signals.miner import SignalMiner
from thruline.signals.signal import Signal
from thruline.spine.budget import BYTES_PER_TOKEN
from thruline.value import dataclass, replace

_PLAIN = re.compile(r"[\w.@+/-](?:[\w.@+/ -]{0,78}[\w.@+/-])?")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOST_WORDS = 5  # of a folder's name: one of more could be a sentence with hyphens in it
_COMMITS = 30
# How often the room is tried anew, and which part of the budget may stay unused. Where there is much of it, a third
# try brings a few bytes and costs as much as the first, and so does a second one of a brief that is nearly full or that
# nothing is missing in.
_TRIES, _TRIES_ROOMY, _ROOMY = 5, 2, 1_500
_SPARE, _SPARE_ROOMY = 60, 30


@dataclass(frozen=True, slots=True)
class Made:
    """A brief and how it came to be. `brief` is None where it was in the cache; `cached` is where it is kept.

    `trouble` says why it could not be kept, where that was tried.
    """

    session: str
    text: str
    budget: int
    brief: Brief | None
    rendered: Rendered | None
    problems: tuple[Problem, ...]
    cached: str
    trouble: str = ""


def make_brief(
    located: Located,
    paths: ProjectPaths | None,
    *,
    budget: int = DEFAULT_BUDGET,
    fresh: bool = False,
    progress: Callable[[int], None] | None = None,
    begun: Begun | None = None,
) -> Made:
    """The brief of a session; from the cache of the project at `paths` where neither session nor git moved since.

    `begun` is its reading, where that was begun already.
    """
    folder = read_folder(located.harness, located.files[0])
    timeout = read_git_timeout(paths) if os.path.isdir(folder) else None
    git = GitAside(folder, timeout)
    begun = begun or Begun(located)
    key = _build_key(located, begun, budget)
    if paths is not None and not fresh and os.path.exists(find_cached(paths, key.session, key.engine)):
        kept = read_cached(paths, _add_git(key, git.wait()))
        if kept is not None:
            return Made(located.session_id, kept, budget, None, None, (), find_cached(paths, key.session, key.engine))
    facts, watch, problems = read_facts(located, git, progress, timeout, begun.reading)
    brief, rendered = build_brief(located, facts, watch, budget)
    cached = trouble = ""
    # Written anew meanwhile, it is not what the key says.
    if paths is not None and stamp_files(located) == begun.stamp:
        key = replace(_add_git(key, git.wait()), leaf=facts.summary.last_uuid)
        cached, trouble = keep_brief(paths, key, rendered.text)
    session = facts.summary.session_id or located.session_id
    return Made(session, rendered.text, budget, brief, rendered, problems, cached, trouble)


def read_git_timeout(paths: ProjectPaths | None) -> float:
    """How long git may take, by the config in force."""
    # Only where there is a repository to ask: reading the config costs a tenth of a spine.
    from thruline.config import load_config_tolerant

    return load_config_tolerant(paths, find_user_paths(), os.environ).git.timeout_seconds


def read_facts(
    located: Located,
    git: "GitState | GitAside",
    progress: Callable[[int], None] | None = None,
    timeout: float | None = None,
    reading: Reading | ReadingAside | None = None,
) -> tuple[Facts, AttemptWatch, tuple[Problem, ...]]:
    """Everything the rules need, folded while the session is read once."""
    summary, ledger, material, miner = Summary(), Ledger(), Material(), SignalMiner()
    reading = Reading(located, tokens=False) if reading is None else reading
    reading.meanwhile.append(Ahead(material).read)
    # What tries to instruct is found by who reads, where that is another process.
    watch = AttemptWatch(reading.told if isinstance(reading, ReadingAside) and reading.tells else None)
    for found in reading.blocks():
        summary.see_all(found)
        ledger.see_all(found)
        material.see_all(found)
        miner.see_all(found)
        if not watch.waits:
            watch.see_all(found)
        if progress is not None and found:
            progress(found[-1].line)
    material.finish()
    signals = tuple(miner.finish())
    aside, unread = read_aside(located)
    answer = doubt_git(git.wait() if isinstance(git, GitAside) else git, ledger, summary.cwd, timeout)
    return Facts(summary, ledger, material, signals, answer, aside), watch, (*reading.problems, *unread)


def build_brief(located: Located, facts: Facts, watch: AttemptWatch, budget: int) -> tuple[Brief, Rendered]:
    """The five sections within `budget`, and their text."""
    session = facts.summary.session_id or located.session_id
    frame = Brief((), title=build_title(facts.summary), corrections=find_corrections(facts.signals))
    log = () if isinstance(facts.git.log, NoAnswer) else facts.git.log
    watch.see_subjects((Pointer("commit", commit=commit.id[:12]), commit.subject) for commit in log)
    rules = Rules(facts)
    labels: tuple[str, ...] = ()
    while True:
        summary = facts.summary
        sources = describe_sources(located, session=session, leaf=summary.last_uuid, labels=labels, project=summary.cwd)
        brief, rendered = fill_brief(rules, replace(frame, sources=sources), watch, budget)
        used = tuple(sorted(_find_labels(brief) | set(labels)))
        if used == labels:
            return brief, rendered
        labels = used  # a line of the Sources for each: they take their room from the same budget


def find_corrections(signals: Iterable[Signal]) -> tuple[Pointer, ...]:
    """Where the user corrected the agent, as far as the rules are sure of it, and did not take it back."""
    sure = [one for one in signals if one.kind == "correction" and one.strength >= SURE and not one.withdrawn]
    return tuple(dict.fromkeys(place(one.line, source=one.source) for one in sure))


def _find_labels(brief: Brief) -> set[str]:
    """The labels of the other files that a brief points into."""
    claims = [claim for section in brief.sections for claim in section.claims]
    pointers = [pointer for claim in claims for pointer in claim.pointers]
    pointers += [quote.pointer for claim in claims for quote in claim.quotes]
    return {pointer.source for pointer in pointers} - {""}


def fill_brief(rules: Rules, frame: Brief, watch: AttemptWatch, budget: int) -> tuple[Brief, Rendered]:
    """The brief that uses its budget best: what an estimate left unused is tried again with more room.

    What tries to instruct is asked for as late as may be: another process may still be looking.
    """
    room = measure_room(frame, budget)
    best: tuple[Brief, Rendered] | None = None
    used = before = 0
    for _ in range(_TRIES if budget < _ROOMY else _TRIES_ROOMY):
        made = rules.build(room)
        told = tell_withheld(watch.build_claims(), made)
        sections = tuple(
            replace(one, claims=(*one.claims, *told)) if one.name == "open_threads" else one for one in made
        )
        brief = replace(frame, sections=sections)
        rendered = render_brief(brief, budget)
        size = len(rendered.text.encode("utf-8", "surrogatepass"))
        rank = (-rendered.lost, rendered.left_out == 0, size)
        if best is None or rank > (-best[1].lost, best[1].left_out == 0, used):
            best, used = (brief, rendered), size
        spare = budget * BYTES_PER_TOKEN - size
        missing = bool(rendered.left_out) or any(section.cut for section in sections)
        if budget >= _ROOMY and (not missing or 0 <= spare < budget * BYTES_PER_TOKEN // _SPARE_ROOMY):
            break
        if not rendered.left_out and (spare < budget * BYTES_PER_TOKEN // _SPARE or size == before):
            break  # it is full, or more room brought nothing more
        before = 0 if rendered.left_out else size
        # Not by all that was left out: what is left out is weighed by section, and some of it comes back in less room.
        room += min((spare - rendered.left_bytes) * 3 // 5, -30) if rendered.left_out else spare * 3 // 4
    assert best is not None
    return best


def build_title(summary: Summary) -> str:
    """Where and when, in words that nobody else chose."""
    # The client's own title is somebody's words: it is quoted among the basics.
    parts = [part for part in summary.cwd.replace("\\", "/").split("/") if part]
    # A worktree or a build folder is often called `1` or `wt`.
    project = "/".join(parts[-1:] if parts and len(parts[-1]) > 2 else parts[-3:])
    day = summary.first_time[:10]
    # A folder may be called anything; of one that could be a sentence only the day is told.
    short = len(re.findall(r"[^\W\d_]+", project)) <= _MOST_WORDS
    plain = short and _PLAIN.fullmatch(project) and not is_prose(project) and not reads_like_order(project)
    # As in every name a blank is encoded: two words beside each other could speak to somebody.
    name = project.replace(" ", "%20") if plain else "a session"
    return f"Brief: {name}" + (f", {day}" if _DAY.fullmatch(day) else "")


def _build_key(located: Located, begun: Begun, budget: int) -> Key:
    # The leaf is known only after reading, and a hit should need none: what the disk tells of its files stands for it.
    own = begun.own
    return Key(located.session_id, "", begun.size, NAME, str(VERSION), "", budget, own.digest, own.path, begun.stamp)


def _add_git(key: Key, git: GitState) -> Key:
    """The key with git's answer, which is part of a brief."""
    state = sha256(repr(git).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return replace(key, rules=f"{key.rules}+{state}")


# --- git ----------------------------------------------------------------------------------------------------------


class GitAside:
    """What git says of the project in `folder`, asked in a thread of its own while the session is read."""

    __slots__ = ("_answer", "_error", "_folder", "_join", "_timeout")

    def __init__(self, folder: str, timeout: float | None = None) -> None:
        self._folder, self._timeout = folder, timeout
        self._answer: GitState | None = None
        self._error: Exception | None = None
        if not os.path.isdir(folder):
            self._ask()
            self._join: Callable[[], None] = lambda: None
            return
        from threading import Thread  # here: most projects that are told of are not on this machine

        thread = Thread(target=self._ask, daemon=True)
        thread.start()
        self._join = thread.join

    def _ask(self) -> None:
        try:
            self._answer = read_git(self._folder, self._timeout)
        except Exception as error:  # raised where it is waited for
            self._error = error

    def wait(self) -> GitState:
        """The answer, as soon as it is there."""
        self._join()
        if self._error is not None:
            raise self._error
        assert self._answer is not None
        return self._answer


def read_git(folder: str, timeout: float | None = None) -> GitState:
    """What git says of the project in `folder`, if it is here."""
    if not folder:
        return GitState("Not asked: the session does not tell its folder.")
    if not os.path.isdir(folder):
        return GitState("Not asked: the project's folder is not on this machine.")
    status = read_status(folder, timeout=timeout)
    if isinstance(status, NoAnswer):
        if status.reason == NOT_A_REPOSITORY:
            return GitState("Nothing: the project's folder is not a git repository.")
        return GitState(status=status)
    log = read_log(folder, _COMMITS, timeout=timeout)
    return GitState("", status, log, read_diff_stat(folder, timeout=timeout))


def doubt_git(git: GitState, ledger: Ledger, folder: str, timeout: float | None = None) -> GitState:
    """Git's answer, unless the repository has none of the commits that the session made: then it is another one."""
    standing = [made for made in ledger.commits if not made.gone and not made.rebased]
    if git.absent or not standing or isinstance(git.status, NoAnswer):
        return git
    if any(has_commit(folder, made.digest, timeout=timeout) is not False for made in standing[-3:]):
        return git
    return GitState(
        "The repository in the project's folder has none of the session's commits: git was not asked further."
    )
