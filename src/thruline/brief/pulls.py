"""Pull requests by their numbers: in the commands that ask for one, and in the address of one that was opened."""

from thruline.session.runs import Asked, find_asked

LOOKED, WORKED, MERGED = "looked", "worked", "merged"
# What each is worth, and what makes work: however often somebody looks, it may be anybody's.
WORTH = {LOOKED: 0, WORKED: 1, MERGED: 1}
LEAST_WORK = 1

_LOOKING = frozenset(("view", "diff", "list", "checks", "status"))
# With one of these it is merged later or never.
_LATER = frozenset(("--auto", "--disable-auto", "--auto-merge", "--when-pipeline-succeeds", "--help", "-h"))
_WRITING = frozenset(("-f", "-F", "--field", "--raw-field", "--input"))


def find_pulls(command: str) -> list[tuple[str, str]]:
    """(LOOKED|WORKED|MERGED, `#number`) of each pull request that a command which ended well asked for."""
    if "pr " not in command and "mr " not in command and "pulls/" not in command:
        return []
    steps = find_asked(command, "gh", "glab")
    return [found for step in steps if (found := (_read_api if step.verb == "api" else _read_verb)(step)) is not None]


def _read_verb(step: Asked) -> tuple[str, str] | None:
    kind, _, verb = step.verb.partition(" ")
    number = step.plain[0].rpartition("/")[2].removeprefix("#") if step.plain else ""
    if kind not in ("pr", "mr") or not _is_number(number):
        return None
    if verb in _LOOKING:
        return LOOKED, f"#{number}"
    # More words may be those of a next line, whose end is the one that is known.
    merged = verb == "merge" and step.sure and len(step.plain) == 1 and _LATER.isdisjoint(step.options)
    return MERGED if merged else WORKED, f"#{number}"


def _read_api(step: Asked) -> tuple[str, str] | None:
    address = next((word for word in step.plain if "pulls/" in word and "=" not in word.partition("?")[0]), "")
    number, _, rest = address.partition("pulls/")[2].partition("?")[0].partition("/")
    if not _is_number(number):
        return None
    method = _find_method(step)
    if method == "GET":
        return LOOKED, f"#{number}"
    return MERGED if rest == "merge" and method == "PUT" and step.sure else WORKED, f"#{number}"


def _find_method(step: Asked) -> str:
    for at, word in enumerate(step.words):
        if word in ("-X", "--method"):
            return "".join(step.words[at + 1 : at + 2]).upper()
        if word.startswith(("-X", "--method=")):
            return word.removeprefix("-X").removeprefix("--method=").upper()
    return "GET" if _WRITING.isdisjoint(step.options) else "POST"


def _is_number(word: str) -> bool:
    return 0 < len(word) <= 7 and word.isascii() and word.isdigit()


def name_pull(address: str) -> str:
    """What a pull request is called: the number that its address ends in."""
    return f"#{address.rpartition('/')[2]}"
