"""A model's sections on top of the rules' (law 2): it may add, it can never remove."""

import re
from collections.abc import Mapping

from thruline.brief.claims.labels import OTHERS
from thruline.brief.claims.saying import load_saying
from thruline.brief.dedupe import LONGEST_WHOLE, contains_quote, say_the_same
from thruline.brief.model.unsaid import reads_as_speech
from thruline.brief.quotation.quote import Quote
from thruline.brief.quotation.speech import count_words
from thruline.brief.render.claim import WITHHELD, drop_leading
from thruline.brief.section import QUOTED, TABLE, Claim, Section
from thruline.pattern import compile_later
from thruline.value import replace

# A quotation that is led to by a sign stands below in any case; in the middle of a sentence its mark stays.
_TRAILING = compile_later(rf"\s*[:,—–-]\s*{re.escape(QUOTED)}(?=[.;!?]?\s|[.;!?]?\Z)")
# Fewer words around quotations only lead to them ("The user said …").
_FEWEST_AROUND = 5


def merge_sections(rules: Mapping[str, Section], model: Mapping[str, Section]) -> dict[str, Section]:
    """Every section that one of the two has; all claims of the rules are in it, word for word.

    What the user said and what was rejected must be kept, however sure the rules are of it: alone they weigh their
    claims against each other, and beside a model's that would lose what nobody announced as lost.
    """
    merged = {}
    for row in TABLE:
        mined, told = rules.get(row.name), model.get(row.name)
        mined = _keep_said(mined) if mined is not None and model else mined
        if mined is not None and not mined.failed and told is not None and not told.failed:
            merged[row.name] = _merge(mined, told)
        elif found := (told if told is not None and not told.failed else mined):
            merged[row.name] = found
    return merged


def _keep_said(rules: Section) -> Section:
    said = [any(quote.by == "human" for quote in claim.quotes) for claim in rules.claims]
    rejected = rules.name == "dead_ends"
    return replace(
        rules,
        claims=tuple(
            replace(claim, keep=True) if (told or rejected) and not claim.statement else claim
            for claim, told in zip(rules.claims, said, strict=True)
        ),
    )


def _merge(rules: Section, model: Section) -> Section:
    added: list[Claim] = []
    mined = list(rules.claims)
    for claim in model.claims:
        if claim.statement and mined:
            continue  # that a model found nothing says nothing of what the rules found
        at = next((at for at, own in enumerate(mined) if _is_about(own, claim)), -1)
        if at >= 0:
            mined[at] = _join(mined[at], claim)
        elif not any(say_the_same(own.text, claim.text) for own in mined if not claim.quotes):
            added.append(claim)
    # That the rules found nothing is no longer true once a model found something; what git or the ledger says of a
    # topic is true beside it.
    kept = [claim for claim in mined if not (claim.statement and not claim.topic and added)]
    # What a model found leads where a session landed; of what was rejected the user's words do.
    return replace(rules, claims=(*kept, *added) if rules.name == "dead_ends" else (*added, *kept))


def _is_about(own: Claim, claim: Claim) -> bool:
    # Where nobody but the agent speaks, places of a model's may lead to the user.
    return own.topic not in OTHERS and any(_overlap(mined, told) for mined in own.quotes for told in claim.quotes)


def _overlap(one: Quote, other: Quote) -> bool:
    return contains_quote(one, other) or contains_quote(other, one)


def _tells(mined: Quote, quote: Quote) -> bool:
    """Whether a quotation of the rules tells a model's as well; a long one is cut, perhaps of just these words."""
    whole = len(mined.text) <= LONGEST_WHOLE or len(quote.text) > LONGEST_WHOLE
    return _overlap(mined, quote) and (whole or not contains_quote(mined, quote))


def _join(own: Claim, claim: Claim) -> Claim:
    """The rules' claim, its quotations untouched, with the model's words behind its own.

    They are said to be the model's: beside somebody's exact words they would pass for what these mean.
    """
    gloss = _TRAILING.sub("", drop_leading(claim.text)).rstrip(" :—-")
    around = gloss.replace(QUOTED, " ")
    leads = count_words(around) < _FEWEST_AROUND and load_saying().role.search(around)
    new = bool(around.strip()) and not leads and WITHHELD not in gloss and not say_the_same(own.text, gloss)
    text = own.text
    label = f"(added by the engine {claim.origin})"
    if new and label in text:
        text = f"{text.rstrip('. ')}. {gloss}"
    elif new:
        text = " — ".join(part for part in (text, f"{label} {gloss}") if part)
    # Beside other words the same ones may read as somebody's.
    text = own.text if reads_as_speech(text) else text
    more = tuple(quote for quote in claim.quotes if not any(_tells(mined, quote) for mined in own.quotes))
    return replace(
        own,
        text=text,
        quotes=(*own.quotes, *more),
        pointers=tuple(dict.fromkeys((*own.pointers, *claim.pointers))),
        weight=max(own.weight, claim.weight),
        flag=own.flag or claim.flag,
        numbers=(*own.numbers, *claim.numbers),
        origin="+".join(dict.fromkeys((*own.origin.split("+"), *claim.origin.split("+")))),
    )
