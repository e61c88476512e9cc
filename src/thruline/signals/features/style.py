"""In what manner a message is written: by somebody who speaks, or as a finding about code that was passed on.

What a reviewer or a tool wrote is pasted without a fence and looks like prose. It calls things wrong, and nobody in the
conversation did. The fact this rests on: who speaks to an agent says "I", "we" or "you" every few words; a finding
names functions and files, in whole sentences, and no one.
"""

from thruline.signals.cues import ENDS
from thruline.signals.features.text import Text

# Fewer words than that have no manner; a finding is longer.
LEAST_WORDS, LEAST_FINDING, LEAST_BEHIND = 8, 20, 15
# One person in so many words.
MANY, SOME = 10, 25
FORMAL = 20
# How far a finding's introduction goes ("from the review: …"), and how many words behind it are looked at.
INTRODUCED, LOOKED_AT = 80, 60


def add_style(out: set[str], own: Text, names: int) -> None:
    """How often it speaks of people, how many `names` of code it has, and whether that makes it a finding."""
    words, persons = own.plain, own.language.words("persons")
    count = len(words)
    if names >= 2:
        out.add("names.two")
        if names >= 4:
            out.add("names.many")
    if count < LEAST_WORDS or not persons:
        return
    spoken = sum([word in persons for word in words])
    out.add(
        "persons.none" if not spoken
        else "persons.few" if spoken * SOME < count
        else "persons.some" if spoken * MANY < count
        else "persons.many"
    )  # fmt: skip
    if count > LEAST_FINDING:
        if not spoken:
            out.add("impersonal")
        if names >= 2 and spoken * FORMAL <= count:
            out.add("formal")
    bookish = len(own.language.words("bookish").intersection(words))
    if bookish:
        out.add("bookish")
        if bookish > 1:
            out.add("bookish.two")
    if count > LEAST_BEHIND:
        _add_finding(out, own, persons, spoken)


def _add_finding(out: set[str], own: Text, persons: frozenset[str], spoken: int) -> None:
    text, words = own.text.strip(), own.plain
    if not spoken and text[:1].isupper() and text.endswith("."):
        out.add("finding")
    if ":" in text[:INTRODUCED]:
        text = text.partition(":")[2].lstrip()
        words = own.words[own.words.index(":") + 1 :]
        words = [word for word in words if word not in ENDS]
    if len(words) > LEAST_BEHIND and text[:1].isupper() and persons.isdisjoint(words[:LOOKED_AT]):
        out.add("finding.behind")
