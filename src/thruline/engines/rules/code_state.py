"""Code-state: two lists that are never merged, what git says and what the session did."""

from collections.abc import Iterator

from thruline.brief.attempts.inert import render_span
from thruline.brief.claims.names import WITHHELD, encode_name, render_path
from thruline.brief.pointer import Pointer
from thruline.brief.quotation.quote import Quote
from thruline.brief.section import GIT, SESSION, Claim
from thruline.engines.rules.committed import build_commits
from thruline.engines.rules.did import point_at_delegations, point_at_each
from thruline.engines.rules.facts import Facts
from thruline.engines.rules.files import Touched, group_names, is_outside
from thruline.engines.rules.touched import Symbol, build_worked_on
from thruline.gitfacts import FAILED, DiffStat, NoAnswer
from thruline.session.looking import may_write
from thruline.value import replace

# Where the whole section has no more room than this, a session's names are cut to those that count most.
_SMALL = 800
# What a claim about files weighs, and one about files outside the project alone.
_FILES, _OUTSIDE = 0.8, 0.56
_WORDS = {
    "created": "created",
    "edited": "edited",
    "deleted": "deleted",
    "reverted": "reverted",
    "stashed": "stashed",
    "gone": "created and removed again",
    "written": "written by commands",
}


def build_code_state(
    facts: Facts,
    touched: list[Touched],
    aside: list[Touched],
    room: int,
    pulls: list[Claim],
    symbols: list[Symbol],
) -> list[Claim]:
    """The claims of both lists, in about `room` bytes.

    `touched` are the files that the session changed, `aside` those that only its subagents did.
    `pulls` are the claims about pull requests, whatever the room, and `symbols` the definitions worked on: made once.
    """
    named = build_worked_on(symbols, room * 2 // 5 if room > _SMALL else room // 4)
    return [*_git_claims(facts, room), *_session_claims(facts, touched, aside, room, [*named, *pulls])]


def _git_claims(facts: Facts, room: int) -> Iterator[Claim]:
    git = facts.git
    if git.absent or git.status is None:
        yield Claim(git.absent or "Git was not asked.", topic=GIT, statement=True, weight=0.55)
        return
    if isinstance(git.status, NoAnswer):
        # Of what git itself printed any word could come from the repository.
        why = "" if git.status.reason == FAILED else git.status.detail
        yield Claim(f"Git has no answer: {why or git.status.reason}.", topic=GIT, statement=True)
        return
    branch = git.status.branch
    head = Pointer("commit", commit=branch.commit[:12]) if branch.commit else None
    where = render_path(branch.name) if branch.name else "a detached HEAD"
    dirty = git.status.dirty
    state = f"{dirty} {'path' if dirty == 1 else 'paths'} not committed" if dirty else "nothing uncommitted"
    yield Claim(
        f"On {where}, {state}.", pointers=(head,) if head else (), topic=GIT, weight=0.7, statement=head is None
    )
    names = [change.path for change in git.status.changes] + list(git.status.untracked) + list(git.status.conflicts)
    if names:
        counts = _count_lines(facts)
        shown, more = fit_names([render_path(name, 80) + counts.get(name, "") for name in names], room // 3)
        first = Pointer("file", path=names[0].rstrip("/"))
        yield Claim("Not committed: " + ", ".join(shown) + more + ".", pointers=(first,), topic=GIT, weight=0.6)
    if not isinstance(git.log, NoAnswer):
        for number, commit in enumerate(git.log[: max(1, min(8, room // 250))]):
            pointer = Pointer("commit", commit=commit.id[:12])
            yield (
                Claim(quotes=(Quote(commit.subject, pointer, "git"),), topic=GIT, weight=0.5 - number / 50)
                if (commit.subject.strip())
                else Claim("A commit without a subject.", pointers=(pointer,), topic=GIT, weight=0.1)
            )


def _count_lines(facts: Facts) -> dict[str, str]:
    """How many lines each path gained and lost, as `diff --stat` tells; a binary file has no lines."""
    if not isinstance(facts.git.diff, DiffStat):
        return {}
    return {
        file.path: f" +{file.added} -{file.deleted or 0}" for file in facts.git.diff.files if file.added is not None
    }


def _session_claims(
    facts: Facts, touched: list[Touched], aside: list[Touched], room: int, others: list[Claim]
) -> Iterator[Claim]:
    left = room
    for how, words in _WORDS.items():
        group = [each for each in touched if each.how == how]
        if group:
            claim = _name_files(words, group, max(120, left * 2 // 3))
            left -= len(claim.text)
            yield claim
    moved = [each for each in touched if each.came]
    if moved:
        claim = _name_moves("moved", moved, max(120, left * 2 // 3))
        left -= len(claim.text)
        yield claim
    yield from _aside_claims(facts, aside, max(120, left))
    yield from build_commits(facts, room)
    yield from others
    made = [*facts.ledger.commits, *facts.ledger.commits_elsewhere, *facts.aside.ledger.commits]
    if not touched and not aside and not made:
        known = facts.aside.whole and not any(one.is_lost for one in facts.material.delegations)
        words = "The session changed no file." if known else "The session itself changed no file."
        ran = (*facts.ledger.commands.values(), *facts.aside.ledger.commands.values())
        if any(each.begun and may_write(each.command) for each in ran):
            words = "No file was changed with the client's editing tools; commands may have changed some."
        yield Claim(words, topic=SESSION, statement=True, weight=0.5)


def _aside_claims(facts: Facts, touched: list[Touched], room: int) -> Iterator[Claim]:
    """What subagents changed, by their own transcripts, where the session's own tells of them."""
    groups = [(words, [each for each in touched if each.how == how], _name_files) for how, words in _WORDS.items()]
    for words, group, name in [*groups, ("moved", [each for each in touched if each.came], _name_moves)]:
        if group:
            who = "a subagent" if len({each.source for each in group}) == 1 else "subagents"
            named = name(f"{who} {words}", group, max(120, room * 2 // 3))
            room -= len(named.text)
            yield replace(
                named, pointers=point_at_delegations(facts, [each.source for each in group]) or named.pointers
            )


def _name_moves(words: str, group: list[Touched], room: int) -> Claim:
    """A claim of what was moved where; of a name that must be withheld it is only counted."""
    pairs = [(encode_name(each.came), encode_name(each.name), each) for each in group]
    named = [(f"{render_span(old)} to {render_span(new)}", each) for old, new, each in pairs if old and new]
    if not named:
        return Claim(f"{words} {WITHHELD} to {WITHHELD}", pointers=_point_at_moves(group), topic=SESSION, weight=0.78)
    count = len(fit_names([shown for shown, _ in named], room)[0])
    shown = ", ".join(shown for shown, _ in named[:count])
    more = f" and {len(group) - count} more" if len(group) > count else ""
    where = _point_at_moves([each for _, each in named[:count]])
    return Claim(f"{words} {shown}{more}", pointers=where, topic=SESSION, weight=0.78)


def _point_at_moves(group: list[Touched]) -> tuple[Pointer, ...]:
    return point_at_each([replace(each, line=each.moved_at, first=0) for each in group])


def _name_files(words: str, group: list[Touched], room: int) -> Claim:
    count = len(fit_names([each.name for each in group], room * 5 // 4)[0])
    names = [encode_name(each.name) for each in group[:count]]
    shown = [render_span(name) for name in group_names([name for name in names if name])]
    shown += [WITHHELD] if "" in names else []
    more = f" and {len(group) - count} more" if len(group) > count else ""
    pointers = point_at_each(group[:count])
    return Claim(f"{words} {', '.join(shown)}{more}", pointers=pointers, topic=SESSION, weight=_weigh(group))


def _weigh(group: list[Touched]) -> float:
    """What was done to most files of the project first; to none of them, as to a client's own plan, after all that."""
    inside = sum(not is_outside(each.name) for each in group)
    return _FILES + min(inside, 40) / 1_000 if inside else _OUTSIDE


def fit_names(names: list[str], room: int) -> tuple[list[str], str]:
    """The first names that take about `room` bytes, and how many more there are, in words."""
    shown: list[str] = []
    for name in names:
        if shown and room < len(name) + 2:
            break
        shown.append(name)
        room -= len(name) + 2
    rest = len(names) - len(shown)
    return shown, f" and {rest} more" if rest else ""
