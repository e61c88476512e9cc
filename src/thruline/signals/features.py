"""From a situation to features: what the message looks like, what it follows, what it was answered with.

A feature is a name and a number. Names with a colon-free prefix are situations and cue classes (`cue.no`,
`first.doubt`, `answer.agree`, `overlap`); `w:` are words and pairs of words of the message, `a:` of the answer. The
same features serve every judgement (correction, decision, constraint, and which variety), each with weights of its own.
"""

import re

from thruline.signals.cues import find_cues, guess_language, load_language, split_words
from thruline.signals.own import find_own, join_own
from thruline.signals.situation import Situation, Step

READ_OF_OWN = 1500
READ_OF_AGENT = 700
EARLY = 8  # words: what stands there sets the tone

_NAME = re.compile(r"[A-Za-z_][\w./-]*(?:[A-Z_./-]\w)[\w./-]*|`[^`\n]{2,60}`")
_STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "but",
        "by",
        "can",
        "do",
        "does",
        "for",
        "from",
        "has",
        "have",
        "i",
        "if",
        "in",
        "is",
        "it",
        "its",
        "just",
        "me",
        "my",
        "no",
        "not",
        "of",
        "on",
        "or",
        "our",
        "so",
        "that",
        "the",
        "then",
        "there",
        "these",
        "this",
        "to",
        "too",
        "up",
        "us",
        "was",
        "we",
        "were",
        "what",
        "when",
        "which",
        "will",
        "with",
        "would",
        "you",
        "your",
    ]
)
_PERSONS = frozenset(
    [
        "i",
        "i'm",
        "i'd",
        "i've",
        "i'll",
        "me",
        "my",
        "we",
        "we're",
        "we've",
        "us",
        "our",
        "you",
        "your",
        "you're",
        "you've",
        "let's",
        "lets",
    ]
)
_NEGATIONS = frozenset(
    [
        "not",
        "no",
        "never",
        "nothing",
        "without",
        "cannot",
        "don't",
        "doesn't",
        "didn't",
        "isn't",
        "wasn't",
        "aren't",
        "weren't",
        "won't",
        "can't",
        "shouldn't",
        "wouldn't",
        "couldn't",
        "haven't",
        "hasn't",
        "dont",
        "doesnt",
        "isnt",
    ]
)
_TAGS = frozenset(
    [
        "right",
        "correct",
        "yes",
        "no",
        "yeah",
        "hey",
        "ok",
        "then",
        "now",
        "too",
        "still",
        "again",
        "anymore",
        "or",
        "instead",
        "though",
    ]
)
_ADVERBS = frozenset(
    [
        "still",
        "again",
        "now",
        "already",
        "actually",
        "really",
        "just",
        "only",
        "even",
        "also",
        "too",
        "instead",
        "rather",
    ]
)
_LIST = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s", re.MULTILINE)
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+(?=\s|$)|\n|$)?")
_WRITES = frozenset(("edit", "write", "delete"))
_UNDOING = re.compile(r"git (?:checkout|restore|reset|revert|stash)|\brm\b")


def build_features(situation: Situation) -> set[str]:
    """The features of one message."""
    out: set[str] = set()
    said = situation.said
    heard = "\n".join([step.text[:READ_OF_AGENT] for step in situation.before if step.action in ("text", "plan")])
    spans = find_own(said.text, heard)
    own = join_own(said.text, spans)[:READ_OF_OWN]
    words = split_words(own)
    language = load_language(guess_language(own, words))
    plain = [word for word in words if word]
    _shape(out, situation, own, plain, spans)
    found = find_cues(words, "cues", language, own.lower())
    early = EARLY if language.spaced else 12
    for name, at in found.items():
        out.add(f"cue.{name}")
        if at < early:
            out.add(f"first.{name}")
    _before(out, situation, heard)
    _overlap(out, situation, plain, own, heard)
    _answer(out, situation)
    _cross(out, found)
    if language.spaced:
        _sentences(out, own, heard)
    if language.spaced:
        _pairs(out, "w:", words[:300])
        for at, word in enumerate([word for word in words[:6] if word][:3]):
            out.add(f"w:{at} {word}")
    return out


def _shape(out: set[str], situation: Situation, own: str, plain: list[str], spans: list[tuple[int, int]]) -> None:
    said = situation.said
    out.add(f"kind.{said.kind}")
    count = len(plain)
    for limit in (0, 2, 4, 8, 16, 32, 64, 128):
        if count <= limit:
            out.add(f"words.{limit}")
            break
    else:
        out.add("words.more")
    total = len(said.text.strip())
    pasted = 1 - sum(end - start for start, end in spans) / max(total, 1)
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
    if "..." in own or "…" in own:
        out.add("ellipsis")
    if "!" in own:
        out.add("exclaims")
    if own[:1].islower():
        out.add("lower")
    if '"' in own or "`" in own:
        out.add("quotes")
    if own.startswith(">") or said.text.lstrip().startswith(">"):
        out.add("quoting")
    if "http" in said.text:
        out.add("link")
    if _LIST.search(own):
        out.add("list")
    if situation.interrupted:
        out.add("interrupted")
    if situation.first:
        out.add("opening")
    if not situation.before:
        out.add("unheard")
    sentences = own.count(". ") + own.count("\n") + 1
    if sentences > 3:
        out.add("sentences.many")
    if is_impersonal(own, plain):
        out.add("impersonal")


def is_impersonal(own: str, plain: list[str]) -> bool:
    """Whether the text has the look of a review comment or a report: whole sentences about code, and nobody in them."""
    return len(plain) > 20 and not own[:1].islower() and not _PERSONS & set(plain[:60])


def _before(out: set[str], situation: Situation, heard: str) -> None:
    steps = situation.before
    if not steps:
        return
    last = steps[-1]
    if last.text.startswith("No response requested"):
        out.add("resumed")  # what a client's model says when a session is taken up again
    out.add(f"after.{last.action}")
    wrote = sum(step.action in _WRITES for step in steps)
    if wrote:
        out.add("wrote")
    if any(step.action == "run" and "git commit" in step.text for step in steps):
        out.add("committed")
    texts = [step.text for step in steps if step.action == "text"]
    if not texts:
        return
    final = texts[-1]
    if final.rstrip().endswith("?"):
        out.add("asked")
    elif "?" in final[-200:]:
        out.add("asked.near")
    if _LIST.search(final):
        out.add("offered")
    size = len(final)
    out.add("heard.short" if size < 150 else "heard.middle" if size < 600 else "heard.long")
    words = split_words(final[:READ_OF_AGENT])
    for name in find_cues(words, "before", load_language(guess_language(final[:200], words)), final[:READ_OF_AGENT]):
        out.add(f"before.{name}")


def _names(text: str) -> set[str]:
    return {name.strip("`").lower() for name in _NAME.findall(text)}


def _overlap(out: set[str], situation: Situation, plain: list[str], own: str, heard: str) -> None:
    mine = {word for word in plain if word not in _STOP and len(word) > 2}
    theirs = set(split_words(heard)) if heard else set()
    if mine and theirs:
        shared = len(mine & theirs)
        share = shared / len(mine)
        if shared >= 3:
            out.add("overlap.words")
        for limit in (0.15, 0.3, 0.5, 0.7):
            if share > limit:
                out.add(f"overlap.{limit}")
    names = _names(own)
    if names:
        out.add("names")
        known = _names(heard) | {path.rsplit("/", 1)[-1].lower() for step in situation.before for path in step.paths}
        if names & known:
            out.add("names.heard")
        elif heard:
            out.add("names.new")
    if situation.earlier and mine:
        before = {word for word in split_words(situation.earlier[:READ_OF_OWN]) if word not in _STOP and len(word) > 2}
        if before:
            share = len(mine & before) / len(mine | before)
            for limit in (0.1, 0.25, 0.5):
                if share > limit:
                    out.add(f"repeats.{limit}")


def _answer(out: set[str], situation: Situation) -> None:
    steps = situation.after
    if not situation.answered:
        out.add("answer.unknown")
    if not steps:
        out.add("answer.none")
        return
    texts = [step for step in steps if step.action == "text"]
    if situation.answered:
        first = steps[0]
        out.add(f"answer.begins.{first.action}")
        if len(texts) == len(steps):
            out.add("answer.words.only")
        opening = next((step.text for step in situation.head if step.action == "text"), "")
        if opening:
            _opening(out, opening)
    if any(step.action in _WRITES for step in steps):
        out.add("answer.wrote")
        before = {path for step in situation.before if step.action in _WRITES for path in step.paths}
        if before and any(path in before for step in steps if step.action in _WRITES for path in step.paths):
            out.add("answer.rewrote")
    if any(step.action == "run" and _UNDOING.search(step.text) for step in steps):
        out.add("answer.undid")
    if any(step.action == "run" and "git commit" in step.text for step in steps):
        out.add("answer.committed")
    if texts:
        closing = texts[-1].text[:READ_OF_AGENT]
        words = split_words(closing)
        language = load_language(guess_language(closing[:200], words))
        for name in find_cues(words, "answer", language, closing):
            out.add(f"closing.{name}")
        _pairs(out, "c:", words[:90])


def _opening(out: set[str], text: str) -> None:
    words = split_words(text[:240])
    language = load_language(guess_language(text[:240], words))
    # "Good catch" after a pasted review says nothing of the person who pasted it.
    told = "review" if "impersonal" in out or "cue.review" in out else "answer"
    for name, at in find_cues(words, "answer", language, text[:240]).items():
        out.add(f"{told}.{name}")
        if at < 4:
            out.add(f"{told}.first.{name}")
    _pairs(out, "a:", words)


def _pairs(out: set[str], prefix: str, words: list[str]) -> None:
    last = "^"
    for word in words:
        if not word:
            last = "^"
            continue
        out.add(prefix + word)
        out.add(f"{prefix}{last} {word}")
        last = word


def _cross(out: set[str], found: dict[str, int]) -> None:
    question = "question" in out
    settled = "wrote" in out or "before.delivered" in out
    for name in ("negation", "doubt", "change", "instead", "undo", "fails", "missing", "wrong", "contrast", "redirect"):
        if name in found:
            if question:
                out.add(f"question&{name}")
            if settled:
                out.add(f"settled&{name}")
            if "asked" in out or "before.proposed" in out:
                out.add(f"proposed&{name}")
            if "overlap.0.3" in out:
                out.add(f"overlap&{name}")
    if question and settled:
        out.add("question&settled")
    if question and "ask" in found and "negation" not in found:
        out.add("question&ask")
    if "approve" in found and "contrast" in found:
        out.add("approve&contrast")
    if "approve" in found and len(found) < 3:
        out.add("approve&little")


def _sentences(out: set[str], own: str, heard: str) -> None:
    theirs = set(split_words(heard)) if heard else set()
    for at, sentence in enumerate(_SENTENCE.findall(own)[:12]):
        words = [word for word in split_words(sentence) if word]
        if not words:
            continue
        mood = "ask" if "?" in sentence else "tell"
        known = set(words)
        negated = bool(known & _NEGATIONS)
        first = words[0]
        mine = {word for word in words if len(word) > 3}
        shared = bool(mine) and len(mine & theirs) > 0.5 * len(mine)
        if negated:
            out.add(f"{mood}.negated")
            if shared:
                out.add(f"{mood}.negated&shared")
        if shared:
            out.add(f"{mood}.shared")
        if first in ("but", "so", "why"):
            out.add(f"{mood}.begins.{first}")
        if mood == "ask":
            if first.endswith("n't") or (len(words) > 1 and words[1].endswith("n't")):
                out.add("ask.negative")
            if words[-1] in _TAGS:
                out.add(f"ask.tag.{words[-1]}")
            if at == 0 and "why" in known:
                out.add("ask.first.why")
            for word in ("why", "need", "same"):
                if word in known:
                    out.add(f"ask.{word}")
        if "should" in known:
            out.add(f"{mood}.should")
        for word in known & _ADVERBS:
            out.add(f"{mood}.{word}")


def describe(step: Step | None) -> str:
    """A step in a few words, to say what a message is about."""
    return "" if step is None else f"{step.action} {step.text}".strip()
