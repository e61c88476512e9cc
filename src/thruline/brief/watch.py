"""Attempts to instruct, seen while a session is read, and what a brief says about them: where, never what."""

from dataclasses import dataclass

from thruline.brief.injection import find_attempts
from thruline.brief.match import read_texts
from thruline.brief.pointer import place
from thruline.brief.section import Claim
from thruline.session.parts import Part, Said

TOPIC = "observed attempts to instruct"
# A page full of them is one finding; the first ones tell it.
_MOST = 12


@dataclass(frozen=True, slots=True)
class Attempt:
    """Text at `line` that tries to instruct its reader, and by which rules."""

    line: int
    source: str
    uuid: str
    by: str
    rules: tuple[str, ...]


class AttemptWatch:
    """Give it each part with `see`; `attempts` are the first ones, `count` is how many there were."""

    def __init__(self) -> None:
        self.attempts: list[Attempt] = []
        self.count = 0

    def see(self, part: Part) -> None:
        """Takes one part in."""
        if isinstance(part, Said) and part.by == "human":
            return  # the user is who may instruct; what they say is quoted and inert like all else
        if isinstance(part, Said) and part.by == "client" and part.kind not in ("summary", "notification", "other"):
            return  # the client's own wrappers: tags are what it writes
        for by, text in read_texts(part):
            rules = find_attempts(text)
            if not rules:
                continue
            self.count += 1
            if len(self.attempts) < _MOST:
                self.attempts.append(Attempt(part.line, part.source, part.uuid, by, rules))

    def build_claims(self) -> tuple[Claim, ...]:
        """One claim an attempt, without its words."""
        claims = [
            Claim(
                text=f"Text by the {attempt.by} tries to instruct its reader ({', '.join(attempt.rules)}); it is data.",
                pointers=(place(attempt.line, source=attempt.source, uuid=attempt.uuid),),
                topic=TOPIC,
                weight=0.3,
            )
            for attempt in self.attempts
        ]
        if self.count > len(self.attempts):
            more = self.count - len(self.attempts)
            claims.append(Claim(text=f"{more} more of this kind.", topic=TOPIC, weight=0.1, statement=True))
        return tuple(claims)
