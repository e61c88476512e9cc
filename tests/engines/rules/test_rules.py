"""The five sections by rules: what people said is in them word for word, and nothing is that was not said."""

import pytest

from tests.brief.sessions import check_text
from tests.engines.rules.talk import ORDERS, build, fold, render, words
from tests.session.talk import agent, edit, human
from thruline.engines.rules import Rules
from thruline.session.parts import Part


@pytest.mark.feature("F001-20", via="unit")
def test_convergence_says_cause_and_fix_and_the_newest_first() -> None:
    section = build(ORDERS)["convergence"]
    text = words(section)
    assert "the cursor was inclusive" in text
    assert "`fetch_page` now asks" in text
    lines = [one.quotes[0].pointer.line for one in sorted(section.claims, key=lambda one: -one.weight)]
    assert lines == sorted(lines, reverse=True)


@pytest.mark.feature("F001-27", via="unit")
def test_basics_quote_constraints_and_name_what_works() -> None:
    text = words(build(ORDERS)["basics"])
    assert "Never change the column order" in text
    assert "`python3 -m unittest -q`" in text
    assert "/home/dev/shop" in text


@pytest.mark.feature("F001-28", via="unit")
def test_no_sentence_stands_in_two_sections() -> None:
    quotes = [quote for section in build(ORDERS).values() for claim in section.claims for quote in claim.quotes]
    pieces = [(quote.pointer.line, piece) for quote in quotes for piece in quote.text.split(" … ")]
    assert len(pieces) == len(set(pieces))


@pytest.mark.parametrize("budget", [300, 600, 1000, 3000])
def test_every_word_that_is_quoted_was_said_and_the_budget_holds(budget: int) -> None:
    text = render(ORDERS, budget)
    report = check_text(text, ORDERS)
    assert report.quotes["ok"] == report.quotes.total() > 0
    assert len(text.encode()) <= budget * 4


def test_corrections_outlive_everything_else() -> None:
    assert "No, don't add a pause." in render(ORDERS, 400)


def test_the_same_session_gives_the_same_sections() -> None:
    assert Rules(fold(ORDERS)).build(4000) == Rules(fold(ORDERS)).build(4000)


def test_room_that_is_left_over_is_not_filled_with_what_was_said_in_passing() -> None:
    session = [
        human(2, "The nightly export writes some orders twice."),
        agent(3, "I've written a proposal for the exporter with three options."),
        *edit(4, "/home/dev/shop/exporter.py"),
        agent(6, "Everything looks correct. The cause was the inclusive cursor of `fetch_page`."),
        human(7, "Excellent work, thank you!"),
        agent(8, "You are welcome."),
    ]
    text = render(session)
    assert "inclusive cursor" in text
    assert "three options" not in text
    assert "Everything looks" not in text
    assert "Excellent work" not in text


def test_the_last_word_of_the_agent_is_told_however_small_it_is() -> None:
    assert "The parser is the place to look." in render(
        [human(2, "Where is the bug in the parser?"), agent(3, "The parser is the place to look.")]
    )


def test_a_message_typed_again_is_told_once() -> None:
    asked = "Are there hooks that tell us of a reset of the working tree?"
    session = [human(2, asked), human(4, asked), agent(5, "There are none that tell of it."), *ORDERS[6:]]
    told = [quote for claim in build(session)["basics"].claims for quote in claim.quotes if asked in quote.text]
    assert [quote.pointer.line for quote in told] == [4]


def test_with_room_to_spare_what_is_true_for_a_minute_is_not_where_it_landed() -> None:
    session = list(ORDERS)
    session.insert(
        8,
        agent(
            12,
            "Tests pass for `fetch_page` and `write_rows`, but the linter complains in `csv_writer.py`, see SHOP-4411.",
        ),
    )
    for number, name in enumerate(("parser", "mailer", "ledger", "ticket")):
        session += [
            human(30 + 4 * number, f"And {name}?"),
            agent(31 + 4 * number, f"The `{name}.py` module now checks its {name} rows."),
        ]
    assert "the linter complains" not in words(build(session)["convergence"])


def test_what_was_refused_with_a_reason_is_in_a_small_brief_before_anything_else() -> None:
    session: list[Part] = [human(2, "Bring the exporter, the importer and the archive up to date.")]
    for at in range(10, 250, 10):
        topic = f"module_{at}.py"
        session += [
            agent(at, f"Root cause in {topic}: the cursor of reader_{at} was inclusive, so page {at} came twice."),
            human(at + 1, f"Look at {topic} with option --limit={at} and tell me what writer_{at} does there."),
            agent(at + 2, f"Fixed {topic}: writer_{at} now asks for keys after {at}, and check_{at} passes."),
        ]
    reason = "have a look at this page first https://tracker.example/team/issue/A-250/the-interface-of-actions-as-it-is"
    refused = list(range(15, 165, 30))
    for at in refused:
        session += [
            human(at, f"{reason} - it was written a little while ago, {at}", "rejection", about="Bash git push")
        ]
    text = render(sorted(session, key=lambda part: part.line), 1_000)
    assert [at for at in refused if f"transcript:L{at}:" not in text] == []


@pytest.mark.parametrize("budget", [1_000, 3_000])
def test_a_correction_is_quoted_whole_where_there_is_room(budget: int) -> None:
    whole = "No, no pause. We tried that in spring, it only hid the problem. Look at the cursor."
    session: list[Part] = [
        human(2, "The export writes orders twice. Find the cause."),
        agent(3, "I suspect the source changes while paging. I add a pause."),
        *edit(4, "/home/dev/shop/e.py"),
        agent(6, "The pause is in, that should be enough."),
        human(7, whole),
        agent(8, "You are right, I take the pause out. The cause was the inclusive cursor."),
    ]
    assert whole in render(session, budget)


@pytest.mark.feature("F001-20", via="unit")
@pytest.mark.parametrize("room", [3_000, 11_000])
def test_where_a_session_landed_is_told_in_four_claims_at_most(room: int) -> None:
    session: list[Part] = []
    for at in range(10, 200, 10):
        session += [
            human(at, f"Repair the part_{at} of the exporter."),
            *edit(at + 1, f"/home/dev/shop/part_{at}.py"),
            agent(at + 3, f"Fixed: the cause was the cursor_{at} in part_{at}.py, which now asks for keys after {at}."),
        ]
    sections = build(session, room)
    landed = sections["convergence"].claims
    assert 1 <= len(landed) <= 4
    assert any(claim.quotes[0].pointer.line == 193 for claim in landed)
    also = [claim for claim in sections["basics"].claims if claim.topic == "Noted at the time"]
    assert len(also) <= (8 if room < 6_000 else 15)
    assert not {claim.quotes[0].text for claim in also} & {claim.quotes[0].text for claim in landed}


def test_a_landed_position_is_a_paragraph_not_a_page() -> None:
    found = [
        f"The cause in `part_{at}.py` was the cursor_{at}, which now asks for keys after row_{at}." for at in range(30)
    ]
    session: list[Part] = [human(2, "Repair the exporter and report."), agent(3, "\n".join(found))]
    landed = build(session)["convergence"].claims
    assert landed
    assert all(sum(len(quote.text) for quote in claim.quotes) < 600 for claim in landed)
