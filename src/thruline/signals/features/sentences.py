"""What single sentences do: ask or tell, deny, take up the agent's words, and what they want done with the work."""

from collections.abc import Iterator

from thruline.signals.cues import ENDS, Language
from thruline.signals.features.text import Text

MOST_SENTENCES = 12
# How far into a sentence its frame is looked for ("could we …"), and how far after it the verb.
FRAMED, VERB_AFTER = 14, 4
WORDS_OF_VERBS = 60


def add_sentences(out: set[str], text: Text, theirs: frozenset[str]) -> None:
    """The features of each of the first sentences."""
    language = text.language
    settled, proposed = tell_stage(out)
    for number, (sentence, end) in enumerate(split_sentences(text.words)):
        mood = "ask" if end == "?" else "tell"
        _add_words(out, mood, sentence, language, theirs)
        _add_frames(out, mood, sentence, language, first=not number)
        fillers = language.words("fillers")
        head = next((word for word in sentence if word not in fillers), sentence[-1])
        if mood == "tell" and head in language.verbs:
            _add_staged(out, f"do.{language.verbs[head]}", settled, False, first=not number)
        elif mood == "ask" and head in language.asks:
            _add_staged(out, f"asks.{language.asks[head]}", settled, proposed, first=not number)
    for verb in {language.verbs[word] for word in text.plain[:WORDS_OF_VERBS] if word in language.verbs}:
        _add_staged(out, f"verb.{verb}", settled, False)


def split_sentences(words: list[str]) -> Iterator[tuple[list[str], str]]:
    """The first sentences as (words, the mark that ends them)."""
    sentence: list[str] = []
    count = 0
    for word in [*words, "\n"]:
        if word not in ENDS:
            sentence.append(word)
        elif sentence:
            yield sentence, word
            sentence = []
            count += 1
            if count == MOST_SENTENCES:
                return


def tell_stage(out: set[str]) -> tuple[bool, bool]:
    """(something was delivered, something was proposed or asked) before this message."""
    return "wrote" in out or "before.delivered" in out, "asked" in out or "before.proposed" in out


def _add_staged(out: set[str], name: str, settled: bool, proposed: bool, *, first: bool = False) -> None:
    out.add(name)
    if first:
        out.add(f"{name}.first")
    if settled:
        out.add(f"{name}&settled")
    if proposed:
        out.add(f"{name}&proposed")


def _add_words(out: set[str], mood: str, sentence: list[str], language: Language, theirs: frozenset[str]) -> None:
    known = set(sentence)
    mine = [one for one in known if len(one) > 3]
    shared = bool(mine) and sum([one in theirs for one in mine]) * 2 > len(mine)
    if shared:
        out.add(f"{mood}.shared")
    if known & language.words("negations"):
        out.add(f"{mood}.negated")
        if shared:
            out.add(f"{mood}.negated&shared")
    if sentence[0] in language.words("openers"):
        out.add(f"{mood}.begins.{sentence[0]}")
    if mood == "ask":
        if not language.words("questioning").isdisjoint(sentence[:2]):
            out.add("ask.negative")
        if sentence[-1] in language.words("tags"):
            out.add(f"ask.tag.{sentence[-1]}")
    for one in known & language.words("adverbs"):
        out.add(f"{mood}.{one}")
    for one in known & language.words("telling"):
        out.add(f"{mood}.{one}")


def _add_frames(out: set[str], mood: str, sentence: list[str], language: Language, *, first: bool) -> None:
    frames, verbs = language.frames, language.verbs
    for at, word in enumerate(sentence[:FRAMED]):
        if word not in frames:
            continue
        seconds = frames[word]
        second = sentence[at + 1] if at + 1 < len(sentence) else ""
        frame = seconds.get(second) or seconds.get("")
        if frame is None:
            continue
        out.add(f"frame.{frame}.{mood}")
        if first:
            out.add(f"frame.{frame}.first")
        after = at + (2 if second in seconds else 1)
        verb = next((verbs[one] for one in sentence[after : after + VERB_AFTER] if one in verbs), "")
        if verb:
            out.add(f"frame.{frame}.{verb}")
