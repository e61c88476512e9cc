"""What was asked for, announced or said to be missing is not owed once it was done."""

import pytest

from tests.engines.rules.talk import build, words
from tests.session.talk import agent, edit, human, refuse, run
from thruline.engines.rules.settled import share_most
from thruline.engines.rules.terms import find_terms
from thruline.session.parts import Asked, Part, Tasks

FILE = "/home/dev/shop/src/invoice.py"
ASK = human(2, "The totals of an invoice are off by a cent.")
# Later turns push nothing out of the part of a session in which open threads are looked for.
LATER = [human(40, "Thanks."), agent(41, "You are welcome.")]


def told(session: list[Part]) -> str:
    return words(build(session)["open_threads"])


def everything(session: list[Part]) -> str:
    return "\n".join(map(words, build(session).values()))


SAID = "Rounding moved to the sum. The fixture `invoice_eu.json` still needs a row with two tax rates."


def test_what_the_agent_called_missing_is_open_while_nobody_did_it() -> None:
    assert "two tax rates" in told([ASK, *edit(3, FILE), agent(5, SAID), *LATER])


@pytest.mark.parametrize(
    "deed",
    [
        edit(21, "/home/dev/shop/tests/invoice_eu.json"),
        run(21, "git commit -am x", commits=(("1a2b3c4", "Add two tax rates to the fixture"),)),
        run(21, "pytest tests -k 'fixture and tax'"),
    ],
)
def test_work_on_it_settles_what_was_called_missing(deed: list[Part]) -> None:
    asked = [human(20, "Do that."), *deed, agent(23, "There it is.")]
    assert "two tax rates" not in told([ASK, *edit(3, FILE), agent(5, SAID), *asked])


def test_a_command_that_failed_settles_nothing() -> None:
    failed = run(21, "pytest tests -k 'fixture and tax'", "error", exit_status=1)
    session = [ASK, *edit(3, FILE), agent(5, SAID), human(20, "Do that."), *failed, agent(23, "Hm, the runner broke.")]
    assert "two tax rates" in told(session)


def test_a_later_report_settles_what_was_called_missing() -> None:
    report = [human(20, "I did the fixture by hand."), agent(21, "Confirmed: `invoice_eu.json` has both rates now.")]
    assert "two tax rates" not in told([ASK, *edit(3, FILE), agent(5, SAID), *report])


def test_what_was_left_for_later_in_so_many_words_stays_open() -> None:
    said = "The credit notes in `invoice.py` are out of scope here."
    session = [ASK, *edit(3, FILE), agent(5, said), human(20, "Yes. Rename the helper."), *edit(21, FILE)]
    assert "credit notes" in told([*session, agent(23, "Renamed.")])


def test_a_need_named_on_the_way_is_the_next_step_and_not_owed() -> None:
    session = [ASK, agent(3, "The snapshot needs to be written anew for this."), *edit(4, FILE), agent(6, "Done.")]
    assert "snapshot" not in told(session)


def test_a_need_named_before_nothing_more_was_done_is_owed() -> None:
    need = agent(5, "The snapshot `invoice.snap` needs to be written anew, now that the totals are summed up first.")
    assert "invoice.snap" in told([ASK, *edit(3, FILE), need, agent(6, "Hm.")])
    assert "invoice.snap" not in told([ASK, *edit(3, FILE), need, *run(6, "pytest"), agent(8, "Hm.")])


@pytest.mark.parametrize(
    "said",
    [
        "It filters by `pending_rows` and `blocked_rows`.",
        "The parser takes `next` and `todo` as plain words.",
        "No stale rate remains in the tables.",
        "All TODO items of the importer have been addressed.",
        "The rate only needs to be set in one place.",
        "Each uncommitted draft has one total now.",
        "A visit to the shop → Next.js serves the page of the basket.",
        "The page remains responsive while totals are summed up.",
        "Run it with --all when you need to rebuild every total.",
    ],
)
def test_words_of_an_open_thread_that_say_something_else_open_none(said: str) -> None:
    assert said not in told([ASK, *edit(3, FILE), *run(5, "pytest"), agent(7, said)])


@pytest.mark.parametrize(
    "said",
    [
        "The importer is still untested.",
        "What remains to do is the credit notes.",
        "The changes are uncommitted.",
        "The migration has not been run.",
        "Remaining work: the credit notes.",
        "The credit notes are deferred to a separate ticket.",
    ],
)
def test_what_is_left_is_open(said: str) -> None:
    assert said in told([ASK, *edit(3, FILE), *run(5, "pytest"), agent(7, f"The totals are right. {said}")])


@pytest.mark.parametrize("then", [edit(21, "/home/dev/shop/docs/rates.md"), run(21, "make rates")])
def test_a_promise_that_was_kept_is_no_flag(then: list[Part]) -> None:
    will = agent(19, "The totals are right. Next I will write the rates page and make the rates anew.")
    assert "announced" in told([ASK, will])
    assert "announced" not in told([ASK, will, human(20, "Go on."), *then, agent(23, "There.")])


def test_a_question_that_the_user_answered_in_words_of_their_own_is_not_open() -> None:
    asked = Asked(5, "Round half up or half even?", ("up", "even"), "")
    assert "half even" in told([ASK, asked])
    typed = [human(6, "Half even, as the bank does."), *edit(7, FILE), agent(9, "Done.")]
    assert "Round half up" not in told([ASK, asked, *typed])


BEGUN = Tasks(5, (("Move the rounding", "completed"), ("Run the checks", "in_progress")))


def test_a_task_begun_is_open_while_its_turn_lasts() -> None:
    assert "Run the checks" in told([ASK, *edit(3, FILE), BEGUN, agent(6, "Now the checks.")])


def test_a_task_begun_is_not_owed_once_its_work_was_seen() -> None:
    assert "Run the checks" not in told([ASK, *edit(3, FILE), BEGUN, *run(6, "make checks && run all"), agent(8, "ok")])


def test_a_task_begun_is_not_owed_once_the_user_took_the_end_of_its_turn() -> None:
    worked = [ASK, *edit(3, FILE), BEGUN, *edit(6, "/home/dev/shop/setup.cfg"), agent(8, "All green.")]
    assert "Run the checks" not in told([*worked, human(9, "Good. What is in the changelog?"), agent(10, "Nothing.")])
    stopped = [ASK, *edit(3, FILE), BEGUN, agent(8, "Shall I?"), human(9, "Wait."), agent(10, "I wait.")]
    assert "Run the checks" in told(stopped)


def test_a_task_never_begun_stays_open_whatever_was_done() -> None:
    tasks = Tasks(5, (("Write the rates page", "pending"),))
    done = [*edit(6, "/home/dev/shop/docs/rates.md"), agent(8, "Half of it."), human(9, "Good."), agent(10, "Yes.")]
    assert "Write the rates page" in told([ASK, tasks, *done])


def test_a_refusal_that_the_user_spoke_after_is_a_dead_end_and_nothing_owed() -> None:
    session = [ASK, *refuse(3, FILE), human(5, "Leave the invoice alone for now."), agent(6, "As you like.")]
    assert "Refused" not in told(session)
    assert "Refused, and not made since: changes to `src/invoice.py`" in words(build(session)["dead_ends"])
    made = [*session, human(7, "Now you may."), *edit(8, FILE), agent(10, "Done.")]
    assert "not made since" not in everything(made)


def test_a_change_made_again_after_a_word_of_the_user_is_no_conflict() -> None:
    refused = [ASK, *refuse(3, FILE)]
    assert "was refused, and the file was changed" in told([*refused, *edit(5, FILE), agent(7, "Done.")])
    spoken = [*refused, human(5, "Only the sum, please."), *edit(6, FILE), agent(8, "Done.")]
    assert "was refused, and the file was changed" not in told(spoken)


def test_a_command_is_not_failing_whose_steps_passed_one_by_one() -> None:
    both = [part for line in (3, 5) for part in run(line, "make test && make lint", "error", exit_status=1)]
    assert "failed when" in told([ASK, *both, *run(7, "make test"), agent(9, "Hm.")])
    assert "failed when" not in told([ASK, *both, *run(7, "make test"), *run(9, "make lint"), agent(11, "Done.")])


def test_a_path_named_in_full_is_the_same_path() -> None:
    failed = [part for line in (3, 5) for part in run(line, "ruff check src/invoice.py", "error", exit_status=1)]
    assert "failed when" not in told([ASK, *failed, *run(7, f"ruff check {FILE}"), agent(9, "Done.")])


def test_a_session_cut_off_in_a_turn_tells_what_the_agent_was_about_to_do() -> None:
    text = told([ASK, *edit(3, FILE), agent(5, "The sum is right. Now the credit notes."), *run(6, "make notes")])
    assert "in the middle of a turn" in text
    assert "Now the credit notes." in text


def test_a_text_that_was_written_last_is_not_untested() -> None:
    assert "untested" not in told([ASK, *edit(3, FILE), *run(5, "pytest"), *edit(7, "/home/dev/shop/README.md")])
    assert "untested" in told([ASK, *run(3, "pytest"), *edit(5, FILE), *edit(7, "/home/dev/shop/README.md")])


def test_what_speaks_of_a_title_has_a_name_of_it_or_half_of_its_words() -> None:
    title = find_terms("4 broken buoys before the eastern mole in `lights.toml`")
    assert share_most(title, find_terms("cat lights.toml"))
    assert share_most(title, find_terms("broken buoys of the eastern mole"))
    assert not share_most(title, find_terms("broken buoys"))
    assert not share_most(title, find_terms("wait 4"))
