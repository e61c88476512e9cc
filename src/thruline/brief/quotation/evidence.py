"""What a brief's pointers and quotations need from the records, gathered in one pass over them.

Only the texts at the places named are held, and a few more for quotations that may have lost their place; so a
transcript of any size can be checked against.
"""

from collections.abc import Iterable

from thruline.brief.pointer import Pointer
from thruline.brief.quotation.match import Tries, find_key, match_words, read_texts
from thruline.brief.quotation.quote import Quote, join_lines
from thruline.session.parts import Part
from thruline.value import dataclass

# Records kept for a quotation whose place is in doubt: those nearest to where it said it stood.
_MOST_ELSEWHERE = 8
# A range is for a passage, not for a transcript.
_LONGEST_RANGE = 200


@dataclass(frozen=True, slots=True)
class Text:
    """One text of a record, and where it stands."""

    by: str
    text: str
    line: int
    source: str
    uuid: str


class Evidence:
    """Give it each part with `see`; ask `find_texts`, `find_elsewhere` and `has_line` at the end."""

    def __init__(self, quotes: Iterable[Quote], pointers: Iterable[Pointer] = ()) -> None:
        self._wanted: dict[tuple[str, int], list[Text]] = {}
        self._elsewhere: dict[Quote, list[Text]] = {}
        self._last: dict[str, int] = {}
        self.tries = Tries()
        for quote in quotes:
            if quote.pointer.kind == "transcript":
                self._elsewhere[quote] = []
                self._want(quote.pointer)
        for pointer in pointers:
            if pointer.kind == "transcript":
                self._want(pointer)
        self._keys = [(quote, find_key(quote.text)) for quote in self._elsewhere]

    def _want(self, pointer: Pointer) -> None:
        for line in _lines(pointer):
            self._wanted.setdefault((pointer.source, line), [])

    @property
    def sources(self) -> set[str]:
        """The labels of the files that are pointed into."""
        return {source for source, _ in self._wanted}

    @property
    def empty(self) -> bool:
        """Whether nothing was seen at all: then nothing can be said about a quotation either."""
        return not self._last

    def see(self, part: Part) -> None:
        """Takes one part in."""
        if part.line > self._last.get(part.source, 0):
            self._last[part.source] = part.line
        held = self._wanted.get((part.source, part.line))
        for by, text in read_texts(part):
            if "\r" in text:
                text = join_lines(text)
            if held is not None:
                held.append(Text(by, text, part.line, part.source, part.uuid))
            for quote, key in self._keys:
                if key and key in text:
                    self._keep(quote, Text(by, text, part.line, part.source, part.uuid))

    def _keep(self, quote: Quote, text: Text) -> None:
        kept = self._elsewhere[quote]
        kept.append(text)
        if len(kept) > _MOST_ELSEWHERE:
            kept.sort(key=lambda one: _distance(quote, one))
            kept.pop()

    def find_texts(self, pointer: Pointer) -> list[Text]:
        """The texts of the records that a pointer names."""
        return [text for line in _lines(pointer) for text in self._wanted.get((pointer.source, line), ())]

    def find_held(self, pointer: Pointer) -> list[Text]:
        """The same, those among them that were held for a quotation which stands elsewhere."""
        spot = pointer.source, pointer.line
        moved = [text for kept in self._elsewhere.values() for text in kept if (text.source, text.line) == spot]
        return [*self.find_texts(pointer), *moved]

    def find_elsewhere(self, quote: Quote) -> list[Text]:
        """Texts that hold the words of `quote`, by its speaker first, then the nearest first."""
        told = self._elsewhere.get(quote, ())
        found = [text for text in told if match_words(quote.text, text.text, self.tries) is not None]
        return sorted(found, key=lambda text: _distance(quote, text))

    def has_line(self, pointer: Pointer) -> bool:
        """Whether the lines that a pointer names are in the transcript."""
        return max(pointer.line, pointer.last) <= self._last.get(pointer.source, 0)


def _lines(pointer: Pointer) -> range:
    last = max(pointer.line, pointer.last)
    return range(pointer.line, min(last, pointer.line + _LONGEST_RANGE) + 1)


def _distance(quote: Quote, text: Text) -> tuple[bool, bool, int]:
    away = text.source != quote.pointer.source
    return text.by != quote.by, away, abs(text.line - quote.pointer.line)
