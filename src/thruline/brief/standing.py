"""What a claim states of how a session stands: what was refused, what failed, what is left, where it worked.

The rules write each of these in one form. What a form says of a session's end or of a call can be looked up in the
transcript (`ended.py`), so nobody can change it, or make one up, unnoticed.
"""

from collections.abc import Iterable, Iterator

from thruline.brief.inert import find_spans, parse_span, replace_spans
from thruline.brief.pointer import Pointer
from thruline.brief.quote import Quote
from thruline.brief.stated import Fact, find_facts, parse_count
from thruline.pattern import compile_later

UNTESTED, UNCOMMITTED, LEFT = "untested", "uncommitted", "left"
UNANSWERED, INTERRUPTED, MID_TURN = "unanswered", "interrupted", "mid-turn"
TASKS, BEGUN, WAITING, ASKED, NOT_CHOSEN = "tasks", "begun", "waiting", "asked", "not chosen"
CHANGE_FAILED, CHANGE_REFUSED, CHANGED_AFTER = "change failed", "change refused", "changed after"
FAILED, FAILED_THEN, REPLACED, WORKED = "failed", "failed then", "replaced", "worked"
REFUSED, PLAN_REFUSED, PLAN_APPROVED = "refused", "plan refused", "plan approved"
HANDED_PLAN, HANDED_COMMAND, REWOUND, GIVEN_UP = "handed plan", "handed command", "rewound", "given up"
PLAN_LAST, PLAN_UNCHANGED, PLAN_NOT_RUN = "plan last", "plan unchanged", "plan not run"
UNDONE_EDIT, UNDONE_WORK, FOLDER, BRANCH = "undone edit", "undone work", "folder", "branch"

# How a claim begins, and how it ends where the rules wrote it; `@` is a name in a code span, `@@` several, with how
# many more there are.
_NAME = "`@`"
_NAMES = rf"{_NAME}(?:, {_NAME})*(?: and (?P<more>\d+) more)?"
_UNDOING = "(?:an edit of|work, with) @"
_ROWS = (
    (UNTESTED, "untested: nothing ran after the last edit", r"\."),
    (UNCOMMITTED, "uncommitted: the session made no commit", r"\."),
    (LEFT, "not committed by the session: @@", r"\."),
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
    (REFUSED, "Refused @:", ""),
    (NOT_CHOSEN, "Offered, and not chosen:", ""),
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
KINDS = frozenset(kind for kind, *_ in _ROWS if kind != REPLACED) | {UNDONE_WORK, BRANCH, WORKED}
_UNDONE = compile_later(rf"\b(an edit of|work, with) {_NAME}(?=[,.])")
# A command that is said to have failed, and not with which status.
NO_STATUS = "none"
# What is said of a plan on which there is no verdict.
NO_VERDICT = "put to the user, not answered"


def find_claimed(words: str, quotes: Iterable[Quote] = (), pointers: Iterable[Pointer] = ()) -> Iterator[Fact]:
    """All that a claim states and a transcript can prove: what was done, and how the session stands."""
    yield from find_facts(words)
    yield from find_standing(words, quotes, pointers)


def is_standing(kind: str) -> bool:
    """Whether a fact is one of these."""
    return kind in KINDS


def find_standing(words: str, quotes: Iterable[Quote] = (), pointers: Iterable[Pointer] = ()) -> Iterator[Fact]:
    """What a claim's words, with what it quotes and where it points, state of how the session stands."""
    spans = [span for _, span in find_spans(words)]
    words = replace_spans(words, lambda *_: _NAME)
    found = ((kind, match) for kind, pattern in _PATTERNS if (match := pattern.match(words)) is not None)
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
        names = told or [""]
        count = len(names) + parse_count(fields["more"]) if "more" in fields else parse_count(fields.get("count"))
        for name in names:
            yield Fact(kind, name, file=status, places=places, said=said, count=count)
        return
    for one, name in zip(kinds, told, strict=False):
        yield Fact(one, name, places=places)
