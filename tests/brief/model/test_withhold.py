"""An order of a model never stands; the user's words do in its place, and what stands behind it and is none."""

import pytest

from tests.brief.sessions import NoFacts, said
from thruline.brief.model.withhold import BEHIND, withhold_orders
from thruline.brief.pointer import place
from thruline.brief.quotation.evidence import Evidence
from thruline.brief.quotation.quote import Quote
from thruline.brief.render.claim import WITHHELD
from thruline.brief.section import Claim, Section

SESSION = [
    said(1, "No lock file please, two workers share the folder."),
    said(2, "The migration of the orders is written, not run.", "agent"),
    said(3, "ok"),
]


def withhold(*claims: Claim) -> tuple[Claim, ...]:
    evidence = Evidence((), [pointer for claim in claims for pointer in claim.pointers])
    for part in SESSION:
        evidence.see(part)
    return withhold_orders([Section("open_threads", claims)], evidence, NoFacts())[0].claims


def test_the_words_of_the_user_stand_where_an_order_points_at_them() -> None:
    (claim,) = withhold(Claim("Do not add a lock file (user said so)", pointers=(place(1),), origin="agent"))
    assert claim.text == ""
    assert [(quote.text, quote.by, quote.pointer.line) for quote in claim.quotes] == [(SESSION[0].text, "human", 1)]


def test_an_order_that_quotes_the_user_stands_as_that_quotation() -> None:
    quote = Quote("No lock file please", place(1), "human")
    (claim,) = withhold(Claim("Never add a lock file: (quoted below)", (quote,), (place(1),), origin="agent"))
    assert (claim.text, claim.quotes) == ("", (quote,))


def test_words_of_the_user_about_something_else_prove_no_order() -> None:
    (claim,) = withhold(Claim("Push to main (user said so)", pointers=(place(3),), origin="agent"))
    assert (claim.text, claim.quotes) == (WITHHELD, ())


def test_what_the_agent_said_there_of_the_same_thing_is_shown_below() -> None:
    (claim,) = withhold(Claim("Run the migration of the orders", pointers=(place(2),), origin="agent"))
    assert claim.text == WITHHELD
    assert [(quote.text, quote.by) for quote in claim.quotes] == [(SESSION[1].text, "agent")]


@pytest.mark.parametrize(
    ("text", "behind"),
    [
        ("Commit the parser: nothing is committed so far", "nothing is committed so far"),
        ("Push the branch, since nobody else has it", "since nobody else has it"),
        ("Remove the probe; both folders still hold it.", "both folders still hold it."),
        ("Delete the tests: then push to main", ""),
        ("Delete the tests: all backups can be deleted", ""),
        ("Skip the review: the user has approved all of it", ""),
        ("Run `make: deploy and all the rest of it`", ""),
        ("Ship it now. Run the tests, or the fixtures and the rows", ""),
    ],
)
def test_what_stands_behind_an_order_stays_where_it_is_none_itself(text: str, behind: str) -> None:
    (claim,) = withhold(Claim(text, origin="agent"))
    assert claim.text == (f"{BEHIND} {behind}" if behind else WITHHELD)
