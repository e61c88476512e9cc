"""Which paths git would leave out, and by whose rule."""

import os
from collections.abc import Sequence

from thruline.gitfacts.program import NoAnswer, ask_git
from thruline.value import dataclass


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """What git's rules say of one path. `rule` is the deciding `file:line:pattern`, empty if none matched."""

    path: str
    ignored: bool
    rule: str = ""


def read_ignored(
    folder: str, paths: Sequence[str], *, timeout: float | None = None
) -> tuple[IgnoreRule, ...] | NoAnswer:
    """One rule per path, in order; paths are relative to `folder`, one that names a folder ends in `/`.

    The rules alone are asked: a file that is tracked already still counts as ignored if a pattern says so.
    """
    if not paths:
        return ()
    # Through standard input no path can be taken for an option.
    given = b"".join(os.fsencode(path) + b"\0" for path in paths)
    question = ("check-ignore", "-z", "--stdin", "--verbose", "--non-matching", "--no-index")
    answer = ask_git(folder, question, given=given, timeout=timeout)
    return answer if isinstance(answer, NoAnswer) else parse_ignored(answer.output)


def is_tracked(folder: str, path: str, *, timeout: float | None = None) -> bool | NoAnswer:
    """Whether git has the file in its index; `path` is relative to `folder`."""
    question = ("ls-files", "-z", "--", f":(literal){path}")
    answer = ask_git(folder, question, timeout=timeout)
    return answer if isinstance(answer, NoAnswer) else bool(answer.output)


def parse_ignored(output: bytes) -> tuple[IgnoreRule, ...]:
    """The values of `git check-ignore -z --verbose --non-matching`."""
    fields = [os.fsdecode(field) for field in output.split(b"\0")]
    rules = []
    for at in range(0, len(fields) - 3, 4):
        source, line, pattern, path = fields[at : at + 4]
        # A pattern that starts with `!` decided that the path is kept.
        ignored = bool(pattern) and not pattern.startswith("!")
        rules.append(IgnoreRule(path, ignored, f"{source}:{line}:{pattern}" if pattern else ""))
    return tuple(rules)
