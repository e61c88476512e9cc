"""What was owed once and is not any more: later work, a later commit or a later report took care of it.

Shallow on purpose: a shared name, or two shared words. It errs on the side of silence, since an open thread that is
none sends the next session after work that is done.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable

from thruline.engines.rules.cues import SAID, find_cues
from thruline.engines.rules.material import Material
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.units import split_units
from thruline.session import parts
from thruline.session.ledger import Ledger
from thruline.session.runs import may_push

# Of later reports so many are read, the newest ones, and of each so much.
MOST_REPORTS, MOST_READ = 12, 4_000
# A shorter subject of a commit stands in other commands by chance.
SUBJECT = 12
# So much of a command tells what it was for; behind that stands what it was given.
MOST_COMPARED = 400


class Since:
    """What a session did and said, newest first: asked what of it came after a line."""

    __slots__ = (
        "_changed", "_deeds", "_material", "_named", "_read", "_reports", "_spoken", "_told", "committed",
        "pushed", "subjects",
    )  # fmt: skip

    def __init__(self, material: Material, ledger: Ledger) -> None:
        deeds = [(fact.last, fact.path) for fact in ledger.files.values() if fact.how != ["read"] and not fact.source]
        # The last change of each file by its name, as people and agents write it: with its folders or without.
        self._changed: dict[str, int] = {}
        for line, path in deeds:
            for name in (path.lower(), path.lower().rsplit("/", 1)[-1]):
                self._changed[name] = max(line, self._changed.get(name, 0))
        # What was committed, with the line of the last commit, and that of the last push.
        self.subjects = [(made.line, made.subject) for made in ledger.commits if not made.source]
        deeds += self.subjects
        self.committed = max((line for line, _ in self.subjects), default=0)
        ran = [each for each in ledger.commands.values() if each.outcome == parts.OK and not each.source]
        deeds += [(each.line, each.command) for each in ran]
        self.pushed = max((each.line for each in ran if may_push(each.command)), default=0)
        self._deeds = sorted(deeds, key=lambda deed: -deed[0])
        self._named: dict[str, int] = {}  # the newest deed that has to do with a term, of those read so far
        self._read = 0
        self._told: list[frozenset[str]] = []  # the terms of each deed, as far as they were asked for
        self._material = material
        self._reports: list[tuple[int, dict[str, bool]]] | None = None
        self._spoken: list[int] | None = None

    def find_again(self, command: str, line: int) -> int:
        """Where the same command ended well after this line, or the commit was made that it tells; 0 if nowhere."""
        made = [at for at, subject in self.subjects if at > line and len(subject) >= SUBJECT and subject in command]
        return max([*made, *(at for at, deed in self._deeds if at > line and deed == command)], default=0)

    def is_idle(self, line: int) -> bool:
        """Whether nothing was changed, committed or run after this line."""
        return not self._deeds or self._deeds[0][0] <= line

    def is_unchanged(self, line: int) -> bool:
        """Whether no file was changed and nothing committed after this line, whatever was run."""
        made = (made for made, _ in self.subjects)
        return max((*self._changed.values(), *made), default=0) <= line

    def has_changed(self, after: int, until: int) -> bool:
        """Whether a file was changed between two lines."""
        return any(after < line < until for line, _ in self._material.edits)

    def is_changed(self, terms: Iterable[str], line: int) -> bool:
        """Whether a file among these terms was changed after this line."""
        changed = self._changed.get
        for term in terms:  # noqa: SIM110 - any() would make a generator for each of thousands of sentences
            if changed(term.rsplit("/", 1)[-1] if "/" in term else term, 0) > line:
                return True
        return False

    def is_done(self, text: str, line: int) -> bool:
        """Whether a file changed, a command passed or a commit was made after this line that has to do with it."""
        while self._read < len(self._deeds) and self._deeds[self._read][0] > line:
            at, deed = self._deeds[self._read]
            for term in (*find_terms(deed.replace("/", " ")), *find_terms(deed)):
                self._named.setdefault(term, at)
            self._read += 1
        wanted = find_terms(text)
        return share(wanted, {term for term in wanted if self._named.get(term, 0) > line})

    def is_taken_up(self, title: str, line: int) -> bool:
        """Whether one thing that was done after this line has to do with a title: a name of it, or half of its words.

        Other than `is_done` it asks of each deed alone: of a long session two words are found anywhere.
        """
        wanted = find_terms(title)
        for number, (at, deed) in enumerate(self._deeds):
            if at <= line:
                return False
            if number == len(self._told):  # read once: every item of a long list asks for all of them
                deed = deed[:MOST_COMPARED]
                self._told.append(frozenset((*find_terms(deed.replace("/", " ")), *find_terms(deed))))
            if share_most(wanted, self._told[number]):
                return True
        return False

    def is_reported(self, text: str, line: int) -> bool:
        """Whether a later turn ended with words that say it is done."""
        wanted = find_terms(text)
        return any(share(wanted, terms) for at, terms in self._read_reports() if at > line)

    def is_told_done(self, title: str, line: int) -> bool:
        """Whether a later turn ended with words that say what has this title is done, in most of its words."""
        wanted = find_terms(title)
        return any(share_most(wanted, terms) for at, terms in self._read_reports() if at > line)

    def has_spoken(self, line: int, until: int = 0) -> bool:
        """Whether a person said something at this line or after it, and before `until`."""
        if self._spoken is None:
            self._spoken = sorted([each.line for each in self._material.humans()])
        at = bisect_left(self._spoken, line)
        return at < len(self._spoken) and (not until or self._spoken[at] < until)

    def _read_reports(self) -> list[tuple[int, dict[str, bool]]]:
        if self._reports is None:
            ends = [message for message in self._material.agents() if message.final][-MOST_REPORTS:]
            self._reports = [
                (message.line, find_terms(sentence))
                for message in ends
                for sentence in _read_sentences(message.text[:MOST_READ])
                if _is_settled(sentence)
            ]
        return self._reports


def _read_sentences(text: str) -> list[str]:
    """The sentences of a text and the headings that they stand under, each once."""
    spans = split_units(text)
    return [
        *dict.fromkeys(span.heading for span in spans if "✅" in span.heading),
        *(text[one.start : one.end] for one in spans),
    ]


def _is_settled(sentence: str) -> bool:
    cues = find_cues(sentence, SAID) & {"settled", "open", "deferred"}
    return cues == {"settled"} or (not cues and "✅" in sentence)


def share_most(wanted: dict[str, bool], shown: Collection[str]) -> bool:
    """Whether a text speaks of what another is called: a name of it, or two of its words and half of them."""
    # A number alone is none.
    shared = [term for term in wanted if term in shown and not term.isdigit()]
    return any(wanted[term] for term in shared) or (len(shared) > 1 and 2 * len(shared) >= len(wanted))


def share(wanted: dict[str, bool], shown: Collection[str]) -> bool:
    """Whether two texts speak of one thing: a name that both have, or two words."""
    shared = [term for term in wanted if term in shown]
    return len(shared) > 1 or any(wanted[term] for term in shared)
