"""Whether what looks like a commit in the output of a command was certainly not made in the project by it.

A test of commits prints them and makes none; a repository in a temporary folder is a trial. Errs on the side of the
project: a script, a tool of releases and whatever else nobody knows may commit.
"""

from thruline.session.looking import may_write_by
from thruline.session.runs import CUT, SAYING, SHOWING, UNKNOWN, Asked, Run, find_asked, find_runs

_TEMPORARY = ("/tmp/", "/private/tmp/", "/var/folders/")  # noqa: S108 - told, not used
_LEADING = ("cd", "-C", "init", "init -q")
# What git does without making a commit; a verb that is none of these may be somebody's own name for one that does.
_NO_COMMIT = (
    "add archive bisect blame branch bundle cat-file check-ignore checkout clean clone config describe diff "
    "fetch for-each-ref format-patch fsck gc grep help init log ls-files ls-remote ls-tree merge-base mv notes "
    "prune push reflog remote reset restore rev-list rev-parse rm shortlog show show-ref sparse-checkout stash "
    "status submodule switch symbolic-ref tag worktree"
)
_MAKING_NONE = frozenset(_NO_COMMIT.split())
# Programs that run what the next word names, and words that stand between.
_LEADING_ON = (
    "npm npx pnpm yarn bun bunx deno node tsx python python3 uv uvx poetry pdm hatch pipenv rye bundle rake mix php "
    "composer ruby perl bash sh zsh timeout nice xvfb-run coverage go cargo dotnet mvn mvnw gradle gradlew swift "
    "flutter dart bazel make gmake just task mise run run-script exec x dlx manage.py"
)
_LAUNCHERS = frozenset(_LEADING_ON.split())
# They do all that is named, one after another.
_MAKERS = frozenset(("make", "gmake", "just", "task", "mise", "rake", "gradle", "gradlew", "mvn", "mvnw"))
_TEST_WORDS = (
    "test tests testing unittest pytest spec specs check checks jest vitest mocha ava rspec phpunit ctest tox nox "
    "nose2 karma cypress playwright bats minitest nextest"
)
_TESTS = frozenset(_TEST_WORDS.split())
# What only makes ready: of files, and of what a project needs.
_READYING = frozenset(("mkdir", "rm", "cp", "mv", "touch", "chmod", "ln", "export", "set", "unset", "pip", "pip3"))
_READING_IN = frozenset(("source", "."))
_INSTALLING = frozenset(("install", "ci", "sync"))
# What does a step more than once, and what of git only shows what a commit would be.
_REPEATING = frozenset(("for", "while", "until", "xargs", "parallel", "-exec"))
_TRYING = frozenset(("--dry-run", "--help", "-h", "--porcelain", "--short", "--no-commit", "--abort", "--quit"))
_HIDDEN_GIT = ("$(git ", "`git ")


def find_made(command: str, printed: "tuple[tuple[str, str], ...]") -> "tuple[tuple[str, str], ...]":
    """Of the commits whose lines a command printed, as many as it can have made; the others a file or a page told."""
    most = _count_most(command) if printed else None
    if most is None or len(printed) <= most:
        return printed
    named = [one for one in printed if one[1] and one[1] in command]
    # What showed a file before git committed printed its lines first.
    runs = [run.program for run in find_runs(command)]
    before = runs[: runs.index("git") if "git" in runs else 0]
    shown = any(program in SHOWING or program in SAYING for program in before)
    rest = [one for one in printed if one not in named]
    kept = [*named, *(rest[::-1] if shown else rest)][:most]
    return tuple(one for one in printed if one in kept)


def _count_most(command: str) -> int | None:
    """How many commits the steps of a command line can make; None where nobody can tell."""
    runs = find_runs(command)
    if not runs or command.endswith(CUT) or any(words in command for words in _HIDDEN_GIT):
        return None
    if not _REPEATING.isdisjoint(command.split()) or any(_may_make(run) for run in runs):
        return None
    counts = [_count_made(step) for step in find_asked(command, "git")]
    return None if None in counts else sum(count for count in counts if count is not None)


def _count_made(step: Asked) -> int | None:
    if step.verb in _MAKING_NONE or not _TRYING.isdisjoint(step.options):
        return 0
    if step.verb in ("commit", "merge"):
        return 1
    if step.verb in ("cherry-pick", "revert") and "--continue" not in step.options:
        named = step.plain
        return None if any(".." in word for word in named) else len(named)
    return None


def is_foreign(command: str) -> bool:
    """Whether what looks like a commit in the output of a command was certainly not made in the project by it."""
    return is_trial(command) or not _may_have_made(command)


def _may_have_made(command: str) -> bool:
    """Whether something that a command runs may have made a commit."""
    runs = find_runs(command)
    if not runs or command.endswith(CUT) or any(words in command for words in _HIDDEN_GIT):
        return True  # it cannot be read, or not to its end
    if any(map(_may_make, runs)):
        return True
    return any(step.verb not in _MAKING_NONE for step in find_asked(command, "git"))


def _may_make(run: Run) -> bool:
    """Whether a program other than git may run git in its turn."""
    return run.program != "git" and may_write_by(run) and not _makes_none(run)


def _makes_none(run: Run) -> bool:
    """Whether a program is known to make no commit: it tests, or makes ready."""
    if run.program in _READYING or (run.program in _READING_IN and "".join(run.words[-1:]).endswith("activate")):
        return True
    words = [run.program, *(word for at, word in enumerate(run.words) if run.words[at - 1 : at] != ["-C"])]
    named = [word for word in words if not word.startswith("-") and not word[:1].isdigit() and "=" not in word]
    while named and named[0] in _LAUNCHERS:
        del named[0]
    if run.program not in _MAKERS:
        del named[1:]
    return bool(named) and all(_is_test(word) or word in _INSTALLING for word in named)


def _is_test(word: str) -> bool:
    """Whether a name or a path is one of tests: `test:unit`, `tests/run.py`, `export.test.js`, `pytest`."""
    parts = "".join(char if char.isalnum() else " " for char in word).split()
    return " " not in word and not _TESTS.isdisjoint(parts)


def is_trial(command: str) -> bool:
    """Whether a command line makes a repository in a temporary folder: what it commits there is not the project's."""
    if "git" not in command or " init" not in command:
        return False
    asked = find_asked(command, "git")
    made = [step for step in asked if step.verb == "init"]
    if made:
        places = [step.folder for step in asked] + [word for step in made for word in step.plain]
        hidden = any(place == UNKNOWN or "$" in place or "`" in place for place in places)
        told = "mktemp" in command or "TMPDIR" in command
        return (hidden and told) or any(f"{place}/".startswith(_TEMPORARY) for place in places)
    if asked or "git init" not in command:
        return False
    # It cannot be read: by its words.
    return "mktemp" in command or any(f"{word} {place}" in command for word in _LEADING for place in _TEMPORARY)
