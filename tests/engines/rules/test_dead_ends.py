"""Dead ends by rules: what was overruled, refused or disproved, and for how long it counts."""

from dataclasses import replace

import pytest

from tests.engines.rules.talk import ORDERS, build, fold, words
from tests.session.talk import agent, edit, human, run
from thruline.engines.rules import Rules
from thruline.session.parts import Part, Planned
from thruline.signals.people import STRONGEST
from thruline.signals.signal import Signal


def test_a_correction_is_quoted_with_what_it_overruled() -> None:
    section = build(ORDERS)["dead_ends"]
    claim = next(one for one in section.claims if one.topic == "Overruled by the user")
    assert [(quote.by, quote.pointer.line) for quote in claim.quotes] == [("agent", 8), ("human", 9)]
    assert "No, don't add a pause." in claim.quotes[1].text
    assert claim.keep


@pytest.mark.parametrize(
    ("strength", "topic"),
    [(STRONGEST, "Overruled by the user"), (STRONGEST - 0.01, "Questioned or redirected by the user")],
)
def test_only_the_strongest_tier_is_called_overruled_and_both_stand_with_what_they_answer(
    strength: float, topic: str
) -> None:
    facts = fold(ORDERS)
    signals = [
        replace(one, strength=strength) if (one.kind, one.line) == ("correction", 9) else one for one in facts.signals
    ]
    section = {one.name: one for one in Rules(replace(facts, signals=tuple(signals))).build(11_000)}["dead_ends"]
    (claim,) = [one for one in section.claims if any(quote.pointer.line == 9 for quote in one.quotes)]
    assert claim.topic == topic
    assert [quote.pointer.line for quote in claim.quotes] == [8, 9]
    assert claim.keep  # both are counted as corrections, and what is counted is cut last


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


def test_a_refused_plan_is_a_dead_end() -> None:
    session: list[Part] = [
        human(2, "Make the export safe."),
        Planned(3, "Rewrite the exporter in another language.", "proposed", call_id="p", uuid="p3"),
        Planned(4, "", "refused", call_id="p"),
        agent(5, "Fine, it stays."),
    ]
    section = build(session)["dead_ends"]
    assert any("Rewrite the exporter" in quote.text for claim in section.claims for quote in claim.quotes)


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


def test_what_was_overruled_is_no_mere_narration() -> None:
    session = [
        human(2, "Explain how exports are attributed to sessions."),
        agent(3, "Now I understand the full picture of exports. Each file is attributed to the newest session."),
        human(4, "No, that's wrong, you don't understand the full picture of exports, nor whose session it is."),
        agent(5, "You're right, sorry. I was wrong about that."),
    ]
    overruled = [claim for claim in build(session)["dead_ends"].claims if len(claim.quotes) == 2]
    assert [claim.quotes[0].text for claim in overruled] == ["Each file is attributed to the newest session."]


FAILED = [human(2, "Run the tests."), *run(3, "npm test", "error", exit_status=1)]


def find_replaced(session: list[Part]) -> list[str]:
    return [one.text for one in build(session)["dead_ends"].claims if "worked instead" in one.text]


def test_a_command_that_failed_and_was_replaced_is_a_dead_end() -> None:
    session = [*FAILED, *run(5, "npm test -- --ci"), agent(7, "They pass.")]
    assert find_replaced(session) == ["`npm test` failed; `npm test -- --ci` worked instead."]
    (claim,) = [one for one in build(session)["dead_ends"].claims if "worked instead" in one.text]
    assert (claim.topic, [one.line for one in claim.pointers]) == ("Disproved by evidence", [4, 6])


def test_a_program_that_is_not_there_is_replaced_by_the_next_that_works() -> None:
    session = [*run(3, "npm run unit", "error", exit_status=127), *run(5, "npx jest --ci")]
    assert find_replaced(session) == ["`npm run unit` failed; `npx jest --ci` worked instead."]


def test_what_passed_after_a_change_or_later_itself_was_not_replaced() -> None:
    assert find_replaced([*FAILED, *edit(5, "/home/dev/shop/a.ts"), *run(7, "npm test -- --ci")]) == []
    assert find_replaced([*FAILED, *run(5, "npm test -- --ci"), *run(7, "npm test")]) == []
    assert find_replaced([*FAILED, *run(5, "npx jest --ci")]) == []


def test_the_same_command_with_more_around_it_replaces_nothing() -> None:
    session = [*run(3, "mise run lint", "error", exit_status=1), *run(5, "mise run lint && mise run test")]
    assert find_replaced(session) == []


def test_the_same_command_from_another_folder_replaces_nothing() -> None:
    session = [*run(3, "ruff check shop/a.py", "error", exit_status=1), *run(5, "ruff check /home/dev/shop/shop/a.py")]
    assert find_replaced(session) == []


def test_asking_a_program_about_itself_replaces_nothing() -> None:
    session = [*run(3, "uv run pytest -m slow", "error", exit_status=5), *run(5, "uv run pytest --markers")]
    assert find_replaced(session) == []


def test_a_correction_that_points_back_is_quoted_with_what_it_points_to() -> None:
    pointed = "The note about receipts is new."
    others = " ".join(f"Drawer {at} holds the coins of the {at}th market day and of no other one." for at in range(12))
    session = [
        human(2, "Round the totals of the till and tell what you changed."),
        agent(3, "The totals of the till are rounded, and `till.md` has a note about receipts now."),
        human(4, f"{others} {pointed} That is wrong, it must not change. {others}"),
        agent(5, "You're right, I was wrong. The note is gone again."),
    ]
    quotes = [quote.text for claim in build(session, 1_000)["dead_ends"].claims for quote in claim.quotes]
    (said,) = [text for text in quotes if "must not change" in text]
    assert f"{pointed} That is wrong" in said


def test_what_was_typed_while_the_agent_spoke_does_not_overrule_what_it_said() -> None:
    session = [
        human(2, "Why does the footer stand at the top of the page?"),
        *run(3, "make page"),
        agent(8, "The footer of the page is placed by the template, which puts it before the body."),
        human(7, "No, that's wrong, the footer of the page must not be placed at the top."),  # queued at 7, told now
        agent(10, "You're right, I move the footer."),
    ]
    (claim,) = [one for one in build(session)["dead_ends"].claims if any("must not" in q.text for q in one.quotes)]
    assert [quote.pointer.line for quote in claim.quotes] == [7]


def test_a_correction_that_counts_is_cut_last_also_under_the_careful_name() -> None:
    facts = fold(ORDERS)
    likely = Signal("correction", "human", "Good.", 18, "u18", strength=0.55, variety="challenge")
    others = tuple(one for one in facts.signals if one.line != 18)
    sections = {one.name: one for one in Rules(replace(facts, signals=(*others, likely))).build(11_000)}
    (claim,) = [one for one in sections["dead_ends"].claims if one.topic == "Questioned or redirected by the user"]
    assert claim.keep


def test_what_a_correction_that_was_taken_back_was_about_is_not_overruled() -> None:
    claim = "I put a lantern on the north pier; that guides the ferry."
    wrong = human(4, "No, don't put a lantern there. Never use lanterns on the piers.")
    back = human(6, "Actually forget that, use the lantern on the pier after all.")
    session = [human(2, "The ferry misses the pier at night."), agent(3, claim), wrong]
    session += [agent(5, "You're right, I took the lantern away."), back, agent(7, "The lantern is on the pier again.")]
    assert claim in words(build(session[:3])["dead_ends"])
    told = build(session)["dead_ends"].claims
    assert any(one.text.startswith("Said, and taken back later") for one in told)
    assert not [one for one in told if claim in [quote.text for quote in one.quotes]]


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        ("# Plan\n\nSteps:\n\n1. Close the pier in winter.\n2. Paint it.", "Close the pier in winter."),
        ("# Plan", "# Plan"),
        ("## Close the pier\n\nNobody comes in winter. Paint it.", "Close the pier\n\nNobody comes in winter."),
        ("Close the pier in winter. Paint it.", "Close the pier in winter."),
    ],
)
def test_of_a_refused_plan_the_first_words_that_say_something_are_told(plan: str, told: str) -> None:
    proposed = Planned(4, plan, "proposed", call_id="p", uuid="p3")
    session = [human(2, "What about the pier?"), agent(3, "Here is my plan."), proposed]
    session += [Planned(5, "", "refused", call_id="p"), human(6, "No, that is wrong, boats land there all year.")]
    claims = [one for one in build([*session, agent(7, "Understood.")])["dead_ends"].claims if "A plan" in one.text]
    assert [quote.text for claim in claims for quote in claim.quotes] == [told]


def test_two_refused_plans_with_the_same_heading_are_two() -> None:
    session = [human(2, "What about the pier?"), agent(3, "Here is my plan.")]
    plans = {
        4: ("Close the pier in winter.", "No, that is the wrong way, boats land there all year."),
        8: ("Paint the pier in spring.", "No, don't paint anything, the wood has to breathe."),
    }
    for line, (plan, answer) in plans.items():
        session += [
            Planned(line, f"# Plan\n\n{plan}", "proposed", call_id=f"p{line}", uuid=f"p{line}"),
            Planned(line + 1, "", "refused", call_id=f"p{line}"),
            human(line + 2, answer),
            agent(line + 3, "Understood."),
        ]
    told = words(build(session)["dead_ends"])
    assert ("Close the pier in winter." in told, "Paint the pier in spring." in told) == (True, True)
