"""What a message follows, what it shares with that, and what it was answered with."""

import re
from itertools import pairwise

from thruline.pattern import compile_later
from thruline.session.runs import puts_back, removes, runs_git
from thruline.signals.features.text import Text, read_text
from thruline.signals.situation import Situation, Step

READ_OF_AGENT = 700
# Words of an answer's opening: what comes later is about the work, not about the person.
OPENING = 45
VERBS_OF_OPENING, VERBS_OF_TEXT = 25, 40

_NAME = compile_later(r"[A-Za-z_][\w./-]*(?:[A-Z_./-]\w)[\w./-]*|`[^`\n]{2,60}`")
_LIST = compile_later(r"^\s*(?:\d+[.)]|[-*•])\s", re.MULTILINE)
_WRITES = frozenset(("edit", "write", "delete"))
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
    text = read_text(final[:READ_OF_AGENT])
    for name in text.find("before"):
        out.add(f"before.{name}")
    add_verbs(out, "before", text, VERBS_OF_TEXT)


def _committed(steps: "list[Step] | tuple[Step, ...]") -> bool:
    return any(step.action == "run" and runs_git(step.text, "commit") for step in steps)


def find_names(text: str) -> set[str]:
    """The names of files and code in a text, lower case."""
    if "`" not in text:
        # Most words are plain ones, and a pattern that looks back and forth is dear.
        text = " ".join([word for word in text.split() if not (word.isalpha() and (word.islower() or word.istitle()))])
    return {name.strip("`").lower() for name in _NAME.findall(text)} if text else set()


def add_overlap(
    out: set[str], situation: Situation, own: Text, heard: str, theirs: frozenset[str], names: set[str]
) -> None:
    """What it takes up of the agent's words, and of the person's own message before."""
    stop = own.language.words("stop")
    mine = own.salient(stop)
    if mine and theirs:
        shared = len(mine & theirs)
        if shared >= 3:
            out.add("overlap.words")
        for limit in (0.15, 0.3, 0.5, 0.7):
            if shared > limit * len(mine):
                out.add(f"overlap.{limit}")
    if names:
        out.add("names")
        known = find_names(heard) | {
            path.rsplit("/", 1)[-1].lower() for step in situation.before for path in step.paths
        }
        if names & known:
            out.add("names.heard")
        elif theirs:
            out.add("names.new")
    if situation.earlier and mine:
        before = read_text(situation.earlier[:READ_OF_AGENT]).salient(stop)
        shared = len(mine & before)
        for limit in (0.1, 0.25, 0.5):
            if shared > limit * len(mine | before):
                out.add(f"repeats.{limit}")


def add_answer(out: set[str], situation: Situation) -> None:
    """What the agent answered: its first words, what it did, its last words."""
    steps = situation.after
    if not situation.answered:
        out.add("answer.unknown")
    if not steps:
        out.add("answer.none")
        return
    texts = [step for step in steps if step.action == "text"]
    if situation.answered:
        out.add(f"answer.begins.{steps[0].action}")
        if len(texts) == len(steps):
            out.add("answer.words.only")
        opening = next((step.text for step in situation.head if step.action == "text"), "")
        if opening:
            _add_opening(out, read_text(opening[:READ_OF_AGENT]))
    if any(step.action in _WRITES for step in steps):
        out.add("answer.wrote")
        before = {path for step in situation.before if step.action in _WRITES for path in step.paths}
        if before and any(path in before for step in steps if step.action in _WRITES for path in step.paths):
            out.add("answer.rewrote")
    if any(step.action == "run" and (puts_back(step.text, whole=False) or removes(step.text)) for step in steps):
        out.add("answer.undid")
    if _committed(steps):
        out.add("answer.committed")
    if texts:
        closing = read_text(texts[-1].text[:READ_OF_AGENT])
        for name in closing.find("answer"):
            out.add(f"closing.{name}")
        add_verbs(out, "closing", closing, VERBS_OF_TEXT)


def _add_opening(out: set[str], text: Text) -> None:
    # "Good catch" after a pasted review says nothing of the person who pasted it.
    told = "review" if "report" in out or "cue.review" in out else "answer"
    opening = OPENING if text.language.spaced else 2 * OPENING
    for name, at in text.find("answer").items():
        if at < opening:
            out.add(f"{told}.{name}")
            if at < 4:
                out.add(f"{told}.first.{name}")
    add_verbs(out, "answer", text, VERBS_OF_OPENING)


def add_verbs(out: set[str], where: str, text: Text, most: int) -> None:
    """What kinds of things the agent says it did, and will do."""
    words, language = text.plain[:most], text.language
    done, verbs, announcing = language.done, language.verbs, language.words("announcing")
    if not done.keys().isdisjoint(words):
        for kind in {done[word] for word in words if word in done}:
            out.add(f"{where}.did.{kind}")
    if not announcing.isdisjoint(words):
        for last, word in pairwise(words):
            if last in announcing and word in verbs:
                out.add(f"{where}.will.{verbs[word]}")
    if words and words[0] in done:
        out.add(f"{where}.began.{done[words[0]]}")
