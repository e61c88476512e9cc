"""What rules ask of a session's newest words, found out while the rest of it still arrives.

A long session takes longer to read than to fold, and what comes after the last line is waited for. So who waits for
the next lines splits the last words into sentences meanwhile, and looks up their terms and cues: `units`, `terms` and
`cues` remember them by their words. Nothing is decided here, and a brief is the same without.
"""

from thruline.engines.rules.candidates.said import MOST_WEIGHED
from thruline.engines.rules.candidates.told import NEWEST_TOLD
from thruline.engines.rules.candidates.typed import find_typed
from thruline.engines.rules.cues import find_cues
from thruline.engines.rules.material import Material, Message
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.units import split_units


class Ahead:
    """Reads people's words and the ends of turns, the newest first, once what is still to come leaves room for them."""

    __slots__ = ("_before", "_letters", "_material", "_people", "_seen", "_waiting")

    def __init__(self, material: Material) -> None:
        self._material = material
        self._seen = 0  # so many messages were looked at
        self._letters = self._people = 0  # of the ends of turns among those, and how many a person wrote
        self._before = ""
        # With how many of both there were before it, and for a person's what the agent had said.
        self._waiting: list[tuple[Message, int, str]] = []

    def read(self, share: float) -> bool:
        """Reads one message more, after `share` of the session has arrived; False where there is none to read."""
        if share <= 0:
            return False
        self._look()
        # The rest is taken to be like what is here.
        first_letter = self._letters / share - MOST_WEIGHED
        first_person = self._people / share - NEWEST_TOLD
        while self._waiting:
            message, before, said = self._waiting.pop()
            if before < (first_person if message.by == "human" else first_letter):
                continue  # newer ones will take its place
            _read_person(message.text, said) if message.by == "human" else _read_agent(message.text)
            return True
        return False

    def _look(self) -> None:
        messages = self._material.messages
        for message in messages[min(self._seen, len(messages)) :]:
            if message.by == "human":
                self._waiting.append((message, self._people, self._before))
                self._people += 1
                continue
            self._before = message.text
            if message.final:
                self._waiting.append((message, self._letters, ""))
                self._letters += len(message.text)
        # Whether the newest one ends its turn is known with the next.
        self._seen = len(messages) - (bool(messages) and messages[-1].by == "agent")


def _read_agent(text: str) -> None:
    for span in split_units(text):
        _look_up(text[span.start : span.end])


def _read_person(text: str, before: str) -> None:
    for start, end in find_typed(text, before, first=False):
        _look_up(text[start:end])


def _look_up(sentence: str) -> None:
    find_cues(sentence, ())
    find_terms(sentence)
