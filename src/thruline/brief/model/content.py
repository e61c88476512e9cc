"""A model's answer as claims: markdown cut into bullets and paragraphs, quotations and pointers lifted out of them.

Nothing of it is believed here. Whatever stands in quotation marks becomes a quotation, to be proved or removed; the
rest becomes words, which are made harmless when they are rendered.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from thruline.brief.attempts.inert import blank_spans, find_spans, fold, replace_spans
from thruline.brief.claims.attributed import find_attributed, is_said, mark_attributed
from thruline.brief.model.voiced import mark_voiced
from thruline.brief.pointer import FIND, Pointer, parse_pointer, parse_ref, place
from thruline.brief.quotation.quote import Quote, parse_quote
from thruline.brief.quotation.speech import SAID, SENTENCE, count_words, drop_marks, find_quoted
from thruline.brief.section import FLAG, QUOTED, UNSOURCED, Claim, Section
from thruline.brief.wording import ADDED, NOTHING, find_topic, is_topic, says_nothing
from thruline.errors import UsageError
from thruline.pattern import compile_later
from thruline.value import dataclass, field, replace

MOST_CONTENT = 64 << 10
MOST_CLAIMS = 200
_MOST_WORDS = 1_200
_MOST_QUOTE = 2_000

_BULLET = compile_later(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
# A line that says it stands for itself has no part in the sources of the one before.
_ALONE = compile_later(r"_.+_\s*\Z")
_TOPIC = compile_later(r"\s*(?:#{1,6}\s+(.+?)|\*\*([^*]{1,60})\*\*:?)\s*\Z")
_FENCE = compile_later(r"\s*(?:>\s*)?(`{3,}|~{3,})")
_BARE = compile_later(r"(?<=[(\[ ,])(?:[a-z]\d+:)?L\d+(?:-L\d+)?(?=[)\], ])")
_EMPTY = compile_later(r"`\s*`|\(\s*(?:[,;]\s*)*\)|\[\s*(?:[,;]\s*)*\](?!\()")
# Stands for a code span while the words around it are cleaned.
_HELD = "\x00"
# What only introduced a quotation as one.
_QUOTING = compile_later(rf">\s*(?={re.escape(QUOTED)})")
# A term in quotation marks is shorter than this, unless it is two very long words.
_LONGEST_TERM = 16
# So near behind the words stands a place that is theirs: a blank and a bracket.
_BEHIND = 2
# A note speaks of what a claim says where they share so many words.
_SHARED = 3


@dataclass(slots=True)
class _Block:
    lines: list[str] = field(default_factory=list)
    quotes: list[Quote] = field(default_factory=list)
    topic: str = ""


def parse_content(content: str, pointers: Sequence[Pointer] = (), origin: str = "agent") -> tuple[Claim, ...]:
    """The claims of one section's markdown; `pointers` are those of the answer, for claims that name none inline."""
    blocks = list(_find_blocks(content[:MOST_CONTENT].replace("\r\n", "\n").split("\n")))[:MOST_CLAIMS]
    claims = [_build_claim(block, origin, number) for number, block in enumerate(blocks)]
    said = [claim for claim in claims if claim.quotes or any(map(str.isalnum, claim.text))]
    if said and not pointers and all(_is_empty(claim) for claim in said):
        # In our words: what a model says without a source could say anything.
        return (Claim(NOTHING.strip("_"), weight=said[0].weight, statement=True, origin=origin),)
    if len(said) == 1 and not said[0].pointers:
        return (replace(said[0], pointers=tuple(pointers)),)
    return tuple(said)


def _is_empty(claim: Claim) -> bool:
    return not (claim.pointers or claim.quotes or claim.topic) and says_nothing(claim.text)


def parse_pointers(values: object) -> tuple[tuple[Pointer, ...], dict[Pointer, str]]:
    """The pointers of an answer that can be read, and their notes."""
    found: dict[Pointer, str] = {}
    for value in values if isinstance(values, list) else ():
        pointer = _parse_one(value)
        if pointer is not None:
            note = value.get("note")
            found.setdefault(pointer, note if isinstance(note, str) else "")
    return tuple(found), found


def count_odd(values: object) -> int:
    """How many pointers of an answer cannot be read: another type, no ref, a ref of no form."""
    return sum(_parse_one(value) is None for value in values) if isinstance(values, list) else 0


def _parse_one(value: Any) -> Pointer | None:
    if not isinstance(value, dict) or not isinstance(value.get("type"), str) or not isinstance(value.get("ref"), str):
        return None
    try:
        return parse_ref(value["type"], value["ref"][:500])
    except UsageError:
        return None


def attach_pointers(claims: Sequence[Claim], notes: dict[Pointer, str]) -> tuple[Claim, ...]:
    """The claims without a source given the pointers whose note speaks of the same thing."""
    attached = []
    for claim in claims:
        if claim.unsourced:
            words = _words(claim.text)
            fitting = tuple(pointer for pointer, note in notes.items() if len(words & _words(note)) >= _SHARED)
            claim = replace(claim, pointers=fitting[:3])
        attached.append(claim)
    return tuple(attached)


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", fold(text)) if len(word) > 3}


def _find_blocks(lines: list[str]) -> Iterator[_Block]:
    block = _Block()
    topic = ""
    fence = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        placed = None if fence else parse_quote(lines, at)
        if placed is not None:
            if line.lstrip().startswith("- "):
                yield block
                block = _Block(topic=topic)
            block.quotes.append(placed.quote)
            at += placed.count
            continue
        at += 1
        opening = _FENCE.match(line)
        if opening and (not fence or opening[1].startswith(fence)):
            # What stands in a code block is output or code, which a brief only points at.
            fence = "" if fence else opening[1]
            continue
        if fence:
            continue
        if heading := _TOPIC.match(line):
            yield block
            topic = " ".join((heading[1] or heading[2]).split())[:80].rstrip(" :#")
            block = _Block(topic=topic)
        elif not line.strip() or _BULLET.match(line) or _ALONE.match(line):
            yield block
            block = _Block(topic=topic)
            block.lines += [_BULLET.sub("", line, count=1)] if line.strip() else []
        else:
            block.lines.append(line)
    yield block


def _build_claim(block: _Block, origin: str, number: int) -> Claim:
    topic = "" if _speaks(block.topic) else find_topic(block.topic) or block.topic
    text = " ".join(_join_quoted(block.lines))[: _MOST_WORDS + _MOST_QUOTE]
    flag = "⚑" in text
    text = text.replace(FLAG, " ").replace("⚑", " ").replace(UNSOURCED, " ")
    spots, text = _lift_pointers(text)
    quotes, text = _lift_quotes(mark_voiced(mark_attributed(text)), spots)
    words = _clean(text)
    # Our own form comes after the words, as it does when we write it.
    return Claim(
        text="" if words == QUOTED else words,
        quotes=(*quotes, *block.quotes),
        pointers=tuple(dict.fromkeys(pointer for _, pointer in spots)),
        # A heading of the model's says so: its own words must not pass for a heading of ours.
        topic=f"{topic} ({origin})" if topic else "",
        weight=max(0.5, 0.9 - number * 0.005),
        flag=flag,
        origin=origin,
    )


def _speaks(topic: str) -> bool:
    return any(find_attributed(topic)) or any(count_words(words) >= SENTENCE for _, _, words in find_quoted(topic))


def fold_topics(sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections with each claim under a heading that names its engine.

    A sub-heading that is none of ours becomes part of its claims: over several it would stand there without a source;
    as part of each it has theirs.
    """
    return tuple(replace(section, claims=tuple(map(_fold_topic, section.claims))) for section in sections)


def _fold_topic(claim: Claim) -> Claim:
    if claim.statement or is_topic(claim.topic):
        return claim
    topic = claim.topic.removesuffix(f" ({claim.origin})")
    text = claim.text if not topic else f"{topic}: {claim.text}" if claim.text else f"{topic}:"
    return replace(claim, topic=f"{ADDED} ({claim.origin})", text=text)


def _join_quoted(lines: list[str]) -> Iterator[str]:
    """The lines; one that is a block quotation without quotation marks gets them, for it is one."""
    for line in lines:
        text = line.strip()
        if text.startswith(">"):
            text = text.lstrip("> ").strip()
            if text and not any(_find_talk(text)):
                words, _, rest = text.partition(" (`")
                text = f'"{words.replace(chr(34), chr(39))}"' + (f" (`{rest}" if rest else "")
        if text:
            yield text


def _lift_pointers(text: str) -> tuple[list[tuple[int, Pointer]], str]:
    spots: list[tuple[int, Pointer]] = []
    pieces: list[str] = []
    at = size = 0
    for match in sorted([*FIND.finditer(text), *_BARE.finditer(text)], key=lambda match: match.start()):
        if match.start() < at:
            continue
        try:
            pointer = parse_pointer(match[0] if ":" in match[0][3:] else f"transcript:{match[0]}")
        except UsageError:
            continue
        # With its code span: two empty ones in a claim would pass for the marks of what stands between them.
        start, end = match.span()
        while at < start and text[start - 1] == "`" and text[end : end + 1] == "`":
            start, end = start - 1, end + 1
        pieces.append(text[at:start])
        size += len(pieces[-1])
        spots.append((size, pointer))
        at = end
    return spots, "".join([*pieces, text[at:]])


def _lift_quotes(text: str, spots: list[tuple[int, Pointer]]) -> tuple[list[Quote], str]:
    quotes: list[Quote] = []
    pieces: list[str] = []
    named = [(start, start + len(span)) for start, span in find_spans(text)]
    at = 0
    for start, end, inner in _find_talk(text):
        if start < at:
            continue
        words = inner.strip()
        pieces.append(text[at:start])
        at = end
        if _is_term(text, start, end, words, spots):
            # In a code span the marks are part of a name.
            in_name = any(first < start and end < last for first, last in named)
            pieces.append(text[start:end] if in_name else f" {words} ")
            continue
        quotes.append(Quote(words.replace("[...]", "…").replace("...", "…"), _nearest(end, spots)))
        pieces.append(QUOTED)
    return quotes, "".join([*pieces, text[at:]])


def _find_talk(text: str) -> list[tuple[int, int, str]]:
    """What stands in quotation marks; a mark in a code span opens nothing that ends outside of it."""
    found = [(start, end, text[start + 1 : end - 1]) for start, end, _ in find_quoted(blank_spans(text))]
    for at, span in find_spans(text):
        found += [(at + start, at + end, inner) for start, end, inner in find_quoted(span)]
    return sorted(found)


def _is_term(text: str, start: int, end: int, words: str, spots: list[tuple[int, Pointer]]) -> bool:
    count = count_words(words)
    if count >= SENTENCE or len(words) >= _LONGEST_TERM:
        return False
    # Two words that somebody is said to have said, or with a place of their own behind them, are speech.
    placed = any(end <= at <= end + _BEHIND and pointer.kind == "transcript" for at, pointer in spots)
    return count < SAID or not (placed or is_said(text, start, end))


def _nearest(at: int, spots: list[tuple[int, Pointer]]) -> Pointer:
    places = [(spot, pointer) for spot, pointer in spots if pointer.kind == "transcript"]
    after = [pointer for spot, pointer in places if spot >= at]
    # Without any place of its own it is looked for everywhere.
    return after[0] if after else places[-1][1] if places else place(1)


def _clean(text: str) -> str:
    """The words without what lifting left, and without quotation marks; code spans stay as they are."""
    held: list[str] = []

    def hold(_: int, span: str) -> str:
        if not span.strip("` "):
            return ""
        held.append(span)
        return f"{_HELD}{len(held) - 1}{_HELD}"

    # A comment has no place in a brief, however it is escaped.
    text = replace_spans(text.replace(_HELD, " "), hold).replace("<!--", "<! --")
    previous = ""
    while previous != text:
        previous, text = text, _EMPTY.sub("", text)
    text = re.sub(r"\s+([,.;:])", r"\1", " ".join(text.split()))
    text = _QUOTING.sub("", text)
    text = drop_marks(text.strip(" -—–:;,>"))
    text = re.sub(rf"{_HELD}(\d+){_HELD}", lambda match: held[int(match[1])], text)
    return text[:_MOST_WORDS]
