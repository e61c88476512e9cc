"""The Sources at a brief's end: which transcripts its pointers open, in words that can be read back.

## Sources
- `transcript` `/home/…/0b7e5c1a.jsonl` · bytes `81234` · digest `…` · project `/home/…/shop`
- `transcript:a1` `/home/…/agent-3f.jsonl` · bytes `9120` · digest `…`
- by `rules`; dead_ends by `rules`, `agent`

Told is what finds the file again and tells it from another, since all of it takes room from the same budget: the client
is known by its file's first lines, and the last record by how many bytes there are. Earlier briefs tell both.

A folder or a session may be called anything. What would read as a sentence there stands as `⟦hex:…⟧`, its bytes, and a
blank as `⟦U+0020⟧`: nothing is lost, and nothing reads.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from thruline.brief.attempts.inert import (
    OPEN,
    blank_spans,
    escape_odd,
    find_spans,
    parse_span,
    render_span,
    unescape_odd,
)
from thruline.brief.attempts.prose import is_prose, split_parts
from thruline.brief.claims.names import reads_like_order
from thruline.brief.claims.standing import find_folder
from thruline.brief.section import Source
from thruline.pattern import compile_later
from thruline.value import replace

HEADING = "## Sources"
_FIELDS = {
    "session": "session",
    "harness": "harness",
    "leaf": "leaf",
    "bytes": "size",
    "digest": "digest",
    "project": "project",
}
# Those are written.
_TOLD = ("session", "bytes", "digest", "project")
# What stands between the code spans.
_BY = compile_later(r"- by[ ,]+(?:; [a-z_]+ by[ ,]+)*\Z")
_WORDS = compile_later(rf"- +(?:· (?:{'|'.join(_FIELDS)}) +)*\Z")
# The engines that there are (docs/engines.md): words of its own has only one of these.
_ENGINE = compile_later(r"(?:rules|agent|command:[a-z][a-z0-9-]{0,40}|api:[\w.:@+/-]{1,100})\Z")
_BREAKS = compile_later(r"[\s`\"<>|]|⟦(?=hex:)")
_HEX = compile_later("⟦hex:((?:[0-9a-f]{2})+)⟧")
_LABEL = compile_later(r"transcript(?::([a-z][0-9]+))?\Z")


def render_sources(sources: Sequence[Source], origins: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The lines of the Sources; nothing where a brief has none."""
    lines = [_render(source) for source in sources]
    told = _render_origins(origins)
    lines += [told] if told else []
    return [HEADING, *lines] if lines else []


def drop_told(sources: Sequence[Source], claims: Iterable[str]) -> tuple[Source, ...]:
    """The sources without the session's folder where one of `claims` tells it: it stands in a brief once."""
    folders = {source.project for source in sources} - {""}
    told = folders.intersection(map(find_folder, claims)) if folders else folders
    return tuple(replace(source, project="") if source.project in told else source for source in sources)


def add_told(sources: Sequence[Source], claims: Iterable[str]) -> tuple[Source, ...]:
    """The inverse: the sources with the folder that a claim tells, where none of them does."""
    told = "" if any(source.project for source in sources) else next(filter(None, map(find_folder, claims)), "")
    return tuple(replace(source, project=told) if told and not source.label else source for source in sources)


def _render(source: Source) -> str:
    name = f"transcript:{source.label}" if source.label else "transcript"
    parts = [f"- `{name}` {_render_value(source.path)}"]
    for word in _TOLD:
        value = getattr(source, _FIELDS[word])
        # Most clients name the file after the session: told once.
        if value and not (word == "session" and value == _find_stem(source.path)):
            parts.append(f"{word} {_render_value(str(value))}")
    return " · ".join(parts)


# The same line is rendered for every size that is tried.
@lru_cache(maxsize=256)
def _render_value(text: str) -> str:
    parts = split_parts(text)
    hidden = list(map(is_prose, parts))
    if reads_like_order(text):
        hidden = [wordy or reads_like_order(part) for wordy, part in zip(hidden, parts, strict=True)]
        # What no part says, all of them do.
        parts, hidden = (parts, hidden) if any(hidden) else ([text], [True])
    shown = [_hide(part) if hide else _escape(part) for part, hide in zip(parts, hidden, strict=True)]
    return render_span("".join(shown))


def _hide(part: str) -> str:
    return f"⟦hex:{part.encode('utf-8', 'surrogatepass').hex()}⟧"


def _escape(part: str) -> str:
    # A line break in a folder's name would end the line of the Sources.
    return _BREAKS.sub(lambda match: f"{OPEN}{ord(match[0]):04X}⟧", escape_odd(part))


def _read_value(text: str) -> str:
    # Told apart first: what was hidden may hold what looks like a mark.
    pieces = _HEX.split(text)
    return "".join(_read_hidden(piece) if at % 2 else unescape_odd(piece) for at, piece in enumerate(pieces))


def _read_hidden(digits: str) -> str:
    return bytes.fromhex(digits).decode("utf-8", "surrogatepass")


def _find_stem(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2].partition(".")[0]


def _render_origins(origins: Mapping[str, tuple[str, ...]]) -> str:
    made = {name: by for name, by in origins.items() if by}
    if not made:
        return ""
    # What most sections have in common is told once.
    usual = max(set(made.values()), key=lambda by: (list(made.values()).count(by), by))
    others = [f"{name} by {_join(by)}" for name, by in made.items() if by != usual]
    return "- by " + _join(usual) + "".join(f"; {other}" for other in others)


def _join(names: tuple[str, ...]) -> str:
    return ", ".join(map(_render_value, names))


def parse_sources(lines: Sequence[str]) -> tuple[Source, ...]:
    """The sources named below the last `## Sources`; what cannot be read there is left out."""
    starts = [at for at, line in enumerate(lines) if line.strip() == HEADING]
    found = []
    for line in lines[starts[-1] + 1 :] if starts else ():
        if line.startswith("#"):
            break
        source = _parse(line)
        if source is not None:
            found.append(source)
    return tuple(found)


def find_engines(lines: Sequence[str], section: str = "") -> frozenset[str]:
    """The engines that a brief, or one section of it, says it was made by; none where it does not.

    What is no engine made nothing: it is read as the rules, which are held to their words.
    """
    _, told = _find_told(lines)
    usual, *others = told.split("; ")
    own = [other for other in others if section and other.startswith(f"{section} by ")]
    meant = own or [usual if section else told]
    return frozenset(name if _ENGINE.match(name) else "rules" for one in meant for name in _read_engines(one))


def find_strangers(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """What a brief says it was made by and is no engine, with the line that tells it."""
    at, told = _find_told(lines)
    yield from ((at, name) for name in _read_engines(told) if not _ENGINE.match(name))


def _find_told(lines: Sequence[str]) -> tuple[int, str]:
    told = [(at, line) for at, line in enumerate(lines) if line.startswith("- by ") and is_source_line(line)]
    return told[-1] if told else (0, "")


def _read_engines(told: str) -> Iterator[str]:
    return (parse_span(span) or "" for _, span in find_spans(told))


def is_source_line(line: str) -> bool:
    """Whether a line below the heading is one that `render_sources` could have written."""
    if line.startswith("- by "):
        return _BY.match(blank_spans(line)) is not None
    return _parse(line) is not None and _WORDS.match(blank_spans(line)) is not None


def _parse(line: str) -> Source | None:
    spans = [(start, parse_span(span)) for start, span in find_spans(line)]
    values = [_read_value(value) for _, value in spans if value is not None]
    label = _LABEL.match(values[0]) if values else None
    if not line.startswith("- ") or label is None or len(values) < 2 or len(values) != len(spans):
        return None
    fields: dict[str, str] = {}
    for (at, _), value in zip(spans[2:], values[2:], strict=True):
        word = line[:at].rstrip().rpartition(" ")[2]
        fields[_FIELDS.get(word, word)] = value
    size = fields.get("size", "0")
    return Source(
        path=values[1],
        session=fields.get("session") or ("" if label[1] else _find_stem(values[1])),
        harness=fields.get("harness", ""),
        label=label[1] or "",
        leaf=fields.get("leaf", ""),
        size=int(size) if size.isascii() and size.isdecimal() else 0,
        digest=fields.get("digest", ""),
        project=fields.get("project", ""),
    )
