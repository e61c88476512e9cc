"""A text read once: its words and its language."""

from functools import lru_cache

from thruline.signals.cues import ENDS, Language, guess_language, split_words


class Text:
    """The head of a text, its words (sentence ends included) and the language it is written in."""

    __slots__ = ("_found", "_language", "_salient", "plain", "text", "words")

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = split_words(text)
        self.plain = [word for word in self.words if word not in ENDS]
        # Most of what is read of a text needs no language.
        self._language: Language | None = None
        self._salient: tuple[frozenset[str], frozenset[str]] | None = None
        self._found: dict[str, dict[str, int]] = {}

    @property
    def language(self) -> Language:
        """The language it is written in."""
        if self._language is None:
            self._language = guess_language(self.text, self.plain)
        return self._language

    def salient(self, stop: frozenset[str]) -> frozenset[str]:
        """Its words of more than two letters without those of `stop`; a message is compared with the next one too."""
        if self._salient is None or self._salient[0] is not stop:
            self._salient = stop, frozenset([word for word in self.plain if len(word) > 2]) - stop
        return self._salient[1]

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
        found: dict[str, None] = {}
        last = "^"
        for word in self.words[:most]:
            if word in ENDS:
                last = "^"
            else:
                found[word] = found[f"{last} {word}"] = None
                last = word
        return list(found)


@lru_cache(maxsize=32)
def read_text(text: str) -> Text:
    """The text, read once: what ended one answer is what the next message follows."""
    return Text(text)
