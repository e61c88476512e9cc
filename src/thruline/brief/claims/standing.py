"""What a claim states of how a session stands: what was refused, what failed, what is left, where it worked.

The rules write each of these in one form. What a form says of a session's end or of a call can be looked up in the
transcript (`ended.py`), so nobody can change it, or make one up, unnoticed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from thruline.brief.attempts.inert import find_spans, parse_span, replace_spans
from thruline.brief.claims.names import NO_NAME
from thruline.brief.claims.names import WITHHELD as NO_ORDER
from thruline.brief.claims.stated import COMMITTED, LOGGED, REBASED, Fact, find_facts, parse_count
from thruline.brief.pointer import Pointer, decode_path
from thruline.brief.quotation.quote import CUT, Quote
from thruline.pattern import compile_later
from thruline.value import replace

UNTESTED, UNCOMMITTED, LEFT = "untested", "uncommitted", "left"
LAID_ASIDE, PUSHED_AWAY = "laid aside", "pushed away"
UNANSWERED, INTERRUPTED, MID_TURN = "unanswered", "interrupted", "mid-turn"
TASKS, BEGUN, WAITING, ASKED, NOT_CHOSEN = "tasks", "begun", "waiting", "asked", "not chosen"
CHANGE_FAILED, CHANGE_REFUSED, CHANGED_AFTER = "change failed", "change refused", "changed after"
FAILED, FAILED_THEN, REPLACED, WORKED = "failed", "failed then", "replaced", "worked"
REFUSED, PLAN_REFUSED, PLAN_APPROVED = "refused", "plan refused", "plan approved"
HANDED_PLAN, HANDED_COMMAND, REWOUND, GIVEN_UP = "handed plan", "handed command", "rewound", "given up"
PLAN_LAST, PLAN_UNCHANGED, PLAN_NOT_RUN = "plan last", "plan unchanged", "plan not run"
UNDONE_EDIT, UNDONE_WORK, FOLDER, BRANCH = "undone edit", "undone work", "folder", "branch"
ANNOUNCED = "announced"

# How a claim begins, and how it ends where the rules wrote it; `@` is a name in a code span, `@@` several, with how
# many more there are. One that must be withheld has no code span.
_NAME = "`@`"
_HIDDEN = (NO_ORDER, NO_NAME)
_ANY = rf"(?:{_NAME}|{'|'.join(map(re.escape, _HIDDEN))})"
_NAMES = rf"{_ANY}(?:, {_ANY})*(?: and (?P<more>\d+) more)?"
_UNDOING = "(?:an edit of|work, with) @"
_ROWS = (
    (UNTESTED, "untested: nothing ran after the last edit", r"\."),
    (UNCOMMITTED, "uncommitted: the session made no commit", r"\."),
    (LEFT, "not committed by the session: @@", r"\."),
    (LAID_ASIDE, "stashed, not taken out again: @@", r"\."),
    (PUSHED_AWAY, "pushed, and gone from the branch since: @@", r"\."),
    (UNANSWERED, "The last thing(?: the user said was|s the user said were) not answered", r"\."),
    (INTERRUPTED, "The user interrupted the last step", r"\."),
    (MID_TURN, "The session ends in the middle of a turn", r"\."),
    (TASKS, r"(?P<count>\d+) more tasks are not done", r"\."),
    (BEGUN, "Begun, not finished:", ""),
    (WAITING, "Not begun:", ""),
    (ASKED, "Asked, not answered:", ""),
    (CHANGE_FAILED, "A change to @ failed and was not made again", r"\."),
    (CHANGE_REFUSED, "Refused(?: by the user|,) and not made since: changes to @@", r"\."),
    (CHANGED_AFTER, "a change to @ was refused, and the file was changed after that", r"\."),
    (FAILED, r"@ failed when it last ran(?:, exit (?P<status>\d+))?(?=\.)", r"\."),
    (FAILED_THEN, "@ failed, then another way:", ""),
    (REPLACED, "@ failed; @ worked instead", r"\."),
    (REFUSED, "Refused @(?P<verdict>, done later)?:", ""),
    (NOT_CHOSEN, "Offered, and not chosen:", ""),
    (ANNOUNCED, "announced; (?:git|the session) shows no such change:", ""),
    (PLAN_REFUSED, "A plan, refused:", ""),
    (PLAN_APPROVED, "Approved plan:", ""),
    (
        PLAN_LAST,
        "Last plan, (?P<verdict>approved|refused|put to the user, not answered); nothing was changed since:",
        "",
    ),
    (PLAN_UNCHANGED, "planned, not changed as far as the session shows:", ""),
    (PLAN_NOT_RUN, "planned, not run as far as the session shows:", ""),
    (HANDED_PLAN, "Begun with a plan:", ""),
    (HANDED_COMMAND, "Asked with a slash command:", ""),
    (REWOUND, "Gone back on by the user, with all that followed:", ""),
    (GIVEN_UP, "A subagent was given up:", ""),
    (UNDONE_EDIT, "Undone in answer to the user, (?=an edit of|work, with)", rf"{_UNDOING}(?:, {_UNDOING})*\."),
    (UNDONE_EDIT, "Made and put back in one turn: (?=an edit of|work, with)", rf"{_UNDOING}(?:\.|, because:)"),
    (FOLDER, r"In @(?: on branch @)?\.(?= \(|\Z)", ""),
)
# All of it, as the rules write it (forms.py).
FORMS = tuple(begins + ends for _, begins, ends in _ROWS)
_BEGINS = r"[ \t]*(?:[-*][ \t]+)?(?:⚑ verify: )?"
_PATTERNS = tuple(
    (kind, compile_later(_BEGINS + _NAMES.join(one.replace("@", _NAME) for one in begins.split("@@"))))
    for kind, begins, _ in _ROWS
)
# A brief that is made asks for nothing else, and need not compile the rest.
_FOLDERS = tuple(row for row in _PATTERNS if row[0] == FOLDER)
KINDS = frozenset(kind for kind, *_ in _ROWS if kind != REPLACED) | {UNDONE_WORK, BRANCH, WORKED}
_UNDONE = compile_later(rf"\b(an edit of|work, with) {_NAME}(?=[,.])")
# A command that is said to have failed, and not with which status.
NO_STATUS = "none"
# Undone because of what the user said, not by the agent's own finding.
ANSWER = "answer"
_ANSWERED = "Undone in answer to the user"
# What is said of a plan on which there is no verdict.
NO_VERDICT = "put to the user, not answered"


def find_claimed(
    words: str, quotes: Iterable[Quote] = (), pointers: Iterable[Pointer] = (), *, exact: bool = False
) -> Iterator[Fact]:
    """All that a claim states and a transcript can prove: what was done, and how the session stands.

    Where it is `exact`, as the rules are, what was done was done where the claim points.
    """
    told, shown = tuple(quotes), tuple(pointers)
    subjects = [quote for quote in told if quote.by == "git" and quote.pointer.kind == "transcript"]
    places = tuple(one for one in (*shown, *(quote.pointer for quote in subjects)) if one.kind == "transcript")
    stated = list(find_facts(words))
    said = subjects[0].text if len(subjects) == len(stated) == 1 else ""
    for fact in stated:
        made = fact.kind in (COMMITTED, REBASED, LOGGED)
        yield replace(fact, places=places if exact else (), said=said if made else "")
    yield from find_standing(words, told, shown)


def find_folder(words: str) -> str:
    """The folder that a claim says the session was started in, as it is called on disk; "" where it says nothing."""
    if not words.startswith("In `"):
        return ""  # nearly all of them
    told = next((fact.name for fact in find_standing(words, patterns=_FOLDERS) if fact.kind == FOLDER), "")
    # The beginning of a long one is cut off, and one that would be redacted is told otherwise.
    return decode_path(told) if not told.startswith(CUT) else ""


def is_standing(kind: str) -> bool:
    """Whether a fact is one of these."""
    return kind in KINDS


def find_standing(
    words: str,
    quotes: Iterable[Quote] = (),
    pointers: Iterable[Pointer] = (),
    patterns: "Sequence[tuple[str, re.Pattern[str]]]" = _PATTERNS,
) -> Iterator[Fact]:
    """What a claim's words, with what it quotes and where it points, state of how the session stands."""
    spans = [span for _, span in find_spans(words)]
    words = replace_spans(words, lambda *_: _NAME)
    found = ((kind, match) for kind, pattern in patterns if (match := pattern.match(words)) is not None)
    kind, match = next(found, ("", None))
    if match is None:
        return
    end = len(words) if kind == UNDONE_EDIT else match.end()
    told = [parse_span(span) or "" for span in spans[: words.count(_NAME, 0, end)]]
    quoted = tuple(quotes)
    places = tuple(one for one in (*pointers, *(quote.pointer for quote in quoted)) if one.kind == "transcript")
    if kind == UNDONE_EDIT:
        kinds = [UNDONE_EDIT if one == "an edit of" else UNDONE_WORK for one in _UNDONE.findall(words, match.end())]
    elif kind == FOLDER:
        kinds = [FOLDER, BRANCH]
    elif kind == REPLACED:
        kinds = [FAILED, WORKED]
    elif kind in (PLAN_UNCHANGED, PLAN_NOT_RUN):
        # Each quotation is of a plan of its own.
        for quote in quoted:
            yield Fact(kind, "", places=(quote.pointer,), said=quote.text)
        return
    else:
        said = next((quote.text for quote in quoted if quote.by != "human"), "")
        fields = match.groupdict()
        status = fields.get("status") or fields.get("verdict") or (NO_STATUS if kind == FAILED else "")
        hidden = sum(words.count(one, 0, end) for one in _HIDDEN)
        # Of names that are withheld it is known how many there are.
        names = [*told, *([""] if hidden or not told else [])]
        named = len(told) + hidden
        count = named + parse_count(fields["more"]) if "more" in fields else parse_count(fields.get("count"))
        for name in names:
            yield Fact(kind, name, file=status, places=places, said=said, count=count)
        return
    answer = ANSWER if kind == UNDONE_EDIT and _ANSWERED in match[0] else ""
    for one, name in zip(kinds, told, strict=False):
        yield Fact(one, name, file=answer, places=places)
