"""Pull requests by their numbers: in the commands that ask for one, and in the address of one that was opened."""

from thruline.session.runs import Asked, find_asked

LOOKED, WORKED, MERGED, CLOSED, REOPENED = "looked", "worked", "merged", "closed", "reopened"
# What each is worth, and what makes work: however often somebody looks, it may be anybody's.
WORTH = {LOOKED: 0, WORKED: 1, MERGED: 1, CLOSED: 1, REOPENED: 1}
LEAST_WORK = 1

_LOOKING = frozenset(("view", "diff", "list", "checks", "status"))
# With one of these it is merged later or never.
_LATER = frozenset(("--auto", "--disable-auto", "--auto-merge", "--when-pipeline-succeeds", "--help", "-h"))
_WRITING = frozenset(("-f", "-F", "--field", "--raw-field", "--input"))


class Pulls:
    """The pull requests of a session by their numbers, folded from commands that ended well and those it opened.

    `opened` and `merged` tell the line, `lines` all lines of each, `worth` what was done to it. One that was closed
    again is not told as opened: whoever reads that would look for it.
    """

    def __init__(self) -> None:
        self.opened: dict[str, int] = {}
        self.merged: dict[str, int] = {}
        self.worth: dict[str, int] = {}
        self.lines: dict[str, list[int]] = {}
        self._closed: dict[str, int] = {}

    def open(self, address: str, line: int) -> None:
        """Takes in that one was opened."""
        self.opened[name_pull(address)] = line

    def see(self, command: str, line: int) -> None:
        """Takes in a command that ended well."""
        for what, number in find_pulls(command):
            # By the name of its branch it may be the one that was opened last.
            number = number or next(reversed(self.opened), "")
            if not number:
                continue
            self.worth[number] = self.worth.get(number, 0) + WORTH[what]
            self.lines.setdefault(number, []).append(line)
            if what == MERGED:
                self.merged[number] = line
            elif what == CLOSED and number in self.opened:
                self._closed[number] = self.opened.pop(number)
            elif what == REOPENED and number in self._closed:
                self.opened[number] = self._closed.pop(number)

    @property
    def others(self) -> list[str]:
        """Those that were worked on, and neither opened nor merged."""
        done = self.opened.keys() | self.merged.keys()
        return [number for number, worth in self.worth.items() if worth >= LEAST_WORK and number not in done]


def find_pulls(command: str) -> list[tuple[str, str]]:
    """(what, `#number`) of each pull request that a command which ended well asked for; "" for one by another name."""
    if "pr " not in command and "mr " not in command and "pulls/" not in command:
        return []
    steps = find_asked(command, "gh", "glab")
    return [found for step in steps if (found := (_read_api if step.verb == "api" else _read_verb)(step)) is not None]


def _read_verb(step: Asked) -> tuple[str, str] | None:
    kind, _, verb = step.verb.partition(" ")
    number = step.plain[0].rpartition("/")[2].removeprefix("#") if step.plain else ""
    ending = {"close": CLOSED, "reopen": REOPENED}.get(verb, "") if kind in ("pr", "mr") and step.plain else ""
    if ending and step.sure and "--help" not in step.options:
        return ending, f"#{number}" if _is_number(number) else ""
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
    if not rest and method == "PATCH" and step.sure:
        state = [word for word in step.words if word.startswith("state=")]
        ending = {"state=closed": CLOSED, "state=open": REOPENED}.get(state[-1] if state else "")
        if ending:
            return ending, f"#{number}"
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
