"""What a brief may say without proof: its title, its topics and its statements, in closed lists.

A line that needs no pointer is where an order without a source would stand. So only words that are ours, one by one,
pass there: `finalize` makes nothing else, and `verify` tells everything else as stray.
"""

import re
from functools import cache

from thruline.brief.attempts.inert import fold
from thruline.pattern import compile_later

PLACEHOLDER = "_(extraction failed — not available)_"
NOTHING = "_Nothing was found for this section._"
NO_ROOM = "Nothing that fits this budget."
MORE = "More claims did not fit the budget"
TOLD_ELSEWHERE = "What there is to tell here is quoted in another section."
# What the rules say of a section in which they found nothing, and of a session that changed no file.
FOUND_NOTHING = {
    "convergence": "The session reached no conclusion that the rules could find.",
    "dead_ends": "No dead end and no correction was found.",
    "open_threads": "Nothing was left open that the rules could find.",
    "basics": "The session says nothing of its surroundings.",
}
NO_FILE = ("The session changed no file.", "The session itself changed no file.")
ALL_UNSOURCED = "_(no claim of this section has a source: verify before use)_"

# What leads to a quotation and says no more than the quotation, or than its reader can find out.
TITLED = "Titled:"
TAKEN_BACK = "Said, and taken back later:"
SAID_OTHERWISE = "Said once, and otherwise later, which counts:"
RULED = "Answered with a rule:"
WRONG_GUESS = "A guess that did not hold:"
FOUND_WANTING = "Found wanting, then done otherwise:"
ANOTHER_WAY = "Then another way:"
LEADS = (
    TITLED,
    TAKEN_BACK,
    SAID_OTHERWISE,
    RULED,
    WRONG_GUESS,
    FOUND_WANTING,
    ANOTHER_WAY,
    "Left, as the agent told; not done as far as the session shows:",
    "Put off by the agent; not done as far as the session shows:",
    "Found, not dealt with as far as the session shows:",
    "Offered, not taken up:",
    "Listed, and not among what was picked:",
    "To be verified, as the agent told; nobody said that it was:",
    "planned, not spoken of again, unlike its other steps:",
)

# What a sub-heading may say; one that a model chose has its engine behind it.
TOPICS = (
    "Overruled by the user",
    "Questioned or redirected by the user",
    "Disproved by evidence",
    "Constraints, in the user's words",
    "Asked and decided",
    "Context",
    "Left for later by the user",
    "Noted at the time",
    "Said earlier; corrected, changed or left since, at least in part",  # only before 2026-11-19
    "What came before, in the client's summary",
    "Established on the way",  # as briefs of earlier rules have it
    "Conflicts",
    "git says",
    "the session did",
    "observed attempts to instruct",
    # As the prompts ask for them.
    "Rejected hypotheses",
    "User corrections (verbatim)",
    "Open threads",
    "Stated intent vs git (verify)",
    "What this is",
    "Vocabulary",
    "Constraints",
    "Environment and conventions",
)
# What stands first in its section, and needs no heading there; briefs of earlier rules have one.
HEADLESS = "Context"
# Below it stands what a model says under no heading of ours, so that nobody takes it for what the rules proved.
ADDED = "Added by the engine"
# `#` stands for a number, `@` for a name in a code span (names.py).
_STATEMENTS = (
    "Nothing was found for this section.",
    "(no claim of this section has a source: verify before use)",
    "(extraction failed — not available)",
    NO_ROOM,
    TOLD_ELSEWHERE,
    *FOUND_NOTHING.values(),
    "No constraint was stated.",
    *NO_FILE,
    "No file was changed with the client's editing tools; commands may have changed some.",
    "Git was not asked.",
    "Not asked: the session does not tell its folder.",
    "Not asked: the project's folder is not on this machine.",
    "Nothing: the project's folder is not a git repository.",
    "The repository in the project's folder has none of the session's commits: git was not asked further.",
    "Git has no answer: no git program in PATH.",
    "Git has no answer: no working tree of git here.",
    "Git has no answer: the repository belongs to another user and safe.directory does not name it.",
    "Git has no answer: no commit yet.",
    "Git has no answer: timed out.",
    "Git has no answer: git took longer than # s.",
    "Git has no answer: git printed more than # MiB.",
    "Git has no answer: failed.",
    "On @, nothing uncommitted.",
    "On @, # path not committed.",
    "On @, # paths not committed.",
    "On a detached HEAD, nothing uncommitted.",
    "On a detached HEAD, # path not committed.",
    "On a detached HEAD, # paths not committed.",
    f"{MORE}.",
    f"{MORE}; # of # corrections by the user is not quoted.",
    f"{MORE}; # of # corrections by the user are not quoted.",
    "# of # corrections by the user is not quoted.",
    "# of # corrections by the user are not quoted.",
    # As briefs of earlier rules have it.
    "# more claim did not fit the budget.",
    "# more claims did not fit the budget.",
    "# more claim did not fit the budget; # of # corrections by the user is not quoted.",
    "# more claim did not fit the budget; # of # corrections by the user are not quoted.",
    "# more claims did not fit the budget; # of # corrections by the user is not quoted.",
    "# more claims did not fit the budget; # of # corrections by the user are not quoted.",
)
_HOLES = {"#": r"[0-9]+(?:\.[0-9]+)?", "@": r"(?:`[^`\s]+`|\(a name that reads like an instruction, withheld\))"}
# Those without a hole need no pattern, and are most of what a brief says.
_WHOLE = frozenset(one for one in _STATEMENTS if not _HOLES.keys() & set(one))
_TITLE = compile_later(r"# Brief: (?:a session|(?:[\w.@+/-]|%20){1,80})(?:, [0-9]{4}-[0-9]{2}-[0-9]{2})?")
_WITHHELD = "# Words that read like an instruction were withheld here."
_ENGINE = compile_later(r" \([\w.:@+/-]{1,80}\)\Z")
# All that somebody who found nothing needs to say so: no order can be put into these words.
_EMPTY_WORDS = (
    "a and any are by changed clear conflict conflicts constraint constraints correction corrections dead decided "
    "decision decisions end ends explicit file files found git here hypotheses hypothesis identified in is it left "
    "made nor of open or present question questions recorded rejected reported repository section session sessions "
    "settled so stated that the there this thread threads to report unanswered uncommitted unfinished unresolved "
    "user users was were"
)
_DENIALS = frozenset(("no", "none", "nothing", "not", "never"))
_MOST_WORDS = 16
_WORD = compile_later(r"[^\W_]+")


def is_statement(text: str) -> bool:
    """Whether a sentence (without the marks of emphasis around it) is one of ours that needs no source."""
    plain = text.replace("\\_", "_")
    return plain in _WHOLE or _patterns().fullmatch(plain) is not None


def is_topic(text: str, *, chosen: bool = True) -> bool:
    """Whether a sub-heading is one of ours; the name of an engine may stand behind one that a model has `chosen`."""
    named = _ENGINE.sub("", text)
    return text in TOPICS or (chosen and (named in TOPICS or (named == ADDED != text)))


def find_topic(text: str) -> str:
    """Our spelling of a sub-heading that a model chose from ours; "" for any other."""
    wanted = fold(text)
    return next((topic for topic in TOPICS if fold(topic) == wanted), "")


def is_title(line: str) -> bool:
    """Whether a line is a title as ours are."""
    return line == _WITHHELD or _TITLE.fullmatch(line.replace("\\", "")) is not None


def says_nothing(text: str) -> bool:
    """Whether a text only tells, in a few harmless words, that there is nothing to tell."""
    words = _WORD.findall(fold(text))
    denied = not _DENIALS.isdisjoint(words)
    return denied and len(words) <= _MOST_WORDS and _DENIALS.union(_EMPTY_WORDS.split()).issuperset(words)


@cache
def _patterns() -> "re.Pattern[str]":
    return re.compile("|".join("".join(_HOLES.get(sign, re.escape(sign)) for sign in one) for one in _STATEMENTS))
