"""What a shell command line tells about files and commits, for any client that runs one.

Pure, and no regular expressions: this is read for every command of a session, also on the path that must stay cheap.
Only what is certain is told. A path with a variable, a wildcard or a command inside may be anything, so it is nothing;
a step whose failure the exit status would not show (`rm a; true`) is left out too.
"""

# Characters that the shell expands: a word with one of them does not name a file as it stands.
_EXPANDED = frozenset("$`*?[]{}()<>~!&\n")
_HEX = frozenset("0123456789abcdef")
# What `git log --graph` draws, and how many lines of a log are read: the newest stand first.
_GRAPH = "*|/\\_.- "
_MOST_LOGGED = 200
_PULLS = ("/pull", "/merge_requests")
# What became of what was pushed, and how git says so.
SENT, TAG, CURRENT, REFUSED = "sent", "tag", "current", "refused"
_NOT_SENT = ("! [", "error: failed to push", "fatal: ", "remote: error")
_UP_TO_DATE = ("Everything up-to-date", "= [up to date]")

# Programs whose exit status 1 is an answer ("no match", "differs"), which clients do not report as a failure.
_ANSWERS = frozenset(("grep", "egrep", "fgrep", "rg", "find", "diff", "test", "["))

# What ends a step. The line end first: the rest of a long script need not be searched for the others.
_ENDS = ("\n", "&&", "||", ";", "|")

# Words of a command line after which git may print the line of a new commit.
_COMMITTING = ("commit", "cherry-pick", "revert", "merge", "rebase", "git am")


class Step:
    """One simple command of a line: its words, and the operator that joins it to the next one ("" at the end)."""

    __slots__ = ("joined", "plain", "words")

    def __init__(self, words: "list[str]", plain: "list[bool]", joined: str) -> None:
        self.words = words
        self.plain = plain
        self.joined = joined


def parse_steps(command: str) -> "list[Step] | None":
    """The steps of a command line; None where it has structure that a list of steps cannot show."""
    steps: list[Step] = []
    words: list[str] = []
    plain: list[bool] = []
    word: list[str] = []
    begun, certain = False, True
    at, end = 0, len(command)
    while at <= end:
        char = command[at] if at < end else "\n"
        if char in " \t\n;&|" and not (char == "&" and _leads_output(command, at)):
            if begun:
                words.append("".join(word))
                plain.append(certain)
                word, begun, certain = [], False, True
            if char in "\n;&|":
                pair = command[at : at + 2]
                joined = pair if pair in ("&&", "||") else char
                if joined == ";" and pair == ";;":
                    return None
                if words:
                    steps.append(Step(words, plain, "" if at >= end else joined))
                    words, plain = [], []
                elif joined not in "\n" and at < end:
                    return None
                at += len(joined)
            else:
                at += 1
            continue
        begun = True
        if char == "'":
            close = command.find("'", at + 1)
            if close < 0:
                return None
            word.append(command[at + 1 : close])
            at = close + 1
        elif char == '"':
            at += 1
            while at < end and command[at] != '"':
                if command[at] == "\\" and at + 1 < end and command[at + 1] in '"\\$`':
                    at += 1
                elif command[at] in "$`":
                    certain = False
                word.append(command[at])
                at += 1
            if at >= end:
                return None
            at += 1
        elif char == "\\":
            if at + 1 >= end:
                return None
            if command[at + 1] != "\n":
                word.append(command[at + 1])
            elif not word:
                begun = False
            at += 2
        elif char == "#" and not word:
            line = command.find("\n", at)
            at = end if line < 0 else line
            begun = False
        elif char == "<" and command.startswith("<<", at):
            return None  # a here-document: what follows is text, not commands
        else:
            if char in _EXPANDED:
                certain = False
            word.append(char)
            at += 1
    return steps


def _leads_output(command: str, at: int) -> bool:
    """Whether the `&` there joins no steps: it leads the output elsewhere, as in `2>&1` and `&>log`."""
    return command[at - 1 : at] == ">" or command[at + 1 : at + 2] == ">"


def may_commit(command: str) -> bool:
    """Whether the output of this command may hold the line of a new commit."""
    return "git" in command and any(word in command for word in _COMMITTING)


def parse_commits(output: str) -> "tuple[tuple[str, str], ...]":
    """(hash, subject) of every line `[branch 1a2b3c4] subject` that git prints when it made a commit."""
    found: list[tuple[str, str]] = []
    at = 0 if output.startswith("[") else output.find("\n[") + 1
    while at or (at == 0 and output.startswith("[") and not found):
        end = output.find("\n", at)
        line = output[at : end if end >= 0 else len(output)]
        close = line.find("] ")
        if close > 0:
            words = line[1:close].split(" ")
            digest = words[-1]
            if len(words) > 1 and 7 <= len(digest) <= 40 and _HEX.issuperset(digest):
                found.append((digest, line[close + 2 :].strip()))
        at = output.find("\n[", at + 1) + 1 if end >= 0 else 0
        if not at:
            break
    return tuple(found)


def may_log(command: str) -> bool:
    """Whether the output of this command may list commits."""
    return " log" in command and "git" in command


def parse_log(output: str) -> "tuple[tuple[str, str], ...]":
    """(hash, subject) of the commits that `git log` lists, one to a line or with their authors, in their order."""
    found: list[tuple[str, str]] = []
    waiting = ""
    for line in output.split("\n", _MOST_LOGGED)[:_MOST_LOGGED]:
        if waiting:
            if line.startswith("    ") and line.strip():
                found.append((waiting, line.strip()))
                waiting = ""
            continue
        bare = line.lstrip(_GRAPH)
        word, _, rest = bare.partition(" ")
        if word == "commit" and bare == line and _is_digest(rest[:40], 40):
            waiting = rest[:40]
        elif _is_digest(word, 7) and rest.strip():
            rest = rest.lstrip()
            if rest.startswith("(") and ")" in rest:  # the branches and tags that point there
                names = rest[1 : rest.index(")")]
                if "HEAD" in names or "/" in names or "tag: " in names or " " not in names:
                    rest = rest[rest.index(")") + 1 :].lstrip()
            found.append((word, rest.strip()))
    return tuple(found)


def _is_digest(word: str, least: int) -> bool:
    return least <= len(word) <= 40 and _HEX.issuperset(word)


def parse_pushed(output: str) -> "tuple[tuple[str, str], ...]":
    """(name, sent|tag|current|refused) of what `git push` tells to have sent; a name may be "" where it tells none."""
    found: list[tuple[str, str]] = []
    for line in output.split("\n"):
        text = line.strip()
        if text.startswith(_NOT_SENT):
            found.append((_find_sent(text), REFUSED))
        elif text.startswith(_UP_TO_DATE):
            found.append((_find_sent(text), CURRENT))
        elif " -> " in text:
            mark = text.lstrip("*+ ")
            if mark.startswith("[new tag]"):
                found.append((_find_sent(text), TAG))
            elif mark.startswith("[new branch]") or _is_range(mark.split(" ", 1)[0]):
                found.append((_find_sent(text), SENT))
    return tuple(found)


def _find_sent(text: str) -> str:
    """The name before the arrow: `1a2b3c4..5d6e7f8  tides -> tides`."""
    before, arrow, _ = text.partition(" -> ")
    return before.split()[-1] if arrow and before.split() else ""


def _is_range(word: str) -> bool:
    first, dots, last = word.partition("..")
    return bool(dots) and _is_digest(first, 4) and _is_digest(last.lstrip("."), 4)


def parse_pull(output: str) -> str:
    """The address of the pull request that was opened, which stands on a line of its own; "" where there is none.

    One that was there already was opened by somebody else, or before.
    """
    if "already exists" in output:
        return ""
    for line in reversed(output.split("\n")):
        address = line.strip()
        head, _, number = address.rpartition("/")
        if number.isascii() and number.isdigit() and head.startswith("https://") and head.endswith(_PULLS):
            return address if " " not in address else ""
    return ""


def answers_by_status(command: str) -> bool:
    """Whether a success may hide exit status 1: the last program of the line answers with its status."""
    tail = command.rstrip()
    for mark in _ENDS:
        if mark in tail:
            tail = tail[tail.rindex(mark) + len(mark) :]
    words = tail.split(None, 2)
    return bool(words) and (words[0] in _ANSWERS or words[:2] == ["git", "grep"])
