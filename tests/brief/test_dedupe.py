"""What stands in a brief twice is told once, and what is left of the other still has its place."""

from thruline.brief.claims.forms import is_known
from thruline.brief.dedupe import contains_quote, drop_repeats
from thruline.brief.document import parse_document
from thruline.brief.pointer import place
from thruline.brief.quotation.quote import Quote
from thruline.brief.render.claim import render_claim
from thruline.brief.section import TOGETHER, Brief, Claim, Section, order_sections

ASKED = Quote("Shall the ferry wait for the train?", place(3), "agent")
YES = Quote("Yes, always.", place(4), "human")


def drop(*claims: tuple[str, Claim]) -> dict[str, tuple[Claim, ...]]:
    sections = {name: Section(name, (claim,)) for name, claim in claims}
    return {section.name: section.claims for section in drop_repeats(Brief(order_sections(sections))).sections}


def test_a_quotation_whose_companion_stands_elsewhere_says_where() -> None:
    pair = Claim("", (ASKED, YES), topic="Asked and decided")
    left = drop(("dead_ends", Claim("Refused:", (YES,), keep=True)), ("basics", pair))["basics"]
    lines = render_claim(left[0])
    assert lines[0] == f"- {TOGETHER} (`transcript:L4`)"
    assert lines[1].startswith("  > agent, transcript:L3")
    (pointer,) = parse_document("\n".join(["## Basics", *lines])).pointers
    assert is_known(lines[0], [pointer.start])


def test_a_claim_with_words_of_its_own_keeps_them() -> None:
    pair = Claim("Put to the user:", (ASKED, YES))
    left = drop(("dead_ends", Claim("Refused:", (YES,), keep=True)), ("basics", pair))["basics"]
    assert render_claim(left[0])[0] == "- Put to the user: (`transcript:L4`)"


def test_pieces_of_one_message_need_no_other_place() -> None:
    other = Quote("Unless it is the last one.", place(4), "human")
    pair = Claim("", (YES, other))
    left = drop(("dead_ends", Claim("Refused:", (YES,), keep=True)), ("basics", pair))["basics"]
    assert render_claim(left[0]) == ["- > user, transcript:L4: `Unless it is the last one.`"]


def test_a_short_quotation_within_a_models_words_stays_where_they_need_it() -> None:
    told = Claim("(quoted below) came from the pier", (YES,), (place(4),), origin="agent")
    kept = drop(("dead_ends", Claim("Refused:", (YES,), keep=True)), ("convergence", told))["convergence"]
    assert kept == (told,)
    long = Quote("Yes, always. " * 20, place(5), "human")
    told = Claim("(quoted below) came from the pier", (long,), (place(5),), origin="agent")
    left = drop(("dead_ends", Claim("Refused:", (long,), keep=True)), ("convergence", told))["convergence"]
    assert (left[0].text, left[0].quotes) == ("(quoted elsewhere) came from the pier", ())


def test_what_a_model_chose_of_a_long_message_is_no_repetition() -> None:
    message = Quote("Always wait for the train. " * 30, place(4), "human")
    chosen = Quote("wait for the train. Always wait", place(4), "human")
    kept = drop(("dead_ends", Claim("", (message,), keep=True)), ("convergence", Claim("", (chosen,), origin="agent")))
    assert kept["convergence"][0].quotes == (chosen,)
    left = drop(("dead_ends", Claim("", (message,), keep=True)), ("convergence", Claim("", (chosen,))))
    assert left["convergence"] == ()


def test_the_same_words_said_twice_are_two_things_the_user_said() -> None:
    # A second "no" is no repetition of the brief's: it was said of something else.
    again = Quote("Yes, always.", place(9), "human")
    left = drop(("dead_ends", Claim("Refused:", (YES,), keep=True)), ("basics", Claim("", (again,))))
    assert [quote.pointer.line for claims in left.values() for claim in claims for quote in claim.quotes] == [4, 9]
    elsewhere = Quote("Yes, always.", place(4, source="a1"), "human")
    assert contains_quote(YES, YES)
    assert not contains_quote(YES, again)
    assert not contains_quote(YES, elsewhere)
