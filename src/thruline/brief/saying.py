"""The words of several languages for saying something, read from `saying.toml` and made into patterns."""

import os
import re
from functools import cache
from typing import Any

from thruline.datafile import read_data
from thruline.value import dataclass


@dataclass(frozen=True, slots=True)
class Saying:
    """What tells that words were said.

    `cue` finds who says something, `after` the same behind the words, `colon` a cue whose words follow. `roles` is who
    a noun is in the record (human, agent, or "" where it may be either); `said_to` finds cues of which the noun is whom
    it was said to.
    """

    marks: tuple[str, ...]
    roles: dict[str, str]
    role: "re.Pattern[str]"
    cue: "re.Pattern[str]"
    after: "re.Pattern[str]"
    colon: "re.Pattern[str]"
    said_to: "re.Pattern[str]"


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
    says, per, words, to = (_join(word for fields in languages for word in fields[key]) for key in _LISTS)
    # A few words between: "the user then firmly said"; in a script without blanks a few signs.
    gap = r"(?:(?:\W{1,3}\w{1,30}){0,3}?\W{1,3}|[^\s\w]?\w{0,6}?)"
    article = r"(?:(?:the|our|der|die|den|dem|des|vom|el|la|le|l['’]|o|a)\W{0,2})?"
    # At the start of a line or a sentence a speaker and a colon are enough, as in a play.
    begin = r"(?:\A(?:\W{0,8}verify:)?\W{0,8}|[.!?;。！？；]\W{1,4})"
    play = rf"{begin}{article}{named}(?:\s?{words})?(?:\s?\([^()]{{0,60}}\))?(?=\s?[:：])"
    owned = rf"{who}(?:['’]s?\W{{1,3}}(?:\w{{1,30}}\W{{1,3}}){{0,2}}?|的|の){words}"
    owned += rf"|{words}\W{{1,3}}(?:of|by|from|de|du|des|do|da|von|vom)\W{{1,3}}{article}{who}"
    # "The user orders: ship it" tells what was said, "orders by customers: 12" and "customer orders: 12" what there is.
    alone = _join(word for word, by in roles.items() if by and word not in _TRADE and not word.endswith("s"))
    nouns = _join(word for fields in languages for word in fields.get("also_nouns", ()))
    orders = rf"(?:{alone}|\b(?:the|our)\W{{1,2}}{_join(_TRADE)})\W{{1,3}}(?:\w{{1,30}}ly\W{{1,3}})?{nouns}"
    says_who = rf"{says}\W{{1,3}}(?:by\W)?{article}{who}"
    cue = rf"(?:{who}{gap}{says}|{orders}|{says_who}|{per}\W{{0,3}}{article}{who}|{owned}|{play})"
    between = r"(?:[^\w:：]{1,3}\w{1,30}){0,2}?(?:\s?\([^()]{0,60}\))?"
    return Saying(
        tuple(table["marks"]),
        roles,
        re.compile(named, re.IGNORECASE),
        re.compile(cue, re.IGNORECASE),
        re.compile(
            rf"\W{{0,4}}(?:(?:the|as|so|と|と、)\W?){{0,2}}(?:{who}{gap}{says}|{orders}|{says_who}|{says})",
            re.IGNORECASE,
        ),
        re.compile(rf"{cue}(?:{between}[^\w:：]{{0,2}}(?::\s|：)|(?:\s?\([^()]{{0,60}}\))?\s?[—–]\s)", re.IGNORECASE),
        re.compile(rf"{to}\W(?!by\b)", re.IGNORECASE),
    )


# Who speaks in a session, and in what many programs are about.
_TRADE = ("customer", "client", "owner")
_LISTS = ("says", "per", "words", "to")


def _join(words: Any) -> str:
    """One of these words; a script with blanks needs them, or signs, around it."""
    ordered = sorted(set(words), key=len, reverse=True)
    spaced = "|".join(re.escape(word) for word in ordered if word < "\u2e80")
    other = "|".join(re.escape(word) for word in ordered if word >= "\u2e80")
    return "(?:" + "|".join(([rf"\b(?:{spaced})\b"] if spaced else []) + ([other] if other else [])) + ")"
