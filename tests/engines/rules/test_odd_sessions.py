"""Sessions that are empty, short, foreign, without a person or full of secrets still make a true brief."""

import random

import pytest

from tests.brief.sessions import check_text
from tests.engines.rules.talk import build, render, words
from tests.session.talk import agent, edit, human, run
from thruline.brief.section import NAMES
from thruline.session.parts import Asked, Changed, Part, Said, Tasks


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
    assert check_text(text, [summary]).quotes["ok"] == 1


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
    report = check_text(text, session)
    assert report.quotes["ok"] == report.quotes.total()


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
    assert check_text(text, session).quotes.keys() == {"ok"}


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
    assert check_text(text, session).quotes.keys() == {"ok"}


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
    assert check_text(made, [summary]).quotes.keys() == {"ok"}
