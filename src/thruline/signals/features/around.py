"""What a message follows, what it shares with that, and what it was answered with."""

import re

from thruline.signals.features.text import Text, read_text
from thruline.signals.situation import Situation, Step

READ_OF_AGENT = 700
READ_OF_OPENING = 240
WORDS_OF_OPENING, WORDS_OF_CLOSE = 60, 90

_NAME = re.compile(r"[A-Za-z_][\w./-]*(?:[A-Z_./-]\w)[\w./-]*|`[^`\n]{2,60}`")
_LIST = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s", re.MULTILINE)
_WRITES = frozenset(("edit", "write", "delete"))
_UNDOING = re.compile(r"git (?:checkout|restore|reset|revert|stash)|\brm\b")
_RESUMED = "No response requested"  # what a client's model says when a session is taken up again


def add_before(out: set[str], situation: Situation) -> None:
    """What the agent had just done and said."""
    steps = situation.before
    if not steps:
        return
    last = steps[-1]
    out.add(f"after.{last.action}")
    if last.text.startswith(_RESUMED):
        out.add("resumed")
    if any(step.action in _WRITES for step in steps):
        out.add("wrote")
    if _committed(steps):
        out.add("committed")
    final = next((step.text for step in reversed(steps) if step.action == "text"), "")
    if not final:
        return
    if final.rstrip().endswith("?"):
        out.add("asked")
    elif "?" in final[-200:]:
        out.add("asked.near")
    if _LIST.search(final):
        out.add("offered")
    size = len(final)
    out.add("heard.short" if size < 150 else "heard.middle" if size < 600 else "heard.long")
    for name in read_text(final[:READ_OF_AGENT]).find("before"):
        out.add(f"before.{name}")


def _committed(steps: "list[Step] | tuple[Step, ...]") -> bool:
    return any(step.action == "run" and "git commit" in step.text for step in steps)


def _names(text: str) -> set[str]:
    return {name.strip("`").lower() for name in _NAME.findall(text)}


def add_overlap(out: set[str], situation: Situation, own: Text, heard: str, theirs: frozenset[str]) -> None:
    """What it takes up of the agent's words, and of the person's own message before."""
    stop = own.language.words("stop")
    mine = {word for word in own.plain if len(word) > 2} - stop
    if mine and theirs:
        shared = len(mine & theirs)
        if shared >= 3:
            out.add("overlap.words")
        for limit in (0.15, 0.3, 0.5, 0.7):
            if shared > limit * len(mine):
                out.add(f"overlap.{limit}")
    names = _names(own.text)
    if names:
        out.add("names")
        known = _names(heard) | {path.rsplit("/", 1)[-1].lower() for step in situation.before for path in step.paths}
        if names & known:
            out.add("names.heard")
        elif theirs:
            out.add("names.new")
    if situation.earlier and mine:
        before = {word for word in read_text(situation.earlier).plain if len(word) > 2} - stop
        shared = len(mine & before)
        for limit in (0.1, 0.25, 0.5):
            if shared > limit * len(mine | before):
                out.add(f"repeats.{limit}")


def add_answer(out: set[str], situation: Situation) -> dict[str, list[str]]:
    """What the agent answered; its words, of the opening and of the close, are returned."""
    steps = situation.after
    words: dict[str, list[str]] = {}
    if not situation.answered:
        out.add("answer.unknown")
    if not steps:
        out.add("answer.none")
        return words
    texts = [step for step in steps if step.action == "text"]
    if situation.answered:
        out.add(f"answer.begins.{steps[0].action}")
        if len(texts) == len(steps):
            out.add("answer.words.only")
        opening = next((step.text for step in situation.head if step.action == "text"), "")
        if opening:
            words["a"] = _add_opening(out, Text(opening[:READ_OF_OPENING]))
    if any(step.action in _WRITES for step in steps):
        out.add("answer.wrote")
        before = {path for step in situation.before if step.action in _WRITES for path in step.paths}
        if before and any(path in before for step in steps if step.action in _WRITES for path in step.paths):
            out.add("answer.rewrote")
    if any(step.action == "run" and _UNDOING.search(step.text) for step in steps):
        out.add("answer.undid")
    if _committed(steps):
        out.add("answer.committed")
    if texts:
        closing = read_text(texts[-1].text[:READ_OF_AGENT])
        for name in closing.find("answer"):
            out.add(f"closing.{name}")
        words["c"] = closing.pairs(WORDS_OF_CLOSE)
    return words


def _add_opening(out: set[str], text: Text) -> list[str]:
    # "Good catch" after a pasted review says nothing of the person who pasted it.
    told = "review" if "report" in out or "cue.review" in out else "answer"
    for name, at in text.find("answer").items():
        out.add(f"{told}.{name}")
        if at < 4:
            out.add(f"{told}.first.{name}")
    return text.pairs(WORDS_OF_OPENING)
