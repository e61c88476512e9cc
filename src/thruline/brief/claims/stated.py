"""What a claim states as done: files created, edited, deleted, commits made and pushed, commands that worked.

The rules write such claims in one form, a word and the names in code spans, and a model may write them with more words
behind. A name proves nothing; what the session did is in its transcript (`done.py`).
"""

import re
from collections.abc import Iterator

from thruline.brief.attempts.inert import find_spans, parse_span, render_span
from thruline.brief.claims.names import NO_NAME, WITHHELD
from thruline.brief.pointer import Pointer
from thruline.pattern import compile_later
from thruline.value import dataclass

CREATED, EDITED, DELETED, REVERTED, COMMITTED, RAN = "created", "edited", "deleted", "reverted", "committed", "ran"
STASHED, MOVED, WRITTEN = "stashed", "moved", "written"
GONE, LOGGED, TOUCHED, PUSHED, KEPT = "gone", "logged", "touched", "pushed", "kept"
REBASED, ELSEWHERE, COUNTED, HIDDEN = "rebased", "elsewhere", "counted", "ran hidden"
# Of pull requests.
OPENED, MERGED, PULLED = "opened", "merged", "pulled"
# The others are of files.
NO_FILE = frozenset(
    (RAN, HIDDEN, COUNTED, COMMITTED, REBASED, ELSEWHERE, LOGGED, TOUCHED, PUSHED, KEPT, OPENED, MERGED, PULLED)
)

_MOST_DIGITS = 9

# How a claim begins.
_BEGINS = compile_later(
    r"[ \t]*(?:[-*][ \t]+)?(?:(?P<aside>(?:a subagent|subagents) )?(?:(?P<gone>created and removed again)"
    r"|(?P<written>written by commands)|(?P<verb>created|edited|deleted|reverted|stashed|committed|moved))"
    r"|(?P<ran>ran and worked:)|(?P<new>new in the log:)"
    r"|(?P<hidden>ran, status not seen:)"
    r"|(?P<pull>(?:(?P<opened>opened)|(?P<merged>merged)|worked on) pull requests?)|(?P<touched>touched))"
    r":?[ \t]+(?=`)",
    re.IGNORECASE,
)
_GROUPS = (
    (GONE, "gone"),
    (WRITTEN, "written"),
    (RAN, "ran"),
    (HIDDEN, "hidden"),
    (LOGGED, "new"),
    (OPENED, "opened"),
    (MERGED, "merged"),
    (PULLED, "pull"),
    (TOUCHED, "touched"),
)
# Whether the last commit was pushed names nothing.
_PUSH = compile_later(
    r"[ \t]*(?:[-*][ \t]+)?(?:⚑ verify: )?"
    r"(?:(?P<pushed>pushed after the last commit)|not pushed, as far as the session shows)\b",
    re.IGNORECASE,
)
_WHO = "(?:a subagent |subagents )?"
# The same, whole, as the rules write it (forms.py): `@` is a name in a code span, `@@` several.
FORMS = (
    f"{_WHO}(?:created|edited|deleted|reverted|stashed|created and removed again|written by commands) @@",
    rf"{_WHO}moved @ to @(?:, @ to @)*(?: and \d+ more)?",
    f"{_WHO}committed @@(?: before a rebase| in another folder| on branch @)?",
    "new in the log: @@(?: on branch @)?",
    "Ran and worked: @@",
    "Ran, status not seen: @@",
    "(?:opened|merged|worked on) pull requests? @@",
    "touched @@ in @",
    r"pushed after the last commit\.",
    r"not pushed, as far as the session shows\.",
)
_TO = " to "
_ON_BRANCH = " on branch "
_BETWEEN = compile_later(r"(?:,|,? and)? *\Z")
# Behind the names nothing but how many more there are, and the places: the whole claim is a list of names.
_ENDS = compile_later(r"(?: and (?P<more>\d+) more)?[.:]?(?: *\(.*\))?\s*\Z")
_REBASED = compile_later(r"(?: and \d+ more)? before a rebase\b")
_ELSEWHERE = compile_later(r"(?: and \d+ more)? in another folder\b")
# Blanks in names are encoded: only several files of a folder have one.
_GROUP = compile_later(r"(.*/)\{(.+?, .+)\}\Z")
_PATH = compile_later(r"[^\s()]*(?:/|\.[A-Za-z]\w{0,7}\Z)[^\s()]*\Z")
_COMMIT = compile_later(r"[0-9a-f]{4,64}\Z")


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing stated as done: `name` is a path, a commit or a command as a brief shows it; "" of a push.

    `span` is the code span that it stands in, perhaps with others; `listed` where the claim is nothing but names;
    `aside` where it is said of subagents. `file` is where a definition that was touched is said to stand, or where a
    file is said to have gone, the branch of a commit, the exit status of a command, the verdict on a plan, or what is
    counted. `count` is how many there are in all of what is named, "and 3 more" included, where the words tell.
    `places` is where the claim points, `said` what it quotes of others than the user.
    """

    kind: str
    name: str
    span: str = ""
    listed: bool = True
    aside: bool = False
    file: str = ""
    count: int = 0
    places: tuple[Pointer, ...] = ()
    said: str = ""


def find_facts(words: str) -> Iterator[Fact]:
    """What a claim's words state as done."""
    push = _PUSH.match(words)
    if push is not None:
        yield Fact(PUSHED if push["pushed"] else KEPT, "", listed=_ENDS.match(words, push.end()) is not None)
    begins = _BEGINS.match(words)
    if begins is None:
        return
    kind = next((kind for kind, group in _GROUPS if begins[group]), "") or begins["verb"].lower()
    if kind == MOVED:
        yield from _find_moves(words, begins.end(), aside=bool(begins["aside"]))
        return
    spans: list[str] = []
    at = begins.end()
    for start, span in find_spans(words):
        if start > at and not (spans and _BETWEEN.match(words, at, start)):
            break
        spans.append(span)
        at = start + len(span)
    ends = _ENDS.match(words, at)
    listed = ends is not None
    file, whole = _find_file(words, at) if kind == TOUCHED else ("", listed)
    if kind in (COMMITTED, LOGGED) and not listed:
        file, listed = _find_behind(words, at, _ON_BRANCH)
        whole = listed
    kind = REBASED if kind == COMMITTED and _REBASED.match(words, at) else kind
    kind = ELSEWHERE if kind == COMMITTED and _ELSEWHERE.match(words, at) else kind
    named = [(name, span) for span in spans for name in _split_group(parse_span(span) or "", kind)]
    for name, span in named:
        if whole or _fits(kind, name):
            yield Fact(kind, name, span, listed, bool(begins["aside"]), file)
    if ends is not None and ends["more"] and not begins["aside"]:
        count = len(named) + parse_count(ends["more"])
        yield Fact(COUNTED, f"and {ends['more']} more", listed=False, file=kind, count=count)


def _find_moves(words: str, at: int, *, aside: bool) -> Iterator[Fact]:
    """What is said to have been moved where: "moved `a.py` to `b.py`, `c.py` to `d.py`"."""
    spans = [(start, span) for start, span in find_spans(words) if start >= at]
    pairs: list[tuple[str, str, str]] = []
    for (start, old), (second, new) in zip(spans[::2], spans[1::2], strict=False):
        between = _BETWEEN.match(words, at, start) if pairs else start == at
        if not between or words[start + len(old) : second] != _TO:
            break
        at = second + len(new)
        pairs.append((parse_span(old) or "", parse_span(new) or "", words[start:at]))
    ends = _ENDS.match(words, at)
    for old, new, span in pairs:
        if ends is not None or (_PATH.match(old) and _PATH.match(new)):
            yield Fact(MOVED, old, span, ends is not None, aside, new)
    if pairs and ends is not None and ends["more"] and not aside:
        count = len(pairs) + parse_count(ends["more"])
        yield Fact(COUNTED, f"and {ends['more']} more", listed=False, file=MOVED, count=count)


def parse_count(digits: str | None) -> int:
    """How many the digits tell; of more than anybody counts, so many that no session has them."""
    return int((digits or "0")[:_MOST_DIGITS])


def _find_file(words: str, at: int) -> tuple[str, bool]:
    """The file that stands behind the names: "touched `a`, `b` in `c.py`"; and whether that is all, as the rules do."""
    plain = next((f" in {name}" for name in (WITHHELD, NO_NAME) if words.startswith(f" in {name}", at)), "")
    if plain:
        return "", _ENDS.match(words, at + len(plain)) is not None
    file, whole = _find_behind(words, at, " in ")
    return file if whole or _PATH.match(file) else "", whole


def _find_behind(words: str, at: int, lead: str) -> tuple[str, bool]:
    """The name in the code span behind these words, and whether that is all."""
    start, span = next(((start, span) for start, span in find_spans(words) if start >= at), (0, ""))
    name = (parse_span(span) or "") if words[at:start] == lead else ""
    return name, bool(name) and _ENDS.match(words, start + len(span)) is not None


def drop_facts(span: str, gone: set[str]) -> str:
    """The span without some of its names; "" where none is left."""
    text = parse_span(span)
    if text is None:  # both names of what was moved
        return ""
    group = _GROUP.match(text)
    if group is None:
        return "" if text in gone else span
    kept = [name for name in group[2].split(", ") if group[1] + name not in gone]
    if not kept:
        return ""
    return render_span(group[1] + (f"{{{', '.join(kept)}}}" if len(kept) > 1 else kept[0]))


def _split_group(text: str, kind: str) -> list[str]:
    group = _GROUP.match(text) if kind not in NO_FILE else None
    return [group[1] + name for name in group[2].split(", ")] if group else [text]


def _fits(kind: str, name: str) -> bool:
    """Whether a name among other words is one: "edited `parse_rows` in …" names no file."""
    if kind in (RAN, HIDDEN, OPENED, MERGED, PULLED):
        return True
    if kind == TOUCHED:
        return name.isidentifier()
    return (_COMMIT if kind in (COMMITTED, REBASED, ELSEWHERE, LOGGED) else _PATH).match(name) is not None
