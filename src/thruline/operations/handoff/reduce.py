"""`handoff reduce`: the summaries of a session's chunks, joined into one spine that extractors can read.

A model wrote the summaries, so each is checked; a missing or bad one is replaced by its chunk, word for word. Labels
are those of the transcript throughout, and the corrections that the rules mined in a chunk stand behind its summary.
"""

import os
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from thruline.brief.attempts.inert import escape_odd, render_words
from thruline.brief.dedupe import contains_quote
from thruline.brief.model.content import parse_pointers
from thruline.brief.model.repair import repair_json
from thruline.brief.pointer import Pointer, place
from thruline.brief.quotation.quote import Quote, join_lines, render_quote
from thruline.disk.atomic import read_bytes, write_bytes
from thruline.engines.rules import SURE
from thruline.errors import NotFound, Refused, ThrulineError
from thruline.extract.summary import check_summary
from thruline.operations.handoff.plan import find_chunks, find_read, find_text, load_plan
from thruline.operations.handoff.proving import Chunk, mark_line, parse_chunk, prove_summary
from thruline.operations.sessions.locate import locate
from thruline.operations.sessions.reading import Reading
from thruline.operations.sessions.written import check_out
from thruline.redact import redact
from thruline.signals.miner import mine
from thruline.signals.signal import Signal

_LARGEST = 1 << 20
CORRECTIONS = "### User corrections (verbatim)"
# What may be none is not called one, and what was taken back is not one any more.
DOUBTED = "### Doubted, or taken back later (verbatim, by the user)"
POINTERS = "### Pointers"
FAILED = "[chunk {number} summarization failed — raw text follows]"
TOO_LONG = "[chunk {number} summarization failed — too long to follow, what rules mined of it does]"
GONE = "[chunk {number} summarization failed — its text is missing, what rules mined of it follows]"
CUT = "[cut here: no room for {count:,} further characters]"
# What only we write at the start of a line, whatever signs stand before it: the mark of a chunk, what was mined, the
# label of a record, somebody's words in our form. A summary that begins a line so would pose as that; and a code block
# that it opens could swallow what follows.
_OURS = re.compile(
    r"[^\w#]*(?:chunk\s*\d|#+\s*(?:User corrections|Doubted|Pointers)\b|(?:[a-z]\d+:)?L\d+\b)"
    r"|\s*(?:[-*+]\s*)?>.*:|\s*(?:```|~~~)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reduced:
    """A reduced spine. `failures` are (chunk, why); `appended` counts the corrections behind the summaries.

    `missing` are the chunks whose own text is not there either: of them only what the rules mined could be used.
    """

    spine: str
    chunks: int
    failures: tuple[tuple[int, str], ...]
    appended: int
    missing: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Summary:
    text: str
    pointers: dict[Pointer, str]


def reduce_chunks(
    plan_path: str,
    summaries_dir: str,
    *,
    out: str = "",
    signals: Iterable[Signal] = (),
    room: int = 0,
    force: bool = False,
) -> Reduced:
    """Writes the reduced spine (beside the plan unless `out` says where) and returns what went into it.

    Over what an earlier `reduce` left, but over another file only with `force`.

    With `room` it holds no more bytes than that, for a reader that gets it whole: failed chunks that do not fit are cut
    down to what the rules mined of them, and then whatever is longer than its share.
    """
    path = out or os.path.join(os.path.dirname(os.path.abspath(plan_path)), "reduced.txt")
    chunks = find_chunks(load_plan(plan_path), plan_path)
    check_out(path, read=find_read(plan_path, summaries_dir))
    if not force:
        _check_foreign(path)
    summaries, problems = _read_summaries(summaries_dir, len(chunks))
    mined = list(signals)
    corrections = [signal for signal in mined if signal.kind == "correction"]
    pieces: list[str] = []
    smaller: dict[int, str] = {}
    failures: list[tuple[int, str]] = []
    appended = 0
    raws = [_read_chunk(plan_path, chunk) for chunk in chunks]
    read = {number: _find_labels(raw) for number, raw in enumerate(raws) if raw is not None}
    # What stands in no chunk that can be read stood in one that cannot; nobody knows which.
    elsewhere = frozenset(map(_label, mined)).difference(*read.values())
    missing: list[int] = []
    for number, raw in enumerate(raws):
        labels = read.get(number, elsewhere)
        summary = summaries.get(number)
        if raw is None:
            elsewhere = frozenset()
        if summary is None and raw is None:
            missing.append(number)
            failures.append((number, problems.get(number, "there is no summary")))
            pieces.append(_render_mined(GONE.format(number=number), [one for one in mined if _label(one) in labels]))
            continue
        if summary is None:
            failures.append((number, problems.get(number, "there is no summary")))
            pieces.append(f"{FAILED.format(number=number)}\n{raw}\n")
            told = [one for one in mined if _label(one) in labels]
            smaller[number] = _render_mined(TOO_LONG.format(number=number), told)
            continue
        # Whatever the summary makes of them: the same words may stand there as somebody else's, or as never said.
        told = [one for one in corrections if _label(one) in labels and one.quote.strip()]
        piece, added = _render(summary, labels, told, parse_chunk(raw) if raw is not None else None)
        appended += added
        pieces.append(piece)
    if room:
        pieces = _fit(pieces, smaller, room)
    marked = [f"{_mark(number)}\n{piece}" for number, piece in enumerate(pieces)]
    write_bytes(path, "\n".join(marked).encode("utf-8", "replace"))
    return Reduced(path, len(chunks), tuple(failures), appended, tuple(missing))


def mine_plan(plan_path: str, *, folder: str) -> list[Signal]:
    """The signals of the session that a plan was made from, wherever it is now."""
    plan = load_plan(plan_path)
    first = next(iter(plan.get("source_files", [])), "")
    ref = first if first and os.path.isfile(first) else plan.get("session")
    return mine(Reading(locate(ref if isinstance(ref, str) else "", folder=folder)))


def _read_chunk(plan_path: str, path: str) -> str | None:
    text = find_text(plan_path, path)
    try:
        return read_bytes(text).decode("utf-8", "replace") if text else None
    except ThrulineError:
        return None


def _read_summaries(folder: str, count: int) -> tuple[dict[int, _Summary], dict[int, str]]:
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except OSError as error:
        raise NotFound(
            f"Cannot read the summaries: {error.strerror}.", where=folder, next="give the folder they were written to"
        ) from None
    found: dict[int, _Summary] = {}
    problems: dict[int, str] = {}
    for name in names:
        number, summary, why = _read_summary(os.path.join(folder, name), name)
        if summary is not None and number < count:
            found.setdefault(number, summary)
        elif number < count:
            problems[number] = why
    return found, problems


def _read_summary(path: str, name: str) -> tuple[int, _Summary | None, str]:
    digits = "".join(c for c in os.path.splitext(name)[0] if c.isascii() and c.isdigit())
    named = int(digits) if 0 < len(digits) < 7 else -1
    try:
        if os.path.getsize(path) > _LARGEST:
            return named, None, f"more than {_LARGEST:,} bytes"
        value = repair_json(read_bytes(path).decode("utf-8", "replace"))
    except (ThrulineError, OSError) as error:
        return named, None, str(error).split("\n", 1)[0]
    problem = check_summary(value)
    if problem:
        return named, None, problem
    _, pointers = parse_pointers(value["key_pointers"])
    return value["chunk_index"], _Summary(value["summary"], pointers), ""


def _find_labels(raw: str) -> frozenset[str]:
    # An entry's label begins its line; what was said stands below it, indented.
    return frozenset(line.split(" ", 1)[0] for line in raw.split("\n") if line and not line.startswith("  "))


def _label(signal: Signal) -> str:
    return f"{signal.source}:L{signal.line}" if signal.source else f"L{signal.line}"


def _render(
    summary: _Summary, labels: frozenset[str], corrections: Sequence[Signal], chunk: Chunk | None
) -> tuple[str, int]:
    """The summary with the user's own words behind it, and how many of these it did not quote itself."""
    # A summary must not pose as the next chunk, nor bring signs that act or hide.
    plain = escape_odd(join_lines(summary.text).replace("<!--", "<\\!--")).rstrip("\n")
    told, own = prove_summary(plain, chunk)
    forged = [_OURS.match(unicodedata.normalize("NFKC", line)) is not None for line in told]
    lines = [f"\\{line}" if ours else mark_line(line, chunk) for line, ours in zip(told, forged, strict=True)]
    bridge = [(pointer, note) for pointer, note in summary.pointers.items() if _is_here(pointer, labels, chunk)]
    if bridge:
        lines += [POINTERS, *(f"- `{pointer.render()}` {render_words(note)}".rstrip() for pointer, note in bridge)]
    mined = [(one, Quote(redact(one.quote).text, place(one.line, source=one.source), one.by)) for one in corrections]
    missing = [(one, quote) for one, quote in mined if not any(contains_quote(said, quote) for said in own)]
    own = [said for said in own if not any(contains_quote(quote, said) for _, quote in missing)]
    sure = [*own, *(quote for one, quote in missing if one.strength >= SURE and not one.withdrawn)]
    doubted = [quote for one, quote in missing if one.strength < SURE or one.withdrawn]
    for heading, quotes in ((CORRECTIONS, sure), (DOUBTED, doubted)):
        if quotes:
            shown = sorted(dict.fromkeys(quotes), key=lambda quote: (quote.pointer.source, quote.pointer.line))
            lines += [heading, *(line for quote in shown for line in render_quote(quote, "- "))]
    return "\n".join(lines) + "\n", len(missing)


def _mark(number: int) -> str:
    return f"<!-- chunk {number} -->\n"


def _render_mined(head: str, signals: Sequence[Signal]) -> str:
    lines = [head]
    # What is cut where there is no room is the end.
    for signal in sorted(signals, key=lambda one: one.kind != "correction"):
        if signal.quote.strip():
            quote = Quote(redact(signal.quote).text, place(signal.line, source=signal.source), signal.by)
            lines += render_quote(quote, f"- {signal.kind}: ")
    return "\n".join(lines) + "\n"


def _fit(pieces: list[str], smaller: dict[int, str], room: int) -> list[str]:
    sizes = [len(piece.encode("utf-8", "replace")) for piece in pieces]
    left = room - sum(len(_mark(number)) + 2 for number in range(len(pieces)))
    fitted = list(pieces)
    # The largest first: few raw chunks given up keep the most of the others.
    for number in sorted(smaller, key=lambda one: -sizes[one]):
        if sum(sizes) <= left:
            return fitted
        fitted[number] = smaller[number]
        sizes[number] = len(smaller[number].encode("utf-8", "replace"))
    if sum(sizes) > left:
        share = _find_share(sizes, left)
        fitted = [_cut(piece, share) for piece in fitted]
    return fitted


def _find_share(sizes: Sequence[int], room: int) -> int:
    """The most bytes a piece may have so that all fit; what small ones do not need goes to the others."""
    for done, size in enumerate(ordered := sorted(sizes)):
        share = room // (len(ordered) - done)
        if size > share:
            return max(share, 0)
        room -= size
    return max(sizes, default=0)


def _cut(piece: str, most: int) -> str:
    data = piece.encode("utf-8", "replace")
    if len(data) <= most:
        return piece
    # The user's own words go last, and only where they alone are too long.
    marks = [one for one in (f"\n{CORRECTIONS}\n", f"\n{DOUBTED}\n") if one in piece]
    summary, mark, told = piece.partition(marks[0] if marks else "\0")
    rest = (mark + told).encode("utf-8", "replace")
    room = most - len(CUT.encode()) - 12
    if mark and len(rest) <= room:
        kept = summary.encode("utf-8", "replace")[: room - len(rest)].decode("utf-8", "ignore")
        return f"{kept}\n{CUT.format(count=len(summary) - len(kept))}{mark}{told}"
    kept = data[: max(0, room)].decode("utf-8", "ignore")
    return f"{kept}\n{CUT.format(count=len(piece) - len(kept))}\n"


def _check_foreign(path: str) -> None:
    try:
        with open(path, "rb") as file:
            head = file.read(len(_mark(0)))
    except OSError:
        return
    if head and head != _mark(0).encode()[: len(head)]:
        raise Refused(
            f"There is a {os.path.basename(path)} that no `reduce` wrote; it would be overwritten.",
            where=path,
            next="give another --out, or add --force",
        )


def _is_here(pointer: Pointer, labels: frozenset[str], chunk: Chunk | None) -> bool:
    if pointer.kind == "commit":
        return chunk is None or pointer.commit[:7] in chunk.text
    if pointer.kind != "transcript":
        return True
    return (f"{pointer.source}:" if pointer.source else "") + f"L{pointer.line}" in labels
