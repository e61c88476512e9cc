"""Of what was said of one thing only the last word stands: a denial, another count, a removal, a state that passed."""

import pytest

from tests.engines.rules.talk import LAST, build, told, words
from tests.session.talk import agent, edit, human, run
from thruline.session.parts import Part

ASKED = human(2, "Why does the till lose receipts at midnight?")
A = "/home/dev/shop/receipts.py"


@pytest.mark.parametrize(
    ("first", "later"),
    [
        (
            "The printer queue of the till never fired at midnight.",
            "The printer queue of the till DID fire at midnight.",
        ),
        (
            "`spool.d` automatically serves the receipts of `till.conf`.",
            "`spool.d` doesn't serve receipts of `till.conf`.",
        ),
        (
            "All 6 receipt counters are now at `0.2.0`.",
            "All 6 receipt counters are at `0.3.0`, since somebody took that one.",
        ),
        ("The receipts suite has 41 passing tests.", "The receipts suite has 57 passing tests."),
    ],
)
def test_a_statement_falls_with_a_later_one_of_the_same_words_that_says_otherwise(first: str, later: str) -> None:
    said = told(ASKED, agent(3, first), human(4, "Look again."), agent(5, later), *LAST)
    assert later in said
    assert first not in said


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("The printer queue of the till fires at midnight.", "The cash drawer of the till does not open at noon."),
        ("The receipts suite has 41 passing tests.", "The invoice printer has 57 fonts."),
        ("The till writes receipts to `spool.d`.", "The till writes receipts to `spool.d`, and each has a number."),
    ],
)
def test_statements_about_different_things_stand_side_by_side(first: str, later: str) -> None:
    assert first in told(ASKED, agent(3, first), human(4, "Go on."), agent(5, later), *LAST)


@pytest.mark.parametrize("gone", ["Remove the receipt ring buffer - use the plain table", "Drop receipt ring buffer"])
def test_what_a_later_commit_removed_does_not_stand(gone: str) -> None:
    claim = "✅ The **till** has a receipt ring buffer of 40 entries"
    session = [ASKED, *edit(4, A), agent(6, claim), human(7, "Could the plain table do?"), *edit(8, A)]
    commit = run(10, "git commit -am x", commits=(("bc4d18f", gone),))
    assert claim in told(*session, agent(12, "It could."), *LAST)
    assert claim not in told(*session, *commit, agent(12, "It could."), *LAST)


def test_what_the_user_deleted_does_not_stand() -> None:
    claim = "The till is started with `boot.rb` for local work, no build is needed."
    gone = human(4, "Also, I deleted boot.rb, as a first step find another way to start it.")
    assert claim not in told(ASKED, agent(3, claim), gone, agent(5, "The till starts with `make till`."), *LAST)


@pytest.mark.parametrize(
    ("state", "deed"),
    [
        ("The branch of the till is 2 commits ahead of origin.", run(6, "git push")),
        ("`receipts.py` still declares a spool that is gone, so the till will fail to load.", edit(6, A)),
    ],
)
def test_a_state_that_passed_does_not_stand(state: str, deed: list[Part]) -> None:
    session = [ASKED, agent(4, state), human(5, "Go on.")]
    assert state in told(*session, agent(8, "All right."), *LAST)
    assert state not in told(*session, *deed, agent(8, "All right."), *LAST)


def test_words_about_a_push_in_a_message_push_nothing() -> None:
    state = "The branch of the till is 2 commits ahead of origin."
    spoken = run(6, "git stash save 'before git push of the drawer'")
    assert state in told(ASKED, agent(4, state), human(5, "Go on."), *spoken, agent(8, "All right."), *LAST)


def test_a_finding_that_was_fixed_later_is_not_still_valid() -> None:
    finding = "| 5 | `number_receipts` does not check the till's id | **Still valid** |"
    fixed = "| 5 | `number_receipts` and the till's id | Fixed | `bc4d18f` |"
    session = [
        ASKED,
        agent(4, f"| # | Issue | State |\n|---|---|---|\n{finding}\n"),
        human(5, "Fix that one."),
        *edit(6, A),
    ]
    said = told(*session, agent(8, f"| # | Issue | State | Commit |\n|---|---|---|---|\n{fixed}\n"), *LAST)
    assert "Still valid" not in said
    assert "Fixed" in said


CAUSE = "The root cause is the expired licence of the printer."


@pytest.mark.parametrize(
    "denial",
    [
        "The licence is valid, so it is something else.",
        "The licence was renewed, so the licence is not the cause.",
        "The printer's licence is fine.",
    ],
)
def test_a_cause_that_was_denied_later_is_a_dead_end_with_both_places(denial: str) -> None:
    session = [ASKED, agent(3, CAUSE), human(4, "I renewed it yesterday."), *run(5, "lpstat -t")]
    session += [agent(7, f"{denial} The clock of the till is ten minutes off."), human(8, "Ok, set it.")]
    session += [agent(9, "The clock of the till is in sync now and receipts are kept.")]
    sections = build(session)
    assert CAUSE not in words(sections["convergence"]) + words(sections["basics"])
    (claim,) = [one for one in sections["dead_ends"].claims if any(quote.text == CAUSE for quote in one.quotes)]
    assert claim.topic == "Disproved by evidence"
    assert [quote.pointer.line for quote in claim.quotes] == [3, 7]


@pytest.mark.parametrize("guess", [[], [agent(3, "I suspect the spool cleaner.")]])
def test_a_denial_that_was_itself_taken_back_is_no_dead_end(guess: list[Part]) -> None:
    denial = "That rules out the spool cleaner as the cause, since `spool.d` was empty."
    cause = "**The spool cleaner is the cause after all**: it prunes `spool.d` while the till prints."
    session = [ASKED, *guess, *run(4, "ls spool.d"), agent(6, denial)]
    session += [human(7, "It happens after each cleaning, though."), agent(8, cause), *LAST]
    sections = build(session)
    assert denial not in words(sections["dead_ends"])
    assert "is the cause after all" in words(sections["convergence"]) + words(sections["basics"])


def test_what_the_user_does_not_want_is_not_told_as_added() -> None:
    claim = "Added a ring buffer for the receipts in `receipts.py`."
    rule = "No, do not use a ring buffer. Use a plain list."
    session = [ASKED, *edit(4, A), agent(6, claim), human(7, "Thanks."), agent(8, "You are welcome."), human(9, rule)]
    assert claim in told(*session[:-1], *LAST)
    assert claim not in told(*session, agent(10, "ok, a list."), *LAST)


def test_what_was_answered_with_a_rule_is_told_with_its_place() -> None:
    rule = "We never use an LRU memo here. Use a plain list."
    session = [human(2, "Add a memo to the till."), agent(3, "Added an LRU memo in till.py."), human(4, rule)]
    session += [
        agent(5, "Changed to a plain list."),
        human(6, "Sorry, I was wrong about that: keep the LRU memo after all."),
    ]
    session += [agent(7, "Restored the LRU memo."), human(8, rule), agent(9, "ok, list.")]
    sections = build(session)
    ruled = [quote.pointer.line for one in sections["basics"].claims for quote in one.quotes if quote.text == rule]
    (claim,) = [one for one in sections["dead_ends"].claims if one.quotes]
    assert ruled == [8]
    assert ([quote.pointer.line for quote in claim.quotes], [one.line for one in claim.pointers]) == ([7], [8])


def test_an_intent_in_the_last_message_is_no_position_in_russian() -> None:
    intent = "Дальше обновлю документацию кассы."
    session = [human(2, "Касса теряет чеки. Найди причину."), agent(3, "Причина: часы кассы. Исправлено в `till.py`.")]
    session += [human(4, "Никогда не меняй порядок чеков."), agent(5, f"Понятно. {intent}")]
    assert intent not in words(build(session)["convergence"])
