"""One labelled entry of a spine."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Entry:
    """A record's label, one headline, and the words below it. A head is one line, whatever names a transcript gave.

    `turn` marks what a person said to the agent as a prompt: chunks may begin here.
    """

    __slots__ = ("body", "head", "line", "source", "turn")

    def __init__(self, line: int, source: str, head: str, body: str = "", turn: bool = False) -> None:
        self.line = line
        self.source = source
        self.head = head if head.isprintable() else _flatten(head)
        self.body = body
        self.turn = turn

    @property
    def label(self) -> str:
        return f"{self.source}:L{self.line}" if self.source else f"L{self.line}"


def _flatten(head: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in head).split())


def render_entry(entry: Entry) -> str:
    """The entry as text, its line end included."""
    label = f"{entry.source}:L{entry.line}" if entry.source else f"L{entry.line}"
    if not entry.body:
        return f"{label} {entry.head}\n"
    body = entry.body.replace("\n", "\n  ")
    return f"{label} {entry.head}\n  {body}\n"


def begins_entry(text: str) -> bool:
    """Whether `text` begins with an entry's label, as every spine and every chunk of one does."""
    label, blank, _ = text.partition(" ")
    source, colon, number = label.rpartition(":")
    known = source[:1] in ("a", "b", "p") and source[1:].isdecimal() if colon else True
    return bool(blank) and known and label.isascii() and number[:1] == "L" and number[1:].isdecimal()


def render_part(entry: Entry, body: str, number: int, count: int) -> str:
    """One piece of an entry too large for a chunk; every piece carries the label."""
    head = f"{entry.label} {entry.head} (part {number} of {count})\n"
    return f"{head}  " + body.replace("\n", "\n  ") + "\n"


def one_line(text: str, limit: int) -> str:
    """`text` on one line of at most `limit` characters; `…` marks a cut."""
    return cut(" ".join(text.split()), limit)


def cut(text: str, limit: int) -> str:
    """At most `limit` characters of `text`; `…` marks a cut."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def parse_entries(lines: "Iterable[str]") -> "Iterator[Entry]":
    """The entries of a rendered spine; the inverse of `render_entry`."""
    entry: Entry | None = None
    body: list[str] = []
    for line in lines:
        if line.startswith("  "):
            body.append(line[2:])
            continue
        if entry is not None:
            entry.body = "".join(body)[:-1] if body else ""
            yield entry
        label, _, head = line.rstrip("\n").partition(" ")
        source, _, number = label.rpartition(":")
        entry = Entry(int(number[1:]), source, head, turn=head.startswith("human turn"))
        body = []
    if entry is not None:
        entry.body = "".join(body)[:-1] if body else ""
        yield entry
