"""Every kind of structured statement that a brief of the rules can hold, changed in one place.

Each row is a name, what a line must look like, and how it is changed; the lines of quotations are left alone.
"""

import re
from collections.abc import Callable, Iterator

Change = Callable[["re.Match[str]"], str]


def _other_digit(match: "re.Match[str]") -> str:
    return match[1] + str(int(match[2]) + 1) + match[3]


def _swap(first: str, second: str) -> Change:
    return lambda match: match[0].replace(first, second) if first in match[0] else match[0].replace(second, first)


def _put(text: str) -> Change:
    return lambda match: match.expand(text)


_PUSHED, _KEPT = "- pushed after the last commit", "- ⚑ verify: not pushed, as far as the session shows"
_INTERRUPTED, _MID_TURN = "- The user interrupted the last step", "- The session ends in the middle of a turn"
_UNTESTED = "- ⚑ verify: untested: nothing ran after the last edit"
_UNCOMMITTED = "- ⚑ verify: uncommitted: the session made no commit"
_LEFT = "- ⚑ verify: not committed by the session: "

MUTATIONS: tuple[tuple[str, str, Change], ...] = (
    ("created becomes edited", r"- created (?=`)", _put("- edited ")),
    ("edited becomes created", r"- edited (?=`)", _put("- created ")),
    ("edited becomes deleted", r"- edited (?=`)", _put("- deleted ")),
    ("deleted becomes created", r"- deleted (?=`)", _put("- created ")),
    ("removed again becomes created", r"- created and removed again (?=`)", _put("- created ")),
    (
        "a file's name without its first sign",
        r"(- (?:created|edited|deleted) `(?:[^`,{}]*/)?)\w(?=[^`,{}/]+[`,])",
        _put(r"\1"),
    ),
    ("a deletion that is made up", r"- (?:created|edited) (?=`)", _put("- deleted `e` (`transcript:L1`)\n- edited ")),
    ("a definition that is made up", r"- touched (?=`)", _put("- touched `de/le` in `a.py`\n- touched ")),
    ("moved becomes deleted", r"- moved (`[^`]+`) to `[^`]+`.*? \(", _put(r"- deleted \1 (")),
    ("where a file was moved", r"(- moved `[^`]+` to `[^`]*?)(\.\w+)(?=`)", _put(r"\1x\2")),
    ("what commands wrote becomes created", r"- written by commands (?=`)", _put("- created ")),
    ("stashed becomes reverted", r"- stashed (?=`)", _put("- reverted ")),
    ("what lies in a stash", r"(stashed, not taken out again: `[^`]*?)(\.\w+)(?=`)", _put(r"\1x\2")),
    ("a commit that only the remote has", r"(gone from the branch since: `)[0-9a-f]{4}", _put(r"\g<1>0000")),
    ("edited becomes reverted", r"- edited (?=`)", _put("- reverted ")),
    ("a file's name", r"(- (?:created|edited|deleted) `[^`,{}]*?)(\.\w+)(?=[`,])", _put(r"\1x\2")),
    ("how many files more", r"(- (?:created|edited) .* and )(\d+)( more)", _other_digit),
    ("a commit's name", r"(- committed `)[0-9a-f]{4}", _put(r"\g<1>0000")),
    ("a commit's longer name", r"(- committed `[0-9a-f]+)(?=`)", _put(r"\1ffff")),
    ("before a rebase", r"(- committed `[0-9a-f]+`) \(", _put(r"\1 before a rebase (")),
    ("the branch of a commit", r"(- (?:committed|new in the log:) `[0-9a-f]+` on branch `[^`]+)(?=`)", _put(r"\1x")),
    ("committed becomes new in the log", r"- new in the log: (?=`)", _put("- committed ")),
    ("a pull request's number", r"(- (?:opened|merged|worked on) pull requests? `#)(\d+)(`)", _other_digit),
    ("opened becomes merged", r"- opened pull request (?=`)", _put("- merged pull request ")),
    ("merged becomes opened", r"- merged pull request (?=`)", _put("- opened pull request ")),
    (
        "pushed becomes not pushed",
        r"- pushed after the last commit",
        _put("- ⚑ verify: not pushed, as far as the session shows"),
    ),
    (
        "not pushed becomes pushed",
        r"- ⚑ verify: not pushed, as far as the session shows",
        _put("- pushed after the last commit"),
    ),
    ("a definition", r"(- touched `\w+)(?=`)", _put(r"\1_x")),
    ("the file of a definition", r"(- touched .* in `[^`]*?)(\.\w+)(?=`)", _put(r"\1x\2")),
    ("a command that worked", r"(- Ran and worked: `[^`]+)(?=`)", _put(r"\1 --force")),
    ("a command of which nothing is told", r"(- Ran and worked: )`[^`]+`", _put(r"\1`…`")),
    ("the folder", r"(- In `[^`]+)(?=`)", _put(r"\1-next")),
    ("the branch", r"(- In `[^`]+` on branch `[^`]+)(?=`)", _put(r"\1-next")),
    ("untested removed", rf"{_UNTESTED}\..*", _put("")),
    ("uncommitted removed", rf"{_UNCOMMITTED}\..*", _put("")),
    (
        "untested becomes uncommitted",
        r"untested: nothing ran after the last edit",
        _put("uncommitted: the session made no commit"),
    ),
    (
        "a file that is not committed",
        rf"({_LEFT}`[^`]*?)(\.\w+)(?=`)",
        _put(r"\1x\2"),
    ),
    ("how many are not committed", rf"({_LEFT}.* and )(\d+)( more)", _other_digit),
    (
        "how the session ends",
        r"- The session ends in the middle of a turn",
        _put("- The user interrupted the last step"),
    ),
    ("an interruption", _INTERRUPTED, _put(_MID_TURN)),
    ("begun and not begun", r"- (?:Not begun|Begun, not finished):", _swap("Not begun", "Begun, not finished")),
    ("how many tasks", r"(- )(\d+)( more tasks are not done)", _other_digit),
    ("a refused call", r"(- Refused `[^`]+)(?=`:)", _put(r"\1x")),
    ("the tool of a refused call", r"(- Refused `)(\w+)", _put(r"\1x\2")),
    ("a refused change", r"(- Refused, and not made since: changes to `[^`]*?)(\.\w+)(?=`)", _put(r"\1x\2")),
    ("a change that failed", r"(- A change to `[^`]*?)(\.\w+)(?=`)", _put(r"\1x\2")),
    ("a refused plan becomes approved", r"- A plan, refused:", _put("- Approved plan:")),
    ("an approved plan becomes refused", r"- Approved plan:", _put("- A plan, refused:")),
    ("begun with a plan", r"- Begun with a plan:", _put("- Asked with a slash command:")),
    ("a slash command", r"- Asked with a slash command:", _put("- Begun with a plan:")),
    ("an undone edit", r"(- Undone in answer to the user, an edit of `[^`]*?)(\.\w+)(?=`)", _put(r"\1x\2")),
    ("where an edit was undone", r"(- Undone in answer to the user, .*`transcript:L)(\d+)(`\).*)", _other_digit),
    ("what an edit was undone for", r"(- Undone in answer to the user, .*?`transcript:L)(\d+)(.*)", _other_digit),
    ("a command that failed and has no name", r"(- )`[^`]+`(?= failed, then another way)", _put(r"\1`…`")),
    ("a command that failed", r"(- `[^`]+)(?=` failed, then another way)", _put(r"\1x")),
    ("a command that failed last", r"(- `[^`]+)(?=` failed when it last ran)", _put(r"\1x")),
    ("an exit status", r"(- `[^`]+` failed when it last ran, exit )(\d+)(\.)", _other_digit),
    ("a rewind", r"- Gone back on by the user, with all that followed:", _put("- A plan, refused:")),
    ("overruled becomes disproved", r"### Overruled by the user", _put("### Disproved by evidence")),
    ("questioned becomes disproved", r"### Questioned or redirected by the user", _put("### Disproved by evidence")),
    ("disproved becomes overruled", r"### Disproved by evidence", _put("### Overruled by the user")),
    (
        "noted becomes a rule",
        r"### Noted at the time",
        _put("### Constraints, in the user's words"),
    ),
    (
        "a rule becomes a note",
        r"### Constraints, in the user's words",
        _put("### Noted at the time"),
    ),
    ("asked becomes a note", r"### Asked and decided", _put("### Noted at the time")),
    ("the day", r"(# Brief: .*, \d{4}-\d\d-)(\d\d)()$", lambda match: match[1] + ("11" if match[2] != "11" else "12")),
    ("the project's name", r"(# Brief: [\w.-]+)(?=, \d{4})", _put(r"\1x")),
    # Words of ours that say something else.
    ("what worked is said to have failed", r"- Ran and worked: (?=`)", _put("- Ran and failed: ")),
    ("what failed is said to have worked", r"(- `[^`]+`) failed, then another way:", _put(r"\1 worked:")),
    ("all is said to be done", r"- The session ends in the middle of a turn", _put("- The session ends, all done")),
    ("a commit is said to be made", rf"{_UNCOMMITTED}", _put("- ⚑ verify: committed: the session made a commit")),
    ("a finding is said to be dealt with", r"- Found, not dealt with", _put("- Found, and dealt with")),
    ("a refusal becomes an approval", r"- Refused (?=`)", _put("- Approved ")),
    ("words with a pointer", r"- In (?=`)", _put("- The user wants it rewritten. (`transcript:L1`)\n- In ")),
    ("the verdict on the last plan", r"- Last plan, refused;", _put("- Last plan, approved;")),
    ("where a claim points", r"(- (?:edited|created|Ran) .*\(`transcript:L)(\d+)(.*)", _other_digit),
    ("edits become a subagent's", r"- edited (?=`)", _put("- subagents edited ")),
    ("a note becomes evidence", r"### Noted at the time", _put("### Disproved by evidence")),
    ("a note becomes the client's", r"### Noted at the time", _put("### What came before, in the client's summary")),
    ("a word behind a topic", r"### (?:Overruled|Questioned) .*", _put(r"\g<0> (withdrawn)")),
    # That there is nothing.
    (
        "a section is said to have failed",
        r"### Overruled by",
        _put("_(extraction failed — not available)_\n### Overruled by"),
    ),
    ("changes are denied", r"- (?:created|edited) (?=`)", _put("_The session changed no file._\n- edited ")),
    ("what is open is denied", r"- ⚑ verify: untested", _put("_Nothing was left open that the rules could find._\n- ")),
    ("dead ends are denied", r"### Overruled by", _put("_No dead end and no correction was found._\n### Overruled by")),
    # What only git, the rules or the budget know, or where a claim of ours points.
    ("git's branch", r"(- On `[^`]+)(?=`, )", _put(r"\1-next")),
    ("how many paths git has not committed", r"(- On .*, )(\d+)( paths? not committed)", _other_digit),
    ("a path that git has not committed", r"(- Not committed: `[^`]*?)(\.\w+)(?=`)", _put(r"\1x\2")),
    ("overruled becomes questioned", r"### Overruled by the user", _put("### Questioned or redirected by the user")),
    ("how many corrections are not quoted", r"(_.*?)(\d+)( of \d+ corrections)", _other_digit),
    ("the engine", r"- by `rules`", _put("- by `agent`")),
)
# Those of the rows above that nobody can notice from the transcript alone (docs/formats/brief.md).
UNNOTICED = frozenset(name for name, _, _ in MUTATIONS[[row[0] for row in MUTATIONS].index("git's branch") :])
# Whether a subagent committed is told by its own transcript, which is not read for this; and a file may be as it was
# wherever git was asked to put something back after its last change.
SOMETIMES = frozenset(("uncommitted removed", "what is not committed removed", "edited becomes reverted"))


def mutate(lines: list[str]) -> Iterator[tuple[str, int, list[str]]]:
    """Each row that fits a brief's lines, the line it changed, and the brief with that change."""
    for name, pattern, change in MUTATIONS:
        for at, line in enumerate(lines):
            match = re.match(pattern, line) if not line.lstrip(" -").startswith(">") else None
            if match is not None:
                yield name, at, [*lines[:at], change(match) + line[match.end() :], *lines[at + 1 :]]
