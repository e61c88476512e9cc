"""A text read once: its words and its language."""

from functools import lru_cache

from thruline.signals.cues import ENDS, Language, guess_language, split_words


class Text:
    """The head of a text, its words (sentence ends included) and the language it is written in."""

    __slots__ = ("_found", "language", "plain", "text", "words")

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = split_words(text)
        self.plain = [word for word in self.words if word not in ENDS]
        self.language: Language = guess_language(text, self.plain)
        self._found: dict[str, dict[str, int]] = {}

    def find(self, table: str) -> dict[str, int]:
        """The classes of cues in it, each with the place where it is first told."""
        found = self._found.get(table)
        if found is None:
            found = self._found[table] = self.language.find(table, self.words, self.text)
        return found

    def pairs(self, most: int) -> list[str]:
        """Its first `most` words, each alone and with the one before it; nothing where words are not spaced."""
        if not self.language.spaced:
            return []
        words = self.words[:most]
        lasts = ["^", *["^" if word in ENDS else word for word in words]]
        both = zip(lasts, words, strict=False)
        return list(dict.fromkeys([one for last, word in both if word not in ENDS for one in (word, f"{last} {word}")]))


@lru_cache(maxsize=32)
def read_text(text: str) -> Text:
    """The text, read once: what ended one answer is what the next message follows."""
    return Text(text)
