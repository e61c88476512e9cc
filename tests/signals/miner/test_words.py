"""What people settle and ask, and what the agent says it found, intends or gave up."""

import pytest

from tests.session.talk import agent, human, run
from tests.signals.miner.kinds import kinds
from thruline.session import parts
from thruline.session.parts import ALLOWED, Asked, Planned, Said
from thruline.signals.miner import SignalMiner, mine


@pytest.mark.parametrize("text", ["From now on always run the linter.", "never commit to main", "use pnpm"])
def test_a_rule_is_a_constraint(text: str) -> None:
    found = kinds(mine([agent(1, "Done."), human(2, text), agent(3, "Understood.")]), "constraint")
    assert [signal.quote for signal in found] == [text]


def test_each_lasting_rule_of_a_message_is_told() -> None:
    text = "Two rules for what comes next: never change the column order. And always keep the header."
    found = kinds(mine([agent(1, "Done."), human(2, text), agent(3, "Understood.")]), "constraint")
    assert [signal.quote for signal in found] == [text[:61], text[62:]]


def test_an_answer_to_a_question_is_a_decision_and_no_answer_an_open_question() -> None:
    found = mine([Asked(1, "Which store?", ("sqlite", "files"), "sqlite"), Asked(2, "Which port?", (), "")])
    (decided,) = kinds(found, "decision")
    assert (decided.quote, decided.about, decided.variety) == ("sqlite", "Which store?", "answer")
    (opened,) = kinds(found, "question")
    assert (opened.quote, opened.by) == ("Which port?", "agent")


def test_what_is_typed_to_answer_a_question_is_one_decision_and_a_remark_beside_an_allowed_call_is_none() -> None:
    typed = "yes, go with files, one per day"
    asked = Asked(1, "Which store?", ("sqlite", "memory"), typed)
    (decided,) = kinds(mine([asked, Said(1, "human", "answer", typed, about="Which store?")]), "decision")
    assert (decided.quote, decided.strength) == (typed, 0.95)
    remark = Said(3, "human", "answer", "are the blobs in there as well?", about=ALLOWED)
    assert kinds(mine([agent(1, "Let me read it."), remark, agent(4, "They are.")]), "decision") == []


def test_an_approved_plan_is_a_decision_that_points_to_the_proposal() -> None:
    plan = "# Store sessions in SQLite\n\nOne table."
    found = mine([Planned(1, plan, "proposed", call_id="p"), Planned(2, plan, "approved", call_id="p")])
    (decided,) = kinds(found, "decision")
    assert (decided.line, decided.quote, decided.variety) == (1, "# Store sessions in SQLite", "plan")


def test_the_agents_words_tell_hypotheses_reversals_intents_and_conclusions() -> None:
    session = [
        human(1, "why does it hang"),
        agent(2, "I suspect the lock is never released."),
        *run(3, "make test", parts.ERROR),
        agent(5, "That was not it. The lock is fine."),
        agent(6, "Fixed: the queue was never drained. Next, I will add a test for it."),
    ]
    found = mine(session)
    assert kinds(found, "hypothesis")[0].quote == "I suspect the lock is never released."
    assert kinds(found, "reversal")[0].quote == "That was not it. The lock is fine."
    assert kinds(found, "conclusion")[0].quote == "Fixed: the queue was never drained."
    assert kinds(found, "intent")[0].quote == "Next, I will add a test for it."


def test_a_heading_is_no_conclusion_the_sentence_below_it_is() -> None:
    found = mine(
        [human(1, "go"), agent(2, "## Fixed and verified:\n\n**Root cause found**\n\nThe fix drains the queue.")]
    )
    assert [signal.quote for signal in kinds(found, "conclusion")] == ["The fix drains the queue."]


def test_narration_in_the_middle_of_a_turn_is_no_intent() -> None:
    found = mine([human(1, "go"), agent(2, "I'll read the file next."), *run(3, "make test"), human(5, "stop")])
    assert kinds(found, "intent") == []


def test_every_turn_has_its_own_end() -> None:
    found = mine(
        [human(1, "go"), agent(2, "The parser is fixed."), human(3, "and now"), agent(4, "The test is fixed.")]
    )
    assert [signal.line for signal in kinds(found, "conclusion")] == [2, 4]


def test_a_question_that_nobody_answered_is_open_and_one_answered_is_not() -> None:
    asked = [human(1, "look at it"), agent(2, "Two ways are possible. Which one do you want?")]
    (opened,) = kinds(mine(asked), "question")
    assert opened.quote == "Which one do you want?"
    assert kinds(mine([*asked, human(3, "the first one"), agent(4, "Fine.")]), "question") == []


def test_a_persons_last_question_without_an_answer_is_open() -> None:
    (opened,) = kinds(mine([agent(1, "Done."), human(2, "what about Windows?")]), "question")
    assert (opened.by, opened.quote) == ("human", "what about Windows?")


def test_what_subagents_say_is_not_said_to_a_person() -> None:
    miner = SignalMiner()
    for part in [
        Said(1, "agent", "text", "I suspect the cache.", source="a1"),
        Said(2, "agent", "text", "That was not it. Shall I go on?", source="a1"),
    ]:
        miner.see(part)
    assert miner.finish() == []
