"""The claims of a section whose words are withheld, told once: how many there are and where they point."""

from collections.abc import Iterable

from thruline.brief.render.claim import WITHHELD, withholds
from thruline.brief.section import Claim, Section
from thruline.value import replace

SO_OFTEN = f"{WITHHELD.rstrip('.')}, {{}} times."


def join_withheld(sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections with one claim in the place of several of which nothing is left but their places.

    What is quoted below such words stands there without them.
    """
    return tuple(replace(section, claims=_join(section.claims)) for section in sections)


def _join(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    held = [claim for claim in claims if withholds(claim)]
    if len(held) < 2:
        return claims
    bare = [claim for claim in held if not claim.quotes]
    first = bare[0] if bare else held[0]
    joined = replace(
        first,
        text=SO_OFTEN.format(len(held)),
        pointers=tuple(dict.fromkeys(pointer for claim in (bare or [first]) for pointer in claim.pointers)),
        numbers=tuple(number for claim in (bare or [first]) for number in claim.numbers),
        weight=max(claim.weight for claim in held),
        keep=any(claim.keep for claim in held),
    )
    quoted = {id(claim): replace(claim, text="") for claim in held if claim.quotes}
    gone = {id(claim) for claim in bare}
    return tuple(
        joined if claim is first else quoted.get(id(claim), claim)
        for claim in claims
        if claim is first or id(claim) not in gone
    )
