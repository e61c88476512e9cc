"""What a later run shows of one that failed: whether the same thing passed since, however it was called.

A command is taken out of what stands around it (a subshell, `source …`, `cd`, settings, `timeout`, `uv run`) and is
compared by its program. It passed where the same ran well with as many filters or fewer, a folder above, the project's
own task for such checks, or, of a build, the tests of the same. The side it errs on: that it passed.
"""

from collections.abc import Iterator

from thruline.pattern import compile_later
from thruline.session.runs import Run, find_runs

Step = tuple[str, ...]
# What the shell says of a program that it cannot run, or does not find.
NOT_RUN = frozenset((126, 127))
TEST, LINT, BUILD, ALL = "test", "lint", "build", "all"

# What sets up where a program runs, and what cuts its output.
_AROUND = frozenset(("cd", "pushd", "popd", "source", ".", "export", "set", "unset", "ulimit", "sleep", "true", "wait"))
_FILTERS = frozenset(("tail", "head", "grep", "egrep", "rg", "tee", "cat", "less", "sed", "awk", "sort", "uniq", "wc"))
# Programs that run another one, behind one of these words or, where there are none, at once.
_LAUNCHERS = {
    **dict.fromkeys(("timeout", "gtimeout", "nice", "stdbuf", "xvfb-run", "npx", "bunx", "uvx", "caffeinate"), ()),
    **dict.fromkeys(("uv", "poetry", "pdm", "pipenv", "hatch", "rye", "pixi", "conda"), ("run",)),
    **dict.fromkeys(("bundle", "pnpm", "yarn", "npm", "mise", "direnv"), ("exec", "dlx", "x")),
}
_INTERPRETER = compile_later(r"(?:python|pypy)[\d.]*\Z|py\Z")
_LENGTH = compile_later(r"\d[\d.]*[smhd]?\Z")
# Programs that run what a project calls a task, and what may stand before its name.
_TASKS = frozenset(
    ("make", "gmake", "just", "task", "mise", "rake", "npm", "pnpm", "yarn", "bun", "deno", "poe", "turbo")
)
_RUNNING = frozenset(("run", "r", "run-script"))
_PIECE = compile_later(r"[^\W_]+")
# What the whole of such checks is called; a name with another word in it is a part of them.
_WHOLE = {
    "test": TEST, "tests": TEST, "spec": TEST, "specs": TEST, "lint": LINT, "build": BUILD, "compile": BUILD,
    "typecheck": LINT, "types": LINT, "check": ALL, "checks": ALL, "verify": ALL, "validate": ALL, "precommit": ALL,
    "qa": ALL,
}  # fmt: skip
_MORE = frozenset(("ci", "all", "full"))
_EVERY, _INSTALLERS = frozenset(("all", "ci")), frozenset(("npm", "pnpm", "yarn", "bun"))
_KINDS = (
    (TEST, compile_later(r"test|\bspecs?\b|\btox\b|\bnox\b|jest|\bava\b|mocha")),
    (LINT, compile_later(r"lint|clippy|\bruff\b|flake8|\bvet\b|shellcheck|prettier|biome|mypy|pyright|type-?check")),
    (
        BUILD,
        compile_later(r"build|compile|\btsc\b|\bcheck\b|\bcmake\b|ninja|gcc|clang|javac|\Amake\Z"),
    ),
)
# Options whose value chooses what is run, though it stands behind a sign of equality; and those whose value does not.
_CHOOSING = frozenset(
    ("-run", "--run", "-k", "-m", "-t", "--filter", "--grep", "--tests", "--test", "--match", "--only")
)
_AIDING = frozenset(
    ("-o", "--out", "--output", "-c", "--config", "-C", "--directory", "-j", "-n", "--rootdir", "--cov")
)


def find_steps(command: str) -> list[Step]:
    """The programs that a command line runs with their words, without what stands around them."""
    runs = [run for run in find_runs(command) if run.program not in _AROUND]
    return [_unwrap(run) for run in [run for run in runs if run.program not in _FILTERS] or runs]


def _unwrap(run: Run) -> Step:
    words = [run.program, *run.words]
    while True:
        name, rest = words[0].rpartition("/")[2], words[1:]
        verbs = _LAUNCHERS.get(name)
        if _INTERPRETER.match(name) and rest[:1] == ["-m"]:
            rest = rest[1:]
        elif verbs is None or (verbs and rest[:1] and rest[0] not in verbs):
            break
        else:
            rest = rest[1:] if verbs else rest
            while rest and (rest[0].startswith("-") or _LENGTH.match(rest[0])):
                rest = rest[1:]
        if not rest:
            break
        words = rest
    if name in _TASKS and rest[:1] and rest[0] in _RUNNING:
        rest = rest[1:]
    return (name, *rest)


def find_kind(step: Step) -> str:
    """Whether a step tests, lints or builds; "" for anything else."""
    words = step[1:2] if step[0] in _TASKS and len(step) > 1 else step[:2]
    return next((kind for word in words for kind, pattern in _KINDS if pattern.search(word)), "")


def shows_passed(passed: Step, failed: Step) -> bool:
    """Whether a step that ended well shows that one which failed before would pass."""
    kind, wanted = find_kind(passed), find_kind(failed)
    if _covers(passed, failed):
        return True
    if not wanted:
        # Anything else was tried in another way: `git push`, `git push -u origin main`.
        return passed[0] == failed[0] and _find_verb(passed) == _find_verb(failed)
    if _find_whole(passed) in (ALL, wanted, *((TEST,) if wanted == BUILD else ())):
        return True
    if (kind, wanted) != (TEST, BUILD) or len(passed) < 2:
        return False
    return _covers((passed[0], *failed[1:2], *passed[2:]), failed)


def _find_verb(step: Step) -> str:
    return next((word for word in step[1:] if not word.startswith("-")), "")


def _find_whole(step: Step) -> str:
    """Which checks a project's task runs all of; "" for a part of them, or another program."""
    words = [word for word in step[1:] if not word.startswith("-") or "=" in word]
    if step[0] not in _TASKS or len(words) != 1:
        return ""
    pieces = _PIECE.findall(words[0].lower())
    kinds = {_WHOLE.get(piece, "" if piece in _MORE else words[0]) for piece in pieces} - {""}
    if len(kinds) == 1:
        return kinds.pop()
    # `npm ci` installs.
    return ALL if not kinds and _EVERY.issuperset(pieces) and step[0] not in _INSTALLERS else ""


def _covers(wide: Step, narrow: Step) -> bool:
    """Whether a step runs all that another one of the same program does: it has no filter that the other has not."""
    return wide[0] == narrow[0] and all(_has(narrow, word, chosen) for word, chosen in _find_filters(wide))


def _find_filters(step: Step) -> Iterator[tuple[str, bool]]:
    """The words that choose what a step runs; whether each is the value of an option, so perhaps part of a name."""
    before = ""
    for word in step[1:]:
        option, equal, value = word.partition("=")
        if word.startswith("-"):
            if equal and option in _CHOOSING:
                yield value, True
        elif _LENGTH.match(word) is None and before not in _AIDING:
            yield word, before.startswith("-") and "=" not in before
        before = word


def _has(narrow: Step, word: str, chosen: bool) -> bool:
    """Whether what a word chooses is chosen by a step as well, or holds what is."""
    own = [value for value, _ in _find_filters(narrow)]
    if any(_lies_in(value, word) for value in own):
        return True
    parts = [part.strip("^$") for part in word.split("|")]
    return chosen and any(all(any(part in each for part in parts) for each in value.split("|")) for value in own)


def _lies_in(value: str, word: str) -> bool:
    """Whether a path, or a name with parts, is the same as another or below it."""
    value, word = _bare(value), _bare(word)
    if word in ("", "."):
        return True
    behind = value[len(word) : len(word) + 1]
    return value.startswith(word) and not (behind.isalnum() or behind == "_")


def _bare(path: str) -> str:
    return path.removeprefix("./").removesuffix("...").rstrip("/")
