"""The five sections by rules: what people said is in them word for word, and nothing is that was not said."""

import random
from dataclasses import replace

import pytest

from tests.engines.rules.talk import agent, build, check, edit, fold, human, render, run, words
from thruline.brief.section import NAMES
from thruline.engines.rules import Rules
from thruline.session.parts import Asked, Changed, Part, Planned, Said, Tasks
from thruline.signals.signal import Signal

ORDERS: list[Part] = [
    human(2, "The nightly export writes some orders twice. Find out why and fix it."),
    agent(3, "My guess is that the source moves while it is read. Let me wait between pages."),
    *edit(4, "/home/dev/shop/exporter.py"),
    *run(6, "python3 -m unittest -q", "error", exit_status=1),
    agent(
        8, "The pause did not help, so a moving source is not the cause. I could retry each page with a longer pause."
    ),
    human(9, "No, don't add a pause. We tried that in spring and it only hid the problem."),
    agent(
        10,
        "You are right. Root cause: the cursor was inclusive, so every page began with the last row of the one before.",
    ),
    *edit(11, "/home/dev/shop/exporter.py"),
    *run(13, "python3 -m unittest -q"),
    *run(15, "git commit -am x", commits=(("bc4d18f", "Ask for rows after the last key"),)),
    agent(17, "`fetch_page` now asks for rows with a key greater than the cursor, and the test passes."),
    human(18, "Good. Never change the column order, old consumers read by position."),
    agent(19, "Understood, the column order stays. Still open: nothing was run against staging."),
]


def test_a_correction_is_quoted_with_what_it_overruled() -> None:
    section = build(ORDERS)["dead_ends"]
    claim = next(one for one in section.claims if one.topic == "Overruled by the user")
    assert [(quote.by, quote.pointer.line) for quote in claim.quotes] == [("agent", 8), ("human", 9)]
    assert "No, don't add a pause." in claim.quotes[1].text
    assert claim.keep


def test_a_correction_taken_back_stays_among_the_dead_ends_with_a_note() -> None:
    session = [*ORDERS[:-2], human(20, "No, that's wrong, don't compare keys."), agent(21, "You're right, I undo it.")]
    session += [human(22, "Never mind, I was wrong about the keys."), agent(23, "Good.")]
    sections = build(session)
    (claim,) = [one for one in sections["dead_ends"].claims if "taken back" in one.text]
    assert "don't compare keys" in claim.quotes[0].text
    assert (claim.pointers[0].line, claim.keep) == (22, True)
    assert "taken back" not in words(sections["open_threads"])


@pytest.mark.feature("F001-21", via="unit")
def test_what_evidence_disproved_is_labelled_as_that() -> None:
    section = build(ORDERS)["dead_ends"]
    disproved = [one for one in section.claims if one.topic == "Disproved by evidence"]
    assert any("The pause did not help" in quote.text for one in disproved for quote in one.quotes)


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
    report = check(text, ORDERS)
    assert report.quotes["ok"] == report.quotes.total() > 0
    assert len(text.encode()) <= budget * 4


def test_corrections_outlive_everything_else() -> None:
    assert "No, don't add a pause." in render(ORDERS, 400)


def test_the_same_session_gives_the_same_sections() -> None:
    assert Rules(fold(ORDERS)).build(4000) == Rules(fold(ORDERS)).build(4000)


# --- odd sessions -------------------------------------------------------------------------------------------------


def test_an_empty_session_says_that_there_is_nothing() -> None:
    sections = build([])
    assert list(sections) == list(NAMES)
    assert all(claim.statement or claim.pointers for one in sections.values() for claim in one.claims)
    assert "no conclusion" in words(sections["convergence"])
    assert "No dead end" in words(sections["dead_ends"])


def test_a_session_of_one_turn_is_a_brief() -> None:
    text = render(
        [human(2, "What does the exporter do with a page?"), agent(3, "It writes each page to one CSV file.")]
    )
    assert "It writes each page to one CSV file." in text


def test_a_session_without_a_person_is_quoted_from_the_agent() -> None:
    session: list[Part] = [
        agent(2, "The nightly job failed because the disk was full."),
        *edit(3, "/home/dev/shop/job.sh"),
    ]
    text = render(session)
    assert "because the disk was full" in text
    assert "`job.sh`" in text


def test_a_session_that_is_only_a_summary_is_quoted_from_it_in_the_clients_name() -> None:
    summary = Said(2, "client", "summary", "The export wrote orders twice because the cursor was inclusive.", uuid="s2")
    text = render([summary])
    assert "> client, transcript:L2: `The export wrote orders twice because the cursor was inclusive.`" in text
    assert check(text, [summary]).quotes["ok"] == 1


@pytest.mark.parametrize(
    ("asked", "answered", "said"),
    [
        ("导出任务把一些订单写了两次。请找出原因。", "原因是游标包含了最后一行。现在已修复。", "不对，不要加暂停。"),
        ("Der Export schreibt doppelt.", "Die Ursache war der Cursor. Der Test läuft.", "Nein, keine Pause einbauen!"),
        ("Экспорт пишет заказы дважды.", "Причина в курсоре. Исправлено, тест проходит.", "Нет, не добавляй паузу."),
    ],
)  # fmt: skip
def test_other_languages_are_quoted_exactly(asked: str, answered: str, said: str) -> None:
    session: list[Part] = [human(2, asked), agent(3, answered), human(4, said), agent(5, answered[:12])]
    text = render(session)
    assert said in text
    report = check(text, session)
    assert report.quotes["ok"] == report.quotes.total()


def test_a_refused_plan_is_a_dead_end() -> None:
    session: list[Part] = [
        human(2, "Make the export safe."),
        Planned(3, "Rewrite the exporter in another language.", "proposed", call_id="p", uuid="p3"),
        Planned(4, "", "refused", call_id="p"),
        agent(5, "Fine, it stays."),
    ]
    section = build(session)["dead_ends"]
    assert any("Rewrite the exporter" in quote.text for claim in section.claims for quote in claim.quotes)


def test_pasted_output_and_the_agents_own_words_are_not_the_persons() -> None:
    session: list[Part] = [
        human(2, "Fix the export."),
        agent(3, "The suffix approach solves this: session B would create another branch and A stays intact."),
        human(
            4,
            "The suffix approach solves this: session B would create another branch and A stays intact.\n\n"
            "that is not true, it would ONLY create one if there are file changes\n~/shop  $ git push origin main\n",
        ),
        agent(5, "Right."),
    ]
    quoted = [q.text for one in build(session).values() for c in one.claims for q in c.quotes if q.by == "human"]
    assert any("it would ONLY create one" in text for text in quoted)
    assert not any("suffix approach" in text or "git push" in text for text in quoted)


def test_secrets_in_a_quoted_sentence_are_marked() -> None:
    token = "ghp_" + "".join(
        random.Random(5).choices("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", k=36)
    )
    session: list[Part] = [
        human(2, f"No, never print the token {token} in a log again."),
        agent(3, "It is not printed now."),
    ]
    text = render(session)
    assert token not in text
    assert "[redacted:" in text
    assert check(text, session).quotes.keys() == {"ok"}


def test_a_plan_that_was_refused_and_approved_later_is_no_dead_end() -> None:
    session: list[Part] = [
        human(2, "Report broken archives in the manifest."),
        Planned(3, "# Report broken archives\n\nAdd a field to each entry.", "proposed", call_id="p", uuid="p3"),
        Planned(4, "", "refused", call_id="p"),
        agent(5, "What should I change?"),
        Planned(7, "# Report broken archives\n\nAdd a field to each entry.", "proposed", call_id="q", uuid="p7"),
        Planned(8, "", "approved", call_id="q"),
        agent(9, "The field is there."),
    ]
    assert "refused" not in words(build(session)["dead_ends"])


@pytest.mark.parametrize(
    ("answer", "refused"),
    [
        ("OK, so first commit the tar work, then proceed with this new plan.", False),
        ("No, that is the wrong way, I don't want a new field at all.", True),
    ],
)
def test_a_refused_plan_that_the_user_then_tells_to_go_on_with_is_no_dead_end(answer: str, refused: bool) -> None:
    session: list[Part] = [
        human(2, "Report broken archives in the manifest."),
        agent(3, "Here is my plan for it."),
        Planned(4, "# Report broken archives\n\nAdd a field to each entry.", "proposed", call_id="p", uuid="p3"),
        Planned(5, "", "refused", call_id="p"),
        human(6, answer),
        agent(7, "Understood."),
    ]
    assert ("A plan, refused" in words(build(session)["dead_ends"])) is refused


def test_a_refused_plan_that_the_miner_saw_taken_back_is_no_dead_end() -> None:
    session: list[Part] = [
        human(2, "Report broken archives in the manifest."),
        agent(3, "Here is my plan for it."),
        Planned(4, "# Report broken archives\n\nAdd a field to each entry.", "proposed", call_id="p", uuid="p3"),
        Planned(5, "", "refused", call_id="p"),
        human(6, "Which entries would get it?"),
        agent(7, "Those that could not be read."),
        human(8, "go ahead with the plan"),
        agent(9, "The field is there."),
    ]
    assert "A plan, refused" not in words(build(session)["dead_ends"])


def test_secrets_in_tasks_titles_questions_and_subjects_are_marked() -> None:
    secret = "hunter22x"
    session: list[Part] = [
        Changed(2, "title", f"Set password={secret} for the export"),
        human(3, "Make the export safe."),
        Tasks(4, ((f"rotate password={secret} everywhere", "pending"),), uuid="t4"),
        *run(5, "git commit -m x", commits=(("9f8e7d6", f"Use password={secret} for now"),)),
        Asked(7, f"Keep password={secret} in the config?", (), "", call_id="q", uuid="q7"),
        agent(8, "The export is safe."),
    ]
    text = render(session)
    assert secret not in text
    assert text.count("[redacted:password]") == 4
    assert check(text, session).quotes.keys() == {"ok"}


def test_what_may_be_a_correction_stands_among_the_dead_ends_under_a_name_that_says_so() -> None:
    facts = fold(ORDERS)
    doubt = Signal("correction", "human", "Good.", 18, "u18", strength=0.42, variety="challenge")
    others = tuple(one for one in facts.signals if one.line != 18)
    sections = {one.name: one for one in Rules(replace(facts, signals=(*others, doubt))).build(11_000)}
    lines = {one.topic: [q.pointer.line for q in one.quotes] for one in sections["dead_ends"].claims}
    assert lines["Questioned or redirected by the user"] == [18]
    assert 9 in lines["Overruled by the user"]
    weak = replace(doubt, strength=0.2)
    sections = {one.name: one for one in Rules(replace(facts, signals=(*others, weak))).build(11_000)}
    assert "Questioned" not in words(sections["dead_ends"])


def test_of_a_session_that_is_only_a_summary_the_clients_own_wording_is_not_quoted() -> None:
    text = (
        "This session is being continued from a previous conversation that ran out of context.\n\nAnalysis:\n"
        "1. Let me look at the conversation in the order it happened.\n\nSummary:\n"
        "1. Primary request: the nightly export wrote some orders twice.\n"
        "2. The cause was an inclusive cursor in `fetch_page`.\n   It is exclusive now.\n\n"
        "If you need details from before, read the full transcript at: /home/dev/x.jsonl\n"
        "Please continue the conversation from where we left it off without asking the user any further questions."
    )
    summary = Said(2, "client", "summary", text, uuid="s2")
    made = render([summary])
    assert "inclusive cursor" in made
    assert not any(words in made for words in ("being continued", "Let me look", "read the full", "Please continue"))
    assert check(made, [summary]).quotes.keys() == {"ok"}


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


def test_what_was_overruled_is_no_mere_narration() -> None:
    session = [
        human(2, "Explain how exports are attributed to sessions."),
        agent(3, "Now I understand the full picture of exports. Each file is attributed to the newest session."),
        human(4, "No, that's wrong, you don't understand the full picture of exports, nor whose session it is."),
        agent(5, "You're right, sorry. I was wrong about that."),
    ]
    overruled = [claim for claim in build(session)["dead_ends"].claims if len(claim.quotes) == 2]
    assert [claim.quotes[0].text for claim in overruled] == ["Each file is attributed to the newest session."]


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
