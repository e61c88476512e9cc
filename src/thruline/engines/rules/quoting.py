"""From pieces of a message to one quotation: exact words, in their order, `…` where something was left out.

Each is proved as `verify` will prove it; of pieces that are no honest quotation together fewer are told.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from thruline.brief.pointer import Pointer, place
from thruline.brief.quotation.match import match_words
from thruline.brief.quotation.quote import CUT, Quote, join_lines, may_be_left_out
from thruline.brief.section import Claim
from thruline.engines.rules.material import Message
from thruline.pattern import compile_later
from thruline.redact import find_secrets, redact, render_marker
from thruline.value import replace

# A line break that is kept costs a mark; more of them make the quotation a block.
_MOST_BREAKS = 2
_INLINE = 230
_BRIDGE = 100
# What joins two pieces on one line.
JOINT = f" {CUT} "
_BETWEEN = compile_later(r"[ \t]*(?:\n[ \t]*(?:[-*+•]|\d{1,3}[.)])?[ \t]*)?")
_ITEM = compile_later(r"[ \t]*((?:[-*+•]|\d{1,3}[.)])[ \t]+)")
# Of longer texts only what stands near a piece is searched for secrets.
_LONG, _NEAR = 50_000, 4_000
Spans = tuple[tuple[int, int], ...]


def point_at(message: Message) -> Pointer:
    """Where a message stands."""
    return place(message.line, source=message.source, uuid=message.uuid)


def build_quote(message: Message, spans: Iterable[tuple[int, int]], inline: int = 3, *, roomy: bool = False) -> Quote:
    """The pieces `spans` of a message as one quotation, secrets marked; more than `inline` have a line each.

    Where it is `roomy`, few words of the agent between two pieces are quoted too: a mark in their place reads worse.
    """
    bridged = message.by != "human"
    words, near = _prove(message.text, tuple(sorted(spans)), inline, bridged, roomy and bridged)
    return Quote(words, point_at(message), message.by, near)


def quote_whole(message: Message) -> Quote:
    """All of a short message as one quotation."""
    text = message.text
    return build_quote(message, [(len(text) - len(text.lstrip()), len(text.rstrip()))])


# A message is quoted once for every size that is tried, mostly in the same pieces.
@lru_cache(maxsize=1024)
def _prove(text: str, spans: Spans, inline: int, bridged: bool, roomy: bool) -> tuple[str, str]:
    """The quotation's words and the text that they stand in, as far as a cut's honesty goes."""
    near = text if len(text) < _LONG or not spans else text[max(0, spans[0][0] - _NEAR) : spans[-1][1] + _NEAR]
    words = _join(text, spans, inline, bridged, roomy)
    if _holds(words, near):
        return words, near
    for fewer in _find_fewer(text, spans, near):
        words = _join(text, fewer, inline, bridged, roomy)
        if _holds(words, near):
            break
    return words, near


def _holds(words: str, near: str) -> bool:
    return match_words(words, near) == join_lines(words)


def _find_fewer(text: str, spans: Spans, near: str) -> Iterator[Spans]:
    """Other pieces where those do not stand together: what goes with the longest of them, it alone, its whole lines."""
    if not spans:
        return
    longest = max(spans, key=lambda span: span[1] - span[0])
    kept = [longest]
    for span in spans:
        if span != longest and _holds(_join(text, tuple(sorted([*kept, span])), len(spans), False, False), near):
            kept.append(span)
    yield tuple(sorted(kept))
    yield (longest,)
    start, end = text.rfind("\n", 0, longest[0]) + 1, text.find("\n", longest[1])
    yield ((start, end if end >= 0 else len(text)),)
    yield ((0, len(text)),)


def _join(text: str, spans: Spans, inline: int, bridged: bool, roomy: bool) -> str:
    secrets = _find_secrets(text) if len(text) < _LONG else _find_near(text, spans)
    pieces = _join_close(text, spans)
    joint = JOINT
    many = len(pieces) > inline
    if many or (roomy and len(pieces) > 1):
        lines = _join_lines(text, spans, bridged=bridged)
        if many or len(lines) < len(pieces):
            pieces, joint = lines, f"\n{CUT}\n"
    if any(text.count("\n", start, end) > _MOST_BREAKS for start, end in pieces):
        joint = f"\n{CUT}\n"
    return joint.join(_mark(text, start, end, secrets) for start, end in pieces)


@lru_cache(maxsize=1024)
def _find_secrets(text: str) -> tuple[tuple[int, int, str], ...]:
    return tuple((each.start, each.end, each.rule) for each in find_secrets(text))


def _find_near(text: str, spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int, str], ...]:
    found: dict[tuple[int, int, str], None] = {}
    for start, end in spans:
        first = max(0, start - _NEAR)
        near = _find_secrets(text[first : end + _NEAR])
        found |= dict.fromkeys((first + begin, first + stop, rule) for begin, stop, rule in near)
    return tuple(sorted(found))


def mark_secrets(claim: Claim, texts: Mapping[tuple[str, int], str]) -> Claim:
    """The claim with the secrets of its quotations marked; `texts` are the messages by their source and line."""
    return replace(claim, quotes=tuple(_mark_quote(quote, texts) for quote in claim.quotes)) if claim.quotes else claim


def _mark_quote(quote: Quote, texts: Mapping[tuple[str, int], str]) -> Quote:
    # A secret may be told by words that stand before the ones quoted, so the whole message is asked where it is known.
    whole = texts.get((quote.pointer.source, quote.pointer.line), "")
    at = whole.find(quote.text)
    if at < 0:
        return replace(quote, text=redact(quote.text).text)
    words = match_words(quote.text, whole)
    # What a cut would turn gets the words back that it left out.
    told = _prove(whole, ((at, at + len(quote.text)),), 1, False, False)[0] if words is None else words
    return replace(quote, text=told)


def _join_close(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Neighbours in one piece, as long as few line breaks stand between them."""
    breaks = 0 if sum(end - start for start, end in spans) < _INLINE else _MOST_BREAKS
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        gap = text[joined[-1][1] : start] if joined else CUT
        # A mark in place of one sign leaves nothing out; that sign is told.
        if not may_be_left_out(join_lines(gap)) or (not gap.strip() and breaks + gap.count("\n") <= _MOST_BREAKS):
            breaks += gap.count("\n")
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _join_lines(text: str, spans: Sequence[tuple[int, int]], *, bridged: bool) -> list[tuple[int, int]]:
    """The same for a quotation of many lines: the items of a list that follow each other stay the list they were.

    Few words between two pieces are quoted with them: a mark in their place takes a line too, and reads worse. Whole
    lines only where `bridged`: between a person's words they may have been pasted.
    """
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        last = joined[-1][1] if joined else 0
        if joined and (_BETWEEN.fullmatch(text, last, start) or _is_bridge(text, last, start, lines=bridged)):
            joined[-1] = (joined[-1][0], max(end, last))
        else:
            joined.append((start, end))
    marked = [(_find_mark(text, start) if "\n" in text[start:end] else start, end) for start, end in joined]
    return [_close_bold(text, start, end) for start, end in marked]


def _close_bold(text: str, start: int, end: int) -> tuple[int, int]:
    """With the other half of a pair of marks that stands right outside."""
    if text.count("**", start, end) % 2:
        if text.startswith("**", start - 2) and start > 1:
            return start - 2, end
        if text.startswith("**", end):
            return start, end + 2
    return start, end


def _find_mark(text: str, start: int) -> int:
    """Where the mark of the list's item that begins here stands: the items below it have theirs."""
    first = text.rfind("\n", 0, start) + 1
    mark = _ITEM.fullmatch(text, first, start)
    return mark.start(1) if mark else start


def _is_bridge(text: str, start: int, end: int, *, lines: bool) -> bool:
    gap = text[start:end]
    return (lines or "\n" not in gap) and len(gap) <= _BRIDGE and not any(mark in gap for mark in ("```", "~~~", "\n#"))


def _mark(text: str, start: int, end: int, secrets: Sequence[tuple[int, int, str]]) -> str:
    parts: list[str] = []
    at = start
    for first, last, rule in secrets:
        if last <= at or first >= end:
            continue
        parts += (text[at : max(first, at)], render_marker(rule))
        at = max(at, last)
    return "".join([*parts, text[at:end]]) if at < end else "".join(parts)
