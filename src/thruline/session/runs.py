"""The programs that a command line runs, apart from the text that it carries.

The message of a commit, the body of a pull request, a here-document or a comment may speak of any command: none of it
ran. A command is kept on one line and may be cut, so where a line ended is lost: a `git` among the words of another
program may begin a step of its own, of which it is not known how it ended.
"""

from posixpath import join, normpath

from thruline.session.commands import parse_steps

# Stands at the end of a command that was cut.
CUT = "…"
_PROGRAMS = frozenset(("git", "gh", "glab"))
# What stands before a program, and what decides whether it runs at all.
_BEFORE = frozenset(("sudo", "time", "env", "command", "exec", "nohup", "{", "(", "!"))
_DECIDING = frozenset(("if", "then", "else", "elif", "do", "while", "until", "!"))
# Programs whose words are words: `echo git push` pushes nothing.
SAYING = frozenset(("echo", "printf", "grep", "egrep", "fgrep", "rg", "ag", "man", "which", "type", "alias", "say"))
_SHELLS = frozenset(("bash", "sh", "zsh", "dash"))
# Options with a value of their own, before the sub-command; and those whose value is text.
_VALUED = frozenset(("-C", "-c", "--git-dir", "--work-tree", "--namespace", "-R", "--repo", "--hostname"))
_TEXTS = frozenset(("--message", "--body", "--title", "--notes", "--subject", "--trailer", "--description"))
_MOST_NESTED = 3
# Programs that show what is there.
SHOWING = frozenset(("cat", "less", "more", "head", "tail", "ls", "wc", "sort", "uniq", "cd", "pwd", "true"))
# What git is asked for to put work back.
_BACK = frozenset(("checkout", "restore", "revert", "reset", "stash"))
# A push with one of these only shows what it would do, or sends or takes away something else than a branch.
NO_PUSH = frozenset(("--dry-run", "-n", "--delete", "-d", "--prune", "--tags", "--help", "-h"))
# A folder that the command line does not tell.
UNKNOWN = "?"
_ENTERING = frozenset(("cd", "pushd", "popd"))
_EXPANDING = frozenset("$`*?()")


class Run:
    """A program and its words. `sure` where it ran and ended well if the whole command did."""

    __slots__ = ("program", "sure", "words")

    def __init__(self, words: "list[str]", sure: bool) -> None:
        self.program = words[0].rpartition("/")[2]
        self.words = words[1:]
        self.sure = sure


class Asked:
    """A sub-command of a program such as git: its verb (two words for one such as gh), and what stands behind it.

    `folder` is where it ran, as far as the command line tells: "" where the shell was, `UNKNOWN` where nobody can tell.
    """

    __slots__ = ("folder", "options", "plain", "program", "sure", "verb", "words")

    def __init__(self, program: str, verb: str, words: "list[str]", sure: bool, folder: str = "") -> None:
        self.folder = folder
        self.program = program
        self.verb = verb
        self.words = words  # all, without the values that are text
        self.options = [word for word in words if word.startswith("-")]
        self.plain = [word for word in words if not word.startswith("-")]
        self.sure = sure


def hides_status(command: str) -> bool:
    """Whether a line may end well although what it runs did not: in the background, behind a pipe, before a step."""
    if command.rstrip().endswith("&"):
        return True  # it ends at once, and well
    if "pipefail" in command:
        return False
    steps = parse_steps(_drop_documents(command))
    return "|" in command if steps is None else any(step.joined not in ("&&", "") for step in steps[:-1])


def find_runs(command: str, nested: int = 0) -> "list[Run]":
    """What a command line runs, in its order; nothing where it cannot be read."""
    text = _drop_documents(command)
    cut = command.endswith(CUT)
    steps = parse_steps(text)
    for end in ("'", '"') if cut else ():
        steps = steps if steps is not None else parse_steps(text + end)
    found: list[Run] = []
    steps = steps or []
    sure = not cut
    for at in range(len(steps) - 1, -1, -1):
        step = steps[at]
        sure = sure and step.joined in ("&&", "")
        known = sure and (at == 0 or steps[at - 1].joined not in ("||", "|"))
        found[:0] = _split(step.words, known, nested)
    return found


def _split(words: "list[str]", sure: bool, nested: int) -> "list[Run]":
    at = 0
    while at < len(words):
        word = words[at].lstrip("({") if words[at] not in ("(", "{") else words[at]
        if word in _DECIDING:
            sure = False
        elif word not in _BEFORE and word and not _is_setting(word):
            break
        at += 1
    rest = [words[at].lstrip("({"), *words[at + 1 :]] if at < len(words) else []
    if not rest:
        return []
    program = rest[0].rpartition("/")[2]
    if program in _SHELLS and nested < _MOST_NESTED:
        script = next((rest[number + 1] for number, word in enumerate(rest[:-1]) if _has_script(word)), "")
        if script:
            return [Run([run.program, *run.words], run.sure and sure) for run in find_runs(script, nested + 1)]
    if program in SAYING:
        return [Run(rest, sure)]
    begins = [number for number, word in enumerate(rest) if number and word in _PROGRAMS]
    found = []
    for first, end in zip([0, *begins], [*begins, len(rest)], strict=True):
        kept = _drop_tail(rest[first:end])
        if kept:
            found.append(Run(kept, sure and not begins))
    return found


def _has_script(option: str) -> bool:
    return option.startswith("-") and not option.startswith("--") and option.endswith("c")


def _is_setting(word: str) -> bool:
    name, equal, _ = word.partition("=")
    return bool(equal) and name.isidentifier()


def _drop_tail(words: "list[str]") -> "list[str]":
    """The words without what leads the output elsewhere, and without the bracket that closes a group."""
    kept: list[str] = []
    behind = False
    for word in words:
        leads = not behind and (word.startswith((">", "2>", "1>", "&>", "<")))
        if not leads and not behind and word not in (")", "}"):
            kept.append(word)
        behind = leads and word.rstrip(">&") in ("", "1", "2")
    if len(kept) > 1 and kept[-1].endswith(")") and "(" not in kept[-1]:
        kept[-1] = kept[-1].rstrip(")")
    return kept


def find_asked(command: str, *programs: str) -> "list[Asked]":
    """The sub-commands that a command line asks some programs for: git for one, gh and glab for two words each."""
    found = []
    folder = ""
    for run in find_runs(command):
        if run.program in _ENTERING:
            folder = _enter(folder, run.words)
        if run.program not in programs:
            continue
        words = _drop_texts(run.words, "m" if run.program == "git" else "mbt")
        verbs = 1 if run.program == "git" or words[:1] == ["api"] else 2
        if len(words) >= verbs:
            where = _find_folder(folder, run.words) if run.program == "git" else folder
            found.append(Asked(run.program, " ".join(words[:verbs]), words[verbs:], run.sure, where))
    return found


def _find_folder(folder: str, words: "list[str]") -> str:
    """Where git works that is called with these words in `folder`."""
    for at, word in enumerate(words):
        if word == "-C":
            folder = _enter(folder, words[at + 1 : at + 2])
        elif word.startswith(("--git-dir", "--work-tree")):
            return UNKNOWN
        elif not word.startswith("-") and words[at - 1 : at] not in (["-C"], ["-c"]):
            break
    return folder


def _enter(folder: str, words: "list[str]") -> str:
    """The folder that `cd` with these words leads to."""
    named = [word for word in words if word == "-" or not word.startswith("-")]
    if len(named) != 1 or named[0] == "-" or folder == UNKNOWN or not _EXPANDING.isdisjoint(named[0]):
        return UNKNOWN
    return normpath(named[0] if named[0].startswith("~") else join(folder, named[0]))


def puts_back(command: str, whole: bool = True) -> bool:
    """Whether a command line runs git to put work back as it was; by words alone where the line cannot be read.

    `whole` asks for what certainly takes work away; else any step back counts, a change of the branch too.
    """
    if "git" not in command or not any(word in command for word in _BACK):
        return False
    asked = find_asked(command, "git")
    if not asked and not find_runs(command):
        return True
    return any(step.verb in _BACK and (not whole or _takes_away(step)) for step in asked)


def _takes_away(step: Asked) -> bool:
    if step.verb == "checkout":
        return "--" in step.options
    if step.verb == "reset":
        return "--hard" in step.options
    return step.verb != "stash" or step.plain[:1] == ["drop"]


def runs_git(command: str, verb: str) -> bool:
    """Whether a command line runs this sub-command of git; by words alone where the line cannot be read."""
    if f"git {verb}" not in command and not ("git " in command and f" {verb}" in command):
        return False
    asked = find_asked(command, "git")
    return any(step.verb == verb for step in asked) or (not asked and not find_runs(command))


def removes(command: str) -> bool:
    """Whether a command line runs `rm`, or `git rm`."""
    if "rm " not in command:
        return False
    runs = find_runs(command)
    return any(run.program == "rm" or (run.program == "git" and run.words[:1] == ["rm"]) for run in runs) or not runs


def only_says(command: str) -> bool:
    """Whether a command line does nothing but say or show something: what it prints was not made by it."""
    runs = find_runs(command)
    return bool(runs) and all(run.program in SAYING or run.program in SHOWING for run in runs)


def may_push(command: str) -> bool:
    """Whether a command asks git to push, however that ended."""
    if "push" not in command:
        return False
    return any(step.verb == "push" and NO_PUSH.isdisjoint(step.options) for step in find_asked(command, "git"))


def opens_pull(command: str) -> bool:
    """Whether this command opens a pull request and prints its address; a line that cannot be read may do so."""
    if "gh pr create" not in command and "glab mr create" not in command:
        return False
    asked = find_asked(command, "gh", "glab")
    creates = [step for step in asked if step.verb in ("pr create", "mr create")]
    return any("--dry-run" not in step.options for step in creates) or not find_runs(command)


def _drop_texts(words: "list[str]", signs: str) -> "list[str]":
    """The words from the sub-command on, without the values of options that are text: those that end in `signs` too."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _VALUED else 1
    kept: list[str] = []
    behind = False
    for word in words[at:]:
        if not behind:
            name, equal, _ = word.partition("=")
            kept.append(name if equal and name in _TEXTS else word)
        behind = not behind and (word in _TEXTS or _ends_in_text(word, signs))
    return kept


def _ends_in_text(word: str, signs: str) -> bool:
    """Whether the next word is text: `-m`, `-am`, and of pull requests `-b`, `-t`."""
    return len(word) in (2, 3, 4, 5) and word[0] == "-" and word[1:].isalpha() and word[-1] in signs


def _drop_documents(command: str) -> str:
    """The command without its here-documents; each ends at the word that it names, wherever the lines ended."""
    at = command.find("<<")
    while at >= 0:
        start = at + 2
        while start < len(command) and command[start] in "-'\"\\ ":
            start += 1
        end = start
        while end < len(command) and (command[end].isalnum() or command[end] == "_"):
            end += 1
        name = command[start:end]
        close = _find_word(command, name, end) if name and not name[0].isdigit() else -1
        if close >= 0:
            command = f"{command[:at]}\n{command[close + len(name) :]}"
        elif name and command.endswith(CUT):
            return command[:at] + CUT
        at = command.find("<<", at + (0 if close >= 0 else 2))
    return command


def _find_word(text: str, word: str, start: int) -> int:
    at = text.find(word, start)
    while at >= 0:
        behind = text[at + len(word) : at + len(word) + 1]
        if text[at - 1].isspace() and (not behind or behind.isspace() or behind in ")`\"'"):
            return at
        at = text.find(word, at + 1)
    return -1
