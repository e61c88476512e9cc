"""What was left open is told by structure, whatever was said about it."""

import pytest

from tests.engines.rules.talk import ABSENT, build, words
from tests.session.talk import agent, edit, human, refuse, run
from thruline.engines.rules import GitState
from thruline.gitfacts import Branch, Commit, Status
from thruline.session.parts import Asked, Call, Part, Result, Tasks

FILE = "/home/dev/shop/src/export.py"


def told(session: list[Part], git: GitState = ABSENT) -> str:
    return words(build(session, git=git)["open_threads"])


@pytest.mark.feature("F001-25", via="unit")
def test_the_last_words_are_open_where_nobody_answered() -> None:
    text = told([human(2, "Fix the export."), agent(3, "It is fixed."), human(4, "Which pages overlapped?")])
    assert "not answered" in text
    assert "Which pages overlapped?" in text


def test_all_that_was_typed_and_not_heard_is_open() -> None:
    typed = ["please look at the buoys too", "like the harbour does: by the tide", "and paint the pier"]
    queued = [human(3 + at, text, "queued") for at, text in enumerate(typed)]
    text = told([human(2, "Fix the export."), agent(9, "It is fixed."), *queued])
    assert "The last things the user said were not answered." in text
    assert all(one in text for one in typed)


def test_what_the_agent_went_on_from_is_heard() -> None:
    session = [human(2, "Fix the buoys."), *run(3, "make"), human(5, "Which pier is it?")]
    assert "Fix the buoys." not in told(session)
    assert "The last thing the user said was not answered." in told(session)


def test_a_correction_that_nobody_heard_stands_among_the_dead_ends() -> None:
    wrong = human(4, "No, don't paint the pier. Revert that.", "queued")
    sections = build([human(2, "Fix it."), agent(3, "I painted the pier."), wrong, human(5, "Which buoy is it?")])
    assert wrong.text in words(sections["dead_ends"])
    assert wrong.text not in words(sections["open_threads"])


@pytest.mark.feature("F001-25", via="unit")
def test_tasks_that_are_not_done_are_open() -> None:
    items = (("Write the test", "pending"), ("Fix the cursor", "in_progress"), ("Read the code", "completed"))
    text = told([human(2, "Fix the export."), Tasks(3, items), agent(4, "So far so good.")])
    assert "Write the test" in text
    assert "Fix the cursor" in text
    assert "Read the code" not in text


def test_a_change_that_failed_and_was_not_made_again_is_open() -> None:
    failed = [
        Call(3, "c3", "Edit", "edit", FILE, paths=(FILE,)),
        Result(4, "c3", "error", 10, text="String to replace not found in file."),
    ]
    assert "failed and was not made again" in told([human(2, "Fix it."), *failed, agent(5, "Hm.")])
    assert "not made again" not in told([human(2, "Fix it."), *failed, *edit(5, FILE), agent(7, "Done.")])


def test_a_refused_change_is_told_and_one_made_later_is_a_conflict() -> None:
    assert "Refused by the user and not made since" in told([human(2, "Fix it."), *refuse(3, FILE)])
    text = told([human(2, "Fix it."), *refuse(3, FILE), *edit(5, FILE), agent(7, "Done.")])
    assert "was refused, and the file was changed after that" in text


FAILED = [*run(3, "make lint 2>&1", "error", exit_status=2), *run(5, "make lint 2>&1", "error", exit_status=2)]


def test_a_command_that_failed_each_time_is_open() -> None:
    assert "`make lint 2>&1` failed when it last ran, exit 2" in told([human(2, "Mend it."), *FAILED, agent(9, "Hm.")])
    assert "failed when" in told([human(2, "Mend it."), *FAILED, *run(7, "make lint-docs"), agent(9, "Hm.")])


@pytest.mark.parametrize(
    "later",
    ["make lint", "make lint | tail -5", "cd /srv/shop && make lint", "make a && make lint 2>&1 | grep -v ok"],
)
def test_a_command_that_passed_later_in_another_dress_is_not_open(later: str) -> None:
    assert "failed when" not in told([human(2, "Mend it."), *FAILED, *run(7, later), agent(9, "Done.")])


def test_no_match_is_no_failure() -> None:
    command = "cd src && rg -n 'a|b' 2>&1 | head -3"
    search = [part for line in (3, 5) for part in run(line, command, "error", exit_status=1)]
    assert "failed when" not in told([human(2, "Look."), *search, agent(9, "Nothing.")])


def test_edits_after_the_last_run_are_untested_and_edits_before_it_are_not() -> None:
    assert "untested" in told([*run(3, "pytest"), *edit(5, FILE)])
    assert "untested" not in told([*edit(3, FILE), *run(5, "pytest")])


def test_what_was_changed_after_the_last_commit_is_named() -> None:
    commit = run(3, "git commit -m x", commits=(("9f8e7d6", "x"),))
    assert "not committed by the session: `src/export.py`" in told([*commit, *edit(5, FILE)])
    assert "not committed" not in told([*edit(2, FILE), *commit])


def test_a_question_put_with_a_tool_and_not_answered_is_open() -> None:
    assert "Which flag?" in told([human(2, "Rename it."), Asked(3, "Which flag?", ("--a", "--b"), "")])


@pytest.mark.feature("F001-26", via="unit")
def test_an_intent_without_a_change_is_a_flag_to_verify() -> None:
    session = [human(2, "Fix the export of orders."), agent(3, "The export is fixed. Next I will update nightly.sh.")]
    (claim,) = [one for one in build(session)["open_threads"].claims if "announced" in one.text]
    assert claim.flag
    assert "nightly.sh" in claim.quotes[0].text


@pytest.mark.feature("F001-26", via="unit")
def test_an_intent_that_git_shows_done_is_no_flag() -> None:
    session = [human(2, "Fix the export of orders."), agent(3, "The export is fixed. Next I will update nightly.sh.")]
    done = Commit("1a2b3c4d" * 5, "2026-01-01T00:00:00Z", "Jane", "Update nightly.sh to the new flag")
    git = GitState("", Status(Branch("main", "1a2b3c4d" * 5), (), (), ()), (done,))
    assert "announced" not in told(session, git)


@pytest.mark.parametrize(
    "said",
    [
        "The remaining change in nightly.sh is only the pinned version.",
        "We should also say in nightly.sh which flag is meant.",
        "If you like it, I'll update nightly.sh.",
        "nightly.sh has not been run against staging.",
    ],
)
def test_what_nobody_said_they_will_do_was_not_announced(said: str) -> None:
    assert "announced" not in told([human(2, "Fix the export."), agent(3, f"The export is fixed. {said}")])


def test_an_intent_before_a_change_or_two_turns_ago_is_no_flag() -> None:
    will = agent(30, "The export is fixed. Next I will update nightly.sh.")
    assert "announced" in told([human(2, "Fix it."), will, human(31, "Fine."), agent(32, "Good.")])
    assert "announced" not in told([human(2, "Fix it."), will, *edit(31, FILE), agent(33, "Edited.")])
    later = [human(31, "Fine."), agent(32, "Good."), human(33, "And the docs?"), agent(34, "They are written.")]
    assert "announced" not in told([human(2, "Fix it."), will, *later])


def test_why_a_change_failed_is_quoted_without_the_tag_around_it() -> None:
    session: list[Part] = [
        human(2, "Fix the export."),
        Call(3, "c3", "Edit", "edit", "/home/dev/shop/a.py", paths=("/home/dev/shop/a.py",)),
        Result(4, "c3", "error", 10, text="<tool_use_error>The file was not read yet.</tool_use_error>", uuid="r4"),
        agent(5, "I leave it."),
    ]
    (claim,) = [one for one in build(session)["open_threads"].claims if "failed and was not made again" in one.text]
    assert [(quote.by, quote.text) for quote in claim.quotes] == [("tool", "The file was not read yet.")]


def test_a_handle_of_a_command_in_the_background_is_no_command_that_failed() -> None:
    failed = [part for line in (3, 5) for part in run(line, "dce0af", "error")]
    session: list[Part] = [human(2, "Fix the export."), *failed, agent(7, "Done.")]
    assert "dce0af" not in words(build(session)["open_threads"])
    named = [part for line in (3, 5) for part in run(line, "pytest", "error")]
    assert "`pytest` failed" in words(build([human(2, "Fix the export."), *named, agent(7, "Done.")])["open_threads"])


def test_a_turn_that_was_not_ended_is_told_with_what_was_asked_for_in_it() -> None:
    begun = [
        human(4, "Please show the tide:\nbeside each berth."),
        agent(5, "Let me look at the berths."),
        *run(6, "ls"),
    ]
    text = told([human(2, "Fix the export."), agent(3, "It is fixed."), *begun])
    assert "The session ends in the middle of a turn." in text
    assert "Please show the tide:\nbeside each berth." in text


@pytest.mark.parametrize("said", ["yes", "No, that is wrong. Never show the tide beside a berth."])
def test_what_says_nothing_or_stands_elsewhere_is_not_told_as_asked_for(said: str) -> None:
    begun = [human(4, said), agent(5, "Let me look at the berths."), *run(6, "ls")]
    text = told([human(2, "Show the tide."), agent(3, "It stands beside each berth."), *begun])
    assert "The session ends in the middle of a turn." in text
    assert said not in text


def test_the_question_that_a_session_ends_with_is_told_in_a_small_brief_too() -> None:
    asked = (
        "Would you like me to think further about one crew for the berths, or should I paint the mole first and "
        "come back to the crew for the berths when that is dry?"
    )
    report = [f"The crew of `berth_{at}` needs to paint the mole first." for at in range(14)]
    session = [human(2, "Look at the berths and tell me."), agent(3, "\n".join([*report, asked]))]
    assert asked in words(build(session, 900)["open_threads"])


LEFT = "The pier is painted.\n\n## {}\n\nThe bollards are bare. A second coat goes on in spring."


@pytest.mark.parametrize(
    ("heading", "owed"), [("What is left", True), ("Why a coat is still needed", False), ("Done", False)]
)
def test_what_stands_below_a_heading_that_says_so_is_left(heading: str, owed: bool) -> None:
    text = told([human(2, "Paint it."), agent(3, LEFT.format(heading))])
    assert ("A second coat goes on in spring." in text) is owed


@pytest.mark.parametrize(
    "words",
    ["TODO comments in `coats.py` name the second coat.", "The second coat in `coats.py` is marked as TODO."],
)
def test_what_was_left_as_a_note_in_the_code_is_open_though_the_file_was_committed(words: str) -> None:
    commit = run(6, "git commit -am x", commits=(("bc4d18f", "One coat for the pier in coats.py"),))
    session = [
        human(2, "Paint it."),
        *edit(3, FILE),
        agent(5, words),
        human(6, "commit it"),
        *commit,
        agent(9, "Committed."),
    ]
    assert words in told(session)


def test_what_waits_for_the_user_to_want_it_is_open() -> None:
    assert "Ready for the launch when you want to sail." in told(
        [human(2, "Paint it."), agent(3, "The pier is painted. Ready for the launch when you want to sail.")]
    )


@pytest.mark.parametrize(
    ("sentence", "owed"),
    [
        ("The pier is waiting for approval of the harbour master.", True),
        ("Two berths are awaiting your answer.", True),
        ("The ferry waits for passengers at the gate.", False),
    ],
)
def test_what_waits_for_somebody_is_open(sentence: str, owed: bool) -> None:
    session = [human(2, "Paint it."), *edit(3, FILE), agent(5, f"The pier is painted. {sentence}")]
    assert (sentence in told(session)) is owed


PYTEST_FAILED = "`pytest -q` failed when it last ran"


@pytest.mark.parametrize(
    ("later", "owed"),
    [
        ([], True),
        (run(7, "ls tests"), True),
        (run(7, "pytest -q"), False),
        (run(7, "cd tests && pytest"), False),
        (run(7, "pytest -q tests/test_one.py"), True),
    ],
)
def test_a_check_that_failed_once_and_passed_never_again_is_open(later: list[Part], owed: bool) -> None:
    said = agent(9, "All done. The tests pass and everything works now.")
    session = [human(2, "Fix it."), *edit(3, FILE), *run(5, "pytest -q", "error", exit_status=1), *later, said]
    assert (PYTEST_FAILED in words(build(session)["open_threads"])) is owed
    assert (PYTEST_FAILED in words(build(session, 2_000)["open_threads"])) is owed


def test_a_single_failure_of_anything_else_is_an_attempt() -> None:
    session = [human(2, "Fix it."), *run(3, "git push", "error"), agent(5, "It is fixed.")]
    assert "failed when it last ran" not in words(build(session)["open_threads"])


@pytest.mark.parametrize(
    ("outcome", "untested"), [("ok", False), ("error", False), ("unknown", False), ("refused", True)]
)
def test_something_ran_after_the_last_edit_however_it_ended(outcome: str, untested: bool) -> None:
    session = [human(2, "Fix it."), *edit(3, FILE), *run(5, "pytest -q", outcome), agent(7, "It is fixed.")]
    assert ("nothing ran after the last edit" in words(build(session)["open_threads"])) is untested


def test_a_command_that_ran_after_the_last_edit_ran_though_it_was_refused_later() -> None:
    session = [human(2, "Fix it."), *edit(3, FILE), *run(5, "pytest -q"), *run(7, "pytest -q", "refused")]
    assert "nothing ran after the last edit" not in words(build(session)["open_threads"])


def test_a_file_that_was_made_and_removed_again_is_neither_untested_nor_uncommitted() -> None:
    session = [human(2, "Try it."), *edit(3, FILE, "created"), *run(5, f"rm {FILE}", changes=((FILE, "deleted"),))]
    text = words(build([*session, agent(7, "It is gone.")])["open_threads"])
    assert "uncommitted" not in text
    assert "untested" not in text


PRINTED = "remote: Permission denied to the bot.\nfatal: unable to access the harbour\nError: exit code 1"


@pytest.mark.parametrize(
    ("pasted", "untested"),
    [(f"now I get this:\n{PRINTED}", False), (f"```\n{PRINTED}\n```", False), ("Looks fine to me, thanks.", True)],
)
def test_a_run_that_the_user_pasted_is_a_run(pasted: str, untested: bool) -> None:
    session = [human(2, "Fix it."), *edit(3, FILE), agent(5, "Try it."), human(6, pasted), agent(7, "Let us see.")]
    assert ("nothing ran after the last edit" in words(build(session)["open_threads"])) is untested
    before = [human(2, pasted), *edit(3, FILE), agent(5, "It is fixed.")]
    assert "nothing ran after the last edit" in words(build(before)["open_threads"])
