"""What a message looks like by itself."""

import re

from thruline.pattern import compile_later
from thruline.signals.cues import is_listing
from thruline.signals.features.sentences import tell_stage
from thruline.signals.features.text import Text
from thruline.signals.situation import Situation

EARLY = 8  # words: what stands there sets the tone
EARLY_CHARACTERS = 12  # the same where words are not spaced

_LIST = compile_later(r"^\s*(?:\d+[.)]|[-*•])\s", re.MULTILINE)
_LENGTHS = (0, 2, 4, 8, 16, 32, 64, 128)
_CROSSED = ("negation", "doubt", "change", "instead", "undo", "fails", "missing", "wrong", "contrast", "redirect")


def add_shape(out: set[str], situation: Situation, text: Text, spans: list[tuple[int, int]]) -> None:
    """Kind, length, marks, and how much of it is pasted."""
    said, own = situation.said, text.text
    out.add(f"kind.{said.kind}")
    count = len(text.plain)
    out.add(f"words.{next((limit for limit in _LENGTHS if count <= limit), 'more')}")
    pasted = 1 - sum(end - start for start, end in spans) / max(len(said.text.strip()), 1)
    if pasted > 0.05:
        out.add("pasted.some")
        if pasted > 0.5:
            out.add("pasted.most")
    marks = own.count("?")
    if marks:
        out.add("question")
        if "?" in own[:120]:
            out.add("question.first")
        if own.rstrip().endswith("?"):
            out.add("question.last")
        if marks > 1:
            out.add("question.many")
    for name, there in (
        ("ellipsis", "..." in own or "…" in own),
        ("exclaims", "!" in own),
        ("lower", own[:1].islower()),
        ("quotes", '"' in own or "`" in own),
        ("quoting", said.text.lstrip().startswith(">")),
        ("link", "http" in said.text[:2000]),
        ("list", _LIST.search(own) is not None),
        ("interrupted", situation.interrupted),
        ("opening", situation.first),
        ("unheard", not situation.before),
        ("report", is_report(text)),
        ("listing", is_listing(said.text)),
        ("sentences.many", own.count(". ") + own.count("\n") > 2),
    ):
        if there:
            out.add(name)


def is_report(text: Text) -> bool:
    """Whether a text has the look of a review comment: whole sentences about code, and nobody in them."""
    if len(text.plain) <= 20 or text.text[:1].islower():
        return False
    persons = text.language.words("persons")
    return bool(persons) and persons.isdisjoint(text.plain[:60])


def add_cues(out: set[str], text: Text) -> dict[str, int]:
    """The classes of cues in it, also returned; those that come early count twice."""
    found = text.find("cues")
    early = EARLY if text.language.spaced else EARLY_CHARACTERS
    for name, at in found.items():
        out.add(f"cue.{name}")
        if at < early:
            out.add(f"first.{name}")
    return found


def add_cross(out: set[str], found: dict[str, int]) -> None:
    """Cues together with the situation they are said in."""
    question = "question" in out
    settled, proposed = tell_stage(out)
    shared = "overlap.0.3" in out
    for name in _CROSSED:
        if name in found:
            if question:
                out.add(f"question&{name}")
            if settled:
                out.add(f"settled&{name}")
            if proposed:
                out.add(f"proposed&{name}")
            if shared:
                out.add(f"overlap&{name}")
    if question and settled:
        out.add("question&settled")
    if question and "ask" in found and "negation" not in found:
        out.add("question&ask")
    if "approve" in found:
        if "contrast" in found:
            out.add("approve&contrast")
        if len(found) < 3:
            out.add("approve&little")
