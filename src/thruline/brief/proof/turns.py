"""Who spoke where, folded from a session's parts: which words answer which, and how often a person said anything."""

from thruline.session import parts

# A message of so few words ("yes, go on") settles nothing, and what was said before it stands.
_FEW_WORDS = 3


class Turns:
    """Give it each part with `see`. `answered` are the lines where a person spoke, or picked an answer."""

    def __init__(self) -> None:
        self.answered: set[int] = set()
        self._heard: set[tuple[str, int]] = set()
        self._spoken: list[tuple[int, str]] = []  # in the session's own file

    def see(self, part: parts.Part) -> None:
        """Takes one part in."""
        if isinstance(part, parts.Said):
            little = part.by == "human" and len(part.text.split()) <= _FEW_WORDS
            if not part.source and part.by in ("agent", "human") and not little:
                self._spoken.append((part.line, part.by))
            if part.by == "human":
                self._hear(part)
        elif isinstance(part, parts.Asked) and part.answer.strip():
            self._hear(part)

    def _hear(self, part: parts.Said | parts.Asked) -> None:
        self.answered.add(part.line)
        self._heard.add((part.source, part.line))

    @property
    def heard(self) -> int:
        """At how many places a person said anything, so no fewer than those of corrections."""
        return len(self._heard)

    def is_answered(self, words: int, answer: int) -> bool:
        """Whether words of the agent's may be what a person answered: nobody else did, and was answered, in between."""
        between = [by for line, by in self._spoken if words < line < answer]
        return "human" not in between or "agent" not in between[between.index("human") :]
