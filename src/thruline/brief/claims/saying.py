"""The words of several languages for saying something, read from `saying.toml` and made into patterns."""

import os
import re
from functools import cache

from thruline.datafile import read_data
from thruline.value import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@dataclass(frozen=True, slots=True)
class Saying:
    """What tells that words were said.

    `cue` finds who says something, `after` the same behind the words, `hand` a speaker whose words follow: behind a
    colon, a dash, an arrow or another sign, or because they are said to be exact. `signed` finds the words of a line
    that ends with a person's noun. `roles` is who a noun is in the record (human, agent, or "" where it may be either);
    `said_to` finds cues of which the noun is whom it was said to. `voiced` is asked of a model's words alone, and finds
    anybody at all who is named, however far, before a sign that content follows, or who "said" what follows.
    """

    marks: tuple[str, ...]
    single: tuple[str, str]
    roles: dict[str, str]
    role: "re.Pattern[str]"
    cue: "re.Pattern[str]"
    after: "re.Pattern[str]"
    hand: "re.Pattern[str]"
    signed: "re.Pattern[str]"
    said_to: "re.Pattern[str]"
    voiced: "re.Pattern[str]"


@cache
def load_saying() -> Saying:
    """All languages as one: a line may mix them, and a word of another language is no harm."""
    table = read_data(os.path.join(os.path.dirname(__file__), "saying.toml"))
    languages: list[dict[str, Any]] = [fields for fields in table.values() if isinstance(fields, dict)]
    roles: dict[str, str] = {}
    for fields in languages:
        roles |= dict.fromkeys(fields["human"], "human") | dict.fromkeys(fields["agent"], "agent")
        roles |= dict.fromkeys(fields["other"], "")
    named = _join(word for word, by in roles.items() if by)
    who = _join(roles)
    humans = _join(word for word, by in roles.items() if by == "human")
    says, per, words, to, exact = (_join(word for fields in languages for word in fields[key]) for key in _LISTS)
    # A few words between: "the user then firmly said"; in a script without blanks a few signs.
    gap = r"(?:(?:\W{1,3}\w{1,30}){0,3}?\W{1,3}|[^\s\w]?\w{0,6}?)"
    article = r"(?:(?:the|our|der|die|den|dem|des|vom|el|la|le|l['’]|o|a)\W{0,2})?"
    # At the start of a line or a sentence a speaker and a sign are enough, as in a play.
    begin = r"(?:\A(?:\W{0,8}verify:)?(?:\W|\\?<\w{1,8}\\?>){0,8}|[.!?;。！？；(\[]\W{0,4})"
    play = rf"{begin}{article}{named}(?:\s?{words})?(?:\s?\([^()]{{0,60}}\))?(?=\s?[:：])"
    possessed = rf"{who}(?:['’]s?\W{{1,3}}|的|の)"
    owned = rf"{possessed}(?:\w{{1,30}}\W{{1,3}}){{0,2}}?{words}"
    owned += rf"|{words}\W{{1,3}}(?:of|by|from|de|du|des|do|da|von|vom)\W{{1,3}}{article}{who}"
    # "The user orders: ship it" tells what was said, "orders by customers: 12" and "customer orders: 12" what there is.
    alone = _join(word for word, by in roles.items() if by and word not in _TRADE and not word.endswith("s"))
    nouns = _join(word for fields in languages for word in fields.get("also_nouns", ()))
    orders = rf"(?:{alone}|\b(?:the|our)\W{{1,2}}{_join(_TRADE)})\W{{1,3}}(?:\w{{1,30}}ly\W{{1,3}})?{nouns}"
    says_who = rf"{says}\W{{1,3}}(?:by\W)?{article}{who}"
    cue = rf"(?:{who}{gap}{says}|{orders}|{says_who}|{per}\W{{0,3}}{article}{who}|{owned}|{play})"
    between = r"(?:[^\w:：]{1,3}\w{1,30}){0,2}?(?:\s?\([^()]{0,60}\))?"
    # Anything that points from a speaker to words; a dash may also open what is said of the speaker.
    sign = r"(?:[^\w:：]{0,3}(?::\s|：)|\s?(?:[-=]{1,2}>|--|[→⇒➜➔▸►»~|=])\s?"
    sign += r"|\s?(?:[—–]|\s-\s)(?!\s?(?:who|whose|which|that|as|when)\b)\s?)"
    # Whatever is the user's; what a customer's may be, programs count.
    theirs = rf"{alone}(?:['’]s?\W{{1,3}}|的|の)(?:\w{{1,30}}\W{{1,2}}){{0,3}}?\w{{1,30}}"
    bare = rf"{begin}{article}{named}(?:\s?[(\[][^()\[\]]{{0,60}}[)\]])?"
    # Behind a speaker alone any sign will do that joins no words to it.
    any_sign = r"(?:\s?[^\w\s,.:—–(\['’`&+?!%#@*\\/-]{1,3}\s?|\s[/*]\s)"
    # As our own form begins, without being it.
    formed = rf"{begin}{named}\s?,\s?(?:`?transcript:\S{{1,40}}?`?(?:[,:)]|\s)|,)\s?"
    word_for_word = rf"{who}(?:\W{{1,3}}\w{{1,30}}){{0,3}}?\W{{0,3}}{exact}[^\w\s\"“‘']{{0,3}}\s?"
    return Saying(
        tuple(table["marks"]),
        (table["single"][0], table["single"][1]),
        roles,
        re.compile(named, re.IGNORECASE),
        re.compile(cue, re.IGNORECASE),
        re.compile(
            rf"\W{{0,4}}(?:(?:the|as|so|と|と、)\W?){{0,2}}(?:{who}{gap}{says}|{orders}|{says_who}|{says})"
            rf"|\W{{1,6}}(?:(?:by|from)\W)?{article}{humans}\W{{0,8}}\Z",
            re.IGNORECASE,
        ),
        re.compile(
            rf"(?:{cue}{between}|{theirs}|{bare}){sign}|{bare}{any_sign}|{formed}|{word_for_word}", re.IGNORECASE
        ),
        re.compile(
            rf"(?P<words>[^.!?;:()]{{3,300}}?)\s?(?:[—–~@←|]|--|\s-\s|\()\s?{article}{humans}\W{{0,8}}\Z", re.IGNORECASE
        ),
        re.compile(rf"{to}\W(?!by\b)", re.IGNORECASE),
        re.compile(_build_voiced(table, humans, says, words), re.IGNORECASE),
    )


def _build_voiced(table: "dict[str, Any]", humans: str, says: str, words: str) -> str:
    # Anybody: a noun, or a name, which is known by its capital.
    anybody = rf"(?:{humans}|{_join(table['persons'])}|\b(?-i:[A-Z][a-z]{{1,20}})\b)"
    person = rf"(?:{humans}|{_join(table['persons'])})"
    far = r"[^.!?;:：|\n]{0,60}?"
    sign = r"\s?(?:[:：](?=\s)|[|→⇒➜▸►»=]+>?\s?)"
    # What stands behind a passive is what was done to, not said ("rejected by the user: a pause").
    named = (
        rf"(?<!by )(?<!by the ){person}{far}{sign}|{words}\W{{1,3}}(?:by|from|of)\W{{1,3}}(?:the\W)?{person}{far}{sign}"
    )
    told = rf"{anybody}\W{{1,3}}(?:\w{{1,20}}\W{{1,3}}){{0,2}}?{says}(?:\W{{1,3}}\w{{1,20}}){{0,3}}?{sign}"
    said = rf"{anybody}\W{{1,3}}(?:\w{{1,20}}ly\W)?(?:said|says)\s(?!{_join(table['reported'])})(?=\w)"
    head = rf"\A\W*(?:(?-i:[UHQ])|{person})(?!\w)[^\s:|]{{0,12}}{sign}"
    return f"{head}|{named}|{told}|{said}"


# Who speaks in a session, and in what many programs are about.
_TRADE = ("customer", "client", "owner")
_LISTS = ("says", "per", "words", "to", "exact")


def _join(words: "Any") -> str:
    """One of these words; a script with blanks needs them, or signs, around it."""
    ordered = sorted(set(words), key=len, reverse=True)
    spaced = "|".join(re.escape(word) for word in ordered if word < "\u2e80")
    other = "|".join(re.escape(word) for word in ordered if word >= "\u2e80")
    return "(?:" + "|".join(([rf"\b(?:{spaced})\b"] if spaced else []) + ([other] if other else [])) + ")"
