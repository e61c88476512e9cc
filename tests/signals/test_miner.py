"""What a session of a few parts tells: each kind of signal, from structure and from words."""

from collections.abc import Iterable

import pytest

from thruline.session import parts
from thruline.session.parts import Asked, Call, Part, Planned, Result, Rewound, Said
from thruline.signals.miner import SignalMiner, mine
from thruline.signals.signal import Signal


def human(line: int, text: str, kind: str = "turn", **more: str) -> Said:
    return Said(line, "human", kind, text, uuid=f"u{line}", **more)


def agent(line: int, text: str) -> Said:
    return Said(line, "agent", "text", text, uuid=f"u{line}")


def ran(line: int, command: str, outcome: str = parts.OK) -> list[Part]:
    return [Call(line, f"c{line}", "Bash", "run", command), Result(line + 1, f"c{line}", outcome, 10)]


def edited(line: int, path: str, before: int, after: int) -> list[Part]:
    return [
        Call(line, f"c{line}", "Edit", "edit", path, paths=(path,), before=before, after=after),
        Result(line + 1, f"c{line}", parts.OK, 10, changes=((path, "edited"),)),
    ]


def kinds(signals: Iterable[Signal], kind: str) -> list[Signal]:
    return [signal for signal in signals if signal.kind == kind]


CORRECTED = [
    human(1, "add a retry to the upload"),
    agent(2, "Done. I added a retry with a fixed delay of five seconds to `upload()`."),
    human(3, "no, that's wrong, don't use a fixed delay. use exponential backoff instead"),
    agent(4, "You're right, I apologize. Let me revert that and use exponential backoff instead."),
]


def test_a_plain_correction_is_strong_and_quotes_its_words() -> None:
    (found,) = kinds(mine(CORRECTED), "correction")
    assert found.line == 3
    assert found.uuid == "u3"
    assert found.by == "human"
    assert found.strength > 0.7
    assert found.quote in CORRECTED[2].text
    assert "exponential backoff" in found.quote
    assert found.variety in ("overrule", "error")
    assert found.about.startswith("I added a retry")


def test_a_request_and_its_approval_are_no_corrections() -> None:
    session = [
        human(1, "add a test"),
        agent(2, "Added a test. Commit it?"),
        human(3, "yes please"),
        agent(4, "Committed."),
    ]
    assert kinds(mine(session), "correction") == []
    (decided,) = kinds(mine(session), "decision")
    assert (decided.line, decided.quote) == (3, "yes please")


def test_a_refusal_with_a_reason_is_a_refusal_and_a_correction() -> None:
    session = [
        human(1, "set up the project"),
        Call(2, "c2", "Bash", "run", "npm install"),
        human(3, "use pnpm", "rejection", call_id="c2", about="Bash npm install"),
        Result(3, "c2", parts.REFUSED, 10, text="The user doesn't want to proceed with this tool use."),
        *ran(4, "pnpm install"),
    ]
    found = mine(session)
    (correction,) = kinds(found, "correction")
    (refusal,) = kinds(found, "refusal")
    assert correction.quote == refusal.quote == "use pnpm"
    assert correction.strength > 0.9
    assert refusal.about == "Bash npm install"


def test_a_refusal_without_a_reason_quotes_the_client() -> None:
    session = [
        Call(2, "c2", "Bash", "run", "rm -rf build"),
        Result(3, "c2", parts.REFUSED, 10, text="The user doesn't want to proceed.\nmore"),
    ]
    (found,) = mine(session)
    assert (found.kind, found.quote, found.about) == (
        "refusal",
        "The user doesn't want to proceed.",
        "Bash rm -rf build",
    )


def test_a_pasted_log_alone_is_no_correction() -> None:
    log = "--- FAIL: TestUpload (0.01s)\n    upload_test.go:12: wrong delay, should not be fixed\nFAIL\n"
    session = [human(1, "add a retry"), agent(2, "Done, all tests pass."), human(3, log), agent(4, "You're right.")]
    assert kinds(mine(session), "correction") == []


def test_the_same_correction_typed_again_is_told_once_the_fuller_one() -> None:
    fuller = "no, don't use a fixed delay there, use exponential backoff instead please, with jitter"
    session = [
        *CORRECTED[:2],
        human(3, "no, don't use a fixed delay there, use exponential backoff"),
        Said(4, "client", "interrupt", "[Request interrupted by user]"),
        human(5, fuller),
        agent(6, "You're right, I'll use exponential backoff with jitter."),
    ]
    (found,) = kinds(mine(session), "correction")
    assert (found.line, found.quote) == (5, fuller)


def test_a_correction_taken_back_is_marked() -> None:
    session = [*CORRECTED, human(5, "never mind, you were right about the fixed delay"), agent(6, "Okay.")]
    found = kinds(mine(session), "correction")
    assert found[0].withdrawn == 5


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ("never mind", 5),
        ("forget what I said", 5),
        ("sorry, continue", 0),
        ("my mistake, go on", 0),
        ("sorry, I was not clear: no fixed delay, use exponential backoff as I said", 0),
        ("never mind the failing lint, please go on and write the changelog entry", 0),
        ("I was wrong about the fixed delay, keep it", 5),
    ],
)
def test_only_a_retraction_of_that_very_point_takes_a_correction_back(answer: str, line: int) -> None:
    found = kinds(mine([*CORRECTED, human(5, answer), agent(6, "Okay.")]), "correction")
    assert found[0].withdrawn == line


def test_a_retraction_long_after_takes_nothing_back() -> None:
    between = [part for at in (5, 7, 9) for part in (human(at, "and the docs?"), agent(at + 1, "Written."))]
    session = [*CORRECTED, *between, human(11, "never mind, you were right about the fixed delay"), agent(12, "Okay.")]
    assert kinds(mine(session), "correction")[0].withdrawn == 0


def test_an_interrupt_says_what_was_stopped() -> None:
    session = [
        Call(1, "c1", "Bash", "run", "make all"),
        Said(2, "client", "interrupt", "[Request interrupted by user]"),
    ]
    (found,) = mine(session)
    assert (found.kind, found.quote, found.about) == ("interrupt", "[Request interrupted by user]", "Bash make all")


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


def test_an_approved_plan_is_a_decision_that_points_to_the_proposal() -> None:
    plan = "# Store sessions in SQLite\n\nOne table."
    found = mine([Planned(1, plan, "proposed", call_id="p"), Planned(2, plan, "approved", call_id="p")])
    (decided,) = kinds(found, "decision")
    assert (decided.line, decided.quote, decided.variety) == (1, "# Store sessions in SQLite", "plan")


def test_a_refused_plan_is_a_dead_end() -> None:
    found = mine([Planned(1, "Rewrite it in C", "proposed", call_id="p"), Planned(2, "", "refused", call_id="p")])
    (dead,) = kinds(found, "dead_end")
    assert (dead.quote, dead.variety) == ("Rewrite it in C", "plan")


def refused_plan(line: int, plan: str, *reason: Part) -> list[Part]:
    """A plan, its refusal by the client, and what was typed with it."""
    return [
        Call(line, f"p{line}", "Plan", "plan", plan),
        Planned(line, plan, "proposed", call_id=f"p{line}"),
        Planned(line + 1, plan, "refused", call_id=f"p{line}"),
        *reason,
        Result(line + 1, f"p{line}", parts.REFUSED, 10, text="The user doesn't want to proceed."),
    ]


@pytest.mark.parametrize(
    ("told", "where"),
    [
        ("ok, first commit the rest, then proceed with this new plan", 5),
        ("let's look at the tests first", 0),
        ("something else: which version are we on", 0),
    ],
)
def test_a_plan_refused_and_then_let_go_on_is_marked_as_taken_back(told: str, where: int) -> None:
    found = mine([*refused_plan(1, "# Report broken archives"), human(5, told), agent(6, "Okay.")])
    assert [signal.withdrawn for signal in found if signal.kind == "refusal"] == [where]
    assert [signal.withdrawn for signal in found if signal.variety == "plan"] == [where]


def test_a_plan_refused_and_approved_later_is_marked_as_taken_back() -> None:
    again = [Planned(8, "# Drain it", "proposed", call_id="q"), Planned(9, "# Drain it", "approved", call_id="q")]
    found = mine([*refused_plan(1, "# Drain it"), human(5, "hm, what about locks"), agent(6, "None."), *again])
    assert [signal.withdrawn for signal in kinds(found, "dead_end")] == [9]
    assert [(signal.line, signal.withdrawn) for signal in kinds(found, "decision") if signal.variety == "plan"] == [
        (8, 0)
    ]


def test_a_reason_typed_with_the_refusal_of_a_plan_stands() -> None:
    reason = human(2, "go ahead, but without the second step", "rejection", call_id="p1")
    found = mine([*refused_plan(1, "# Drain it", reason), agent(5, "Okay.")])
    (refusal,) = kinds(found, "refusal")
    assert (refusal.quote, refusal.withdrawn) == ("go ahead, but without the second step", 0)


def test_each_refusal_keeps_its_typed_reason_where_the_same_was_typed_twice() -> None:
    session: list[Part] = []
    for line, reason in (
        (1, "no no, please use the other queue instead"),
        (5, "no, please use the other queue instead"),
    ):
        session += [
            Call(line, f"c{line}", "Bash", "run", "make"),
            human(line + 1, reason, "rejection", call_id=f"c{line}"),
            Result(line + 1, f"c{line}", parts.REFUSED, 10, text="The user doesn't want to proceed."),
            agent(line + 2, "Sorry."),
        ]
    found = mine(session)
    assert [signal.quote for signal in kinds(found, "refusal")] == [session[1].text, session[5].text]  # type: ignore[attr-defined]
    assert len(kinds(found, "correction")) == 1


def test_a_command_that_failed_and_gave_way_is_a_dead_end() -> None:
    found = mine([*ran(1, "pytest tests -x", parts.ERROR), *ran(3, "pytest tests --lf")])
    (dead,) = kinds(found, "dead_end")
    assert (dead.quote, dead.about, dead.variety) == ("pytest tests -x", "pytest tests --lf", "command")
    assert [signal.quote for signal in kinds(found, "command")] == ["pytest tests --lf"]


def test_a_command_that_failed_and_then_passed_is_no_dead_end() -> None:
    found = mine([*ran(1, "make test", parts.ERROR), *ran(3, "make test")])
    assert kinds(found, "dead_end") == []
    assert [signal.line for signal in kinds(found, "command")] == [3]


def test_an_edit_put_back_is_a_dead_end() -> None:
    found = mine([*edited(1, "/a.py", 11, 22), *edited(3, "/b.py", 22, 11), *edited(5, "/a.py", 22, 11)])
    (dead,) = kinds(found, "dead_end")
    assert (dead.line, dead.quote, dead.variety, dead.about) == (5, "/a.py", "edit_undone", "edit at L1")


def test_an_edit_that_only_ends_in_the_same_words_undoes_nothing() -> None:
    assert kinds(mine([*edited(1, "/a.py", 11, 22), *edited(3, "/a.py", 33, 11)]), "dead_end") == []


def test_what_a_rewind_left_behind_is_a_dead_end() -> None:
    found = mine([human(1, "start"), agent(2, "Ok."), human(3, "try threads"), agent(4, "Done."), Rewound(5, 3, 4)])
    (dead,) = kinds(found, "dead_end")
    assert (dead.line, dead.quote, dead.variety) == (3, "try threads", "rewind")


def test_a_stopped_subagent_is_a_dead_end() -> None:
    call = Call(1, "c1", "Task", "delegate", "Look for leaks")
    (dead,) = mine([call, Result(2, "c1", parts.INTERRUPTED, 10)])
    assert (dead.kind, dead.quote, dead.variety) == ("dead_end", "Look for leaks", "subagent")


def test_the_agents_words_tell_hypotheses_reversals_intents_and_conclusions() -> None:
    session = [
        human(1, "why does it hang"),
        agent(2, "I suspect the lock is never released."),
        *ran(3, "make test", parts.ERROR),
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
    found = mine([human(1, "go"), agent(2, "I'll read the file next."), *ran(3, "make test"), human(5, "stop")])
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


def test_files_and_commits_are_told_by_the_record() -> None:
    commit = [
        Call(5, "c5", "Bash", "run", "git commit -m x"),
        Result(6, "c5", parts.OK, 10, commits=(("abc1234", "Add it"),)),
    ]
    found = mine([*edited(1, "/a.py", 1, 2), *commit])
    (file,) = kinds(found, "file")
    assert (file.quote, file.variety, file.line) == ("/a.py", "edited", 1)
    (made,) = kinds(found, "commit")
    assert (made.quote, made.about, made.line) == ("Add it", "abc1234", 6)


@pytest.mark.parametrize(
    ("told", "answer"),
    [
        (
            "nein, das ist falsch, bitte rückgängig machen und stattdessen pnpm verwenden",
            "Du hast recht, Entschuldigung.",
        ),
        ("no, eso está mal, revierte el cambio y usa pnpm en vez de npm", "Tienes razón, perdón."),
        ("いや、違います。元に戻して、代わりにpnpmを使ってください", "おっしゃる通りです。申し訳ありません。"),
        ("不对，错了，撤销这个修改，改成 pnpm", "你说得对，抱歉。"),
        ("нет, это неправильно, откати и используй вместо этого pnpm", "Вы правы, извините."),
    ],
)
def test_a_plain_correction_is_found_in_other_languages_too(told: str, answer: str) -> None:
    found = kinds(mine([human(1, "x"), agent(2, "npm."), human(3, told), agent(4, answer)]), "correction")
    assert [signal.line for signal in found] == [3]


def test_what_subagents_say_is_not_said_to_a_person() -> None:
    miner = SignalMiner()
    for part in [
        Said(1, "agent", "text", "I suspect the cache.", source="a1"),
        Said(2, "agent", "text", "That was not it. Shall I go on?", source="a1"),
    ]:
        miner.see(part)
    assert miner.finish() == []
