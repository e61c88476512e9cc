"""Which file and which command a quoted line of a plan is about: `ended.py` looks for them in what was done."""

from thruline.brief.quotation.quote import CUT
from thruline.pattern import compile_later

# A file at the beginning of a line, behind the mark of a list, a number, or up to three words; and a command.
_FILE = compile_later(
    r"[\W\d_]*(?:[^\W\d_]+[:*_ ]+){0,3}[*_`]*(?P<path>(?:[\w@.+~-]*/)*[\w@+-][\w@.+-]*\.[a-z]\w{0,7})(?![\w/])"
)
_COMMAND = compile_later(r"`([a-z][\w.-]*(?: [\w./:@<>,'\"-]+)+)`")


def find_name(path: str) -> str:
    """The last part of a path, in one case."""
    return path.replace("\\", "/").rpartition("/")[2].lower()


def find_planned_files(quoted: str) -> set[str]:
    """The names of the files that pieces of a plan begin with."""
    found = [_FILE.match(piece) for piece in quoted.split(CUT)]
    return {find_name(match["path"]) for match in found if match is not None}


def find_planned_command(quoted: str) -> str:
    """The command that a line of a plan names first; "" where it names none."""
    found = _COMMAND.search(quoted)
    return found[1] if found is not None else ""
