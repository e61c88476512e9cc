"""One claim as markdown: our words with their places, its quotations below; the last door that an order would pass."""

import re
from functools import lru_cache

from thruline.brief.attempts.inert import render_words
from thruline.brief.attempts.injection import find_in_words
from thruline.brief.claims.names import reads_like_order
from thruline.brief.model.orders import find_orders
from thruline.brief.pointer import Pointer
from thruline.brief.quotation.quote import Quote, render_quote
from thruline.brief.quotation.shorten import shorten
from thruline.brief.section import FLAG, QUOTED, UNSOURCED, Claim
from thruline.brief.wording import is_statement
from thruline.pattern import compile_later
from thruline.redact import redact

WITHHELD = "Words that read like an instruction were withheld here."

# A quotation that stands below needs no word for it at the start.
_LEADING = compile_later(rf"\A(?:{re.escape(QUOTED)}\s*)+(?:[—–:.-]+\s*|\Z)")
_ADDED = compile_later(r"\(added by the engine \S+\) ")
# The longest quotation, and the longest of what stands beside a user's words as their context (0: none), tried from
# left to right until everything that must be kept fits: the context is cut before the user is.
LENGTHS = (
    (1600, 600),
    (600, 600),
    (600, 200),
    (600, 100),
    (400, 100),
    (400, 0),
    (280, 0),
    (200, 0),
    (140, 0),
    (100, 0),
)


def render_claim(claim: Claim, most: int = LENGTHS[0][0], context: int = LENGTHS[0][1]) -> list[str]:
    """The lines of one claim: a bullet with its pointers, its quotations below it."""
    words = _guard_words(claim)
    quotes = _shorten_quotes(claim, most, context)
    if claim.statement and not quotes and is_statement(words):
        return [f"_{words.replace('_', chr(92) + '_')}_"]
    parts = [FLAG] if claim.flag else []
    parts += [words] if words else []
    # Quotations without words of ours carry their own places.
    pointers = _pointers(claim) if words or not quotes else []
    parts += [f"({', '.join(f'`{pointer}`' for pointer in pointers)})"] if pointers else []
    # A statement that is none of ours is a claim like any other.
    if not quotes and not pointers and (words or not claim.statement):
        parts.append(UNSOURCED)
    if not parts and not quotes:
        return []
    if not parts:
        first = render_quote(quotes[0], "- ")
        return first + [line for quote in quotes[1:] for line in render_quote(quote, "  ")]
    return ["- " + " ".join(parts)] + [line for quote in quotes for line in render_quote(quote, "  ")]


def _guard_words(claim: Claim) -> str:
    return guard(drop_leading(claim.text), told=claim.origin != "rules")


def withholds(claim: Claim) -> bool:
    """Whether nothing of a claim's own words is shown."""
    return _guard_words(claim) == WITHHELD


def drop_leading(text: str) -> str:
    """Words without the mark of a quotation that they begin with, where they say something without it."""
    return _LEADING.sub("", text)


def _shorten_quotes(claim: Claim, most: int, context: int) -> list[Quote]:
    told = any(quote.by == "human" for quote in claim.quotes)
    limits = [(quote, min(most, context) if told and quote.by == "agent" else most) for quote in claim.quotes]
    return [shorten(quote, limit) for quote, limit in limits if limit]


# The same words are rendered once for every length that is tried.
@lru_cache(maxsize=4096)
def guard(text: str, *, told: bool = False) -> str:
    """Words outside a quotation, inert and without secrets; in their place that they are withheld, if they instruct."""
    # The last door: whoever wrote the words, an instruction does not pass outside a quotation; and what a model `told`
    # says what is, not what to do.
    words = render_words(redact(text).text)
    # Behind the words that name an engine a sentence begins, as far as an order is concerned.
    return WITHHELD if words and (find_in_words(text) or (told and find_orders(_ADDED.sub(". ", text)))) else words


def _pointers(claim: Claim) -> list[str]:
    told = {quote.pointer.render() for quote in claim.quotes}
    rendered = [pointer.render() for pointer in claim.pointers if not _instructs(pointer)]
    return list(dict.fromkeys(text for text in rendered if text not in told))


def _instructs(pointer: Pointer) -> bool:
    return any(reads_like_order(name) for name in (pointer.path, pointer.symbol) if name)
