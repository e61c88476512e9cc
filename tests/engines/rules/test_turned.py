"""Where the agent went another way, the words that say why are a dead end: what was tried, what spoke against it."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.engines.rules.talk import LAST, build, fold, render, words
from tests.session.talk import agent, edit, human, run
from thruline.brief.section import Claim
from thruline.brief.wording import ANOTHER_WAY
from thruline.engines.rules.reverted import Undoing
from thruline.engines.rules.terms import find_terms
from thruline.engines.rules.turned import COST, LEAST, SHARE, TOLD, build_turned, choose_turned
from thruline.session import parts
from thruline.session.parts import Call, Part, Result
from thruline.signals.people import STRONGEST
from thruline.value import replace

PATH = "/home/dev/shop/schema.py"
OTHER = "/home/dev/shop/queue.py"
ASKED = human(2, "Let the orders table forget its old note column.")


def find(*session: Part) -> list[Claim]:
    return [claim for _, claim in build_turned(fold(session))]


def fails(line: int, command: str, text: str = "") -> list[Part]:
    return run(line, command, parts.ERROR, exit_status=1, text=text)


def after_failure(said: str, command: str = "pytest tests/test_schema.py") -> list[Part]:
    """An edit, a command that fails, the agent's words, an edit of the same file."""
    return [ASKED, *edit(3, PATH), *fails(5, command), agent(7, said), *edit(8, PATH), *run(10, command), *LAST]


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        (
            "The migration fails because SQLite cannot drop a column. I'll rebuild the table through a copy instead.",
            "The migration fails because SQLite cannot drop a column. I'll rebuild the table through a copy instead.",
        ),
        (
            "Hm. The lock is taken twice, so every second writer waits forever. I need to rethink who owns the lock.",
            "The lock is taken twice, so every second writer waits forever. I need to rethink who owns the lock.",
        ),
        (
            "The checker found duplicated fixtures in both suites. Let me refactor them into one parametrized case:",
            "The checker found duplicated fixtures in both suites. Let me refactor them into one parametrized case:",
        ),
        (
            "Der Test scheitert, weil die Spalte nicht gelöscht werden kann. Stattdessen baue ich die Tabelle neu auf.",
            "Der Test scheitert, weil die Spalte nicht gelöscht werden kann. Stattdessen baue ich die Tabelle neu auf.",
        ),
    ],
)
def test_what_failed_and_made_the_agent_change_its_way_is_told_with_the_reason(said: str, quoted: str) -> None:
    (claim,) = find(*after_failure(said))
    assert claim.topic == "Disproved by evidence"
    assert claim.text == "`pytest tests/test_schema.py` failed, then another way:"
    assert [one.line for one in claim.pointers] == [6]
    assert [(one.text, one.by, one.pointer.line) for one in claim.quotes] == [(quoted, "agent", 7)]


def test_how_the_output_was_watched_is_not_told() -> None:
    said = "The lock is taken twice, so every second writer waits. I'll rethink who owns the lock."
    (claim,) = find(*after_failure(said, "pytest tests/test_schema.py 2>&1 | tail -20"))
    assert claim.text == "`pytest tests/test_schema.py` failed, then another way:"


def test_what_cannot_be_done_here_is_told_though_no_file_was_changed() -> None:
    (claim,) = find(
        human(2, "Build the image and try it."),
        *fails(3, "docker build .", "Cannot connect to the Docker daemon"),
        agent(5, "There is no Docker daemon here, so images can't be built. I'll use the CI image instead."),
        *run(6, "curl -O https://ci.example/image.tar"),
        *LAST,
    )
    assert claim.text == "`docker build .` failed, then another way:"
    assert claim.quotes[0].text.startswith("There is no Docker daemon")


@pytest.mark.parametrize(
    "said",
    [
        "There is an unused import, so the linter fails. Let me remove it instead of silencing the rule.",
        "A typo in the column's name. I'll write it correctly instead.",
        "The test fails because it probably reads the cached copy. I'll clear the cache instead.",
        "The sum is 41 because the first row is read instead of the header.",
        "The test fails because the column is gone. Let me check the schema.",
        "Two checks fail. Let me look.",
        "Should I rebuild the table instead, since SQLite cannot drop a column?",
    ],
    ids=["unused", "typing error", "guess", "symptom", "looking", "no reason", "question"],
)
def test_what_was_only_mended_supposed_or_looked_at_is_no_dead_end(said: str) -> None:
    assert find(*after_failure(said)) == []


def test_that_a_file_was_not_found_is_no_failed_way() -> None:
    missing: list[Part] = [
        Call(5, "c5", "Read", "read", "/home/dev/shop/gone.py"),
        Result(6, "c5", parts.ERROR, 10, text="The file gone.py does not exist."),
    ]
    said = agent(7, "The file `gone.py` cannot be read because it was moved. I'll use the other one instead.")
    assert find(ASKED, *edit(3, PATH), *missing, said, *edit(8, PATH), *LAST) == []


def test_a_command_of_something_else_is_not_what_failed() -> None:
    said = agent(7, "SQLite cannot drop a column. I'll rebuild the table instead.")
    asked = fails(5, "ssh build-host uptime", "connection refused")
    assert find(ASKED, *edit(3, PATH), *asked, said, *edit(8, PATH), *LAST) == []


def test_a_report_at_the_end_of_a_turn_is_no_change_of_way() -> None:
    said = "The old test failed because of the lock. I switched to draining the queue first."
    assert find(ASKED, *edit(3, PATH), *fails(5, "pytest"), agent(7, said), *LAST) == []


def test_what_only_must_be_done_is_another_way_where_work_follows() -> None:
    said = agent(7, "The build fails because both steps write one file. I need to give each step a folder.")
    begun = [ASKED, *edit(3, PATH), *fails(5, "make"), said]
    assert len(find(*begun, *edit(8, PATH), *LAST)) == 1
    assert find(*begun, *run(8, "ls build"), *LAST) == []


def test_work_that_follows_words_typed_meanwhile_belongs_to_the_same_turn() -> None:
    said = agent(7, "The build fails because both steps write one file. I need to give each step a folder.")
    queued = human(8, "The footer is next.", "queued")
    assert len(find(ASKED, *edit(3, PATH), *fails(5, "make"), said, queued, *edit(9, PATH), *LAST)) == 1


def test_a_name_in_code_tells_no_other_way() -> None:
    assert (
        find(*after_failure("The hook cannot see the change. It listens to `git switch to` and `git restore the`."))
        == []
    )


def test_what_takes_a_page_to_say_is_not_quoted() -> None:
    why = "The migration fails because SQLite cannot drop a column" + ", nor one that an index names" * 20
    assert find(*after_failure(f"{why}. I'll rebuild the table through a copy instead.")) == []


def objected(answer: str, *after: Part) -> list[Part]:
    return [
        human(2, "Send the invoices at night."),
        *edit(3, OTHER),
        agent(5, "Done. Every invoice is sent from the web request."),
        human(6, "No, that's wrong. A request must not wait for the mail server."),
        agent(7, answer),
        *after,
    ]


def test_the_answer_to_an_objection_tells_what_was_wrong_with_the_first_way() -> None:
    answer = "You're right. Each request would block on the mail server. I'll move the sending to the queue instead."
    (claim,) = find(*objected(answer, *edit(8, OTHER), *LAST))
    assert claim.topic == "Overruled by the user"
    assert [one.line for one in claim.pointers] == [6]
    assert claim.quotes[0].text == answer.removeprefix("You're right. ")
    assert claim.quotes[0].by == "agent"


def test_what_is_left_and_what_takes_its_place_may_be_one_sentence() -> None:
    answer = "Understood. Instead of sending from the request, I'll put each invoice on the queue."
    (claim,) = find(*objected(answer, *edit(8, OTHER), *LAST))
    assert claim.quotes[0].text == "Instead of sending from the request, I'll put each invoice on the queue."


def test_an_answer_that_only_proposes_counts_where_the_turn_ends_with_it() -> None:
    answer = "Sending there would block the request. The queue should send it instead. Shall I change it that way?"
    (claim,) = find(*objected(answer, *LAST))
    assert claim.quotes[0].text == "Sending there would block the request. The queue should send it instead."


def test_a_proposal_that_was_taken_back_is_not_told_as_the_other_way() -> None:
    answer = "Sending there would block the request. The queue should send it instead. Shall I change it that way?"
    doubt = human(8, "No, that's wrong too, the queue is gone since May. Are you sure?")
    quoted = [
        one.quotes[0].pointer.line for one in find(*objected(answer, doubt, agent(9, "No, I'm not sure."), *LAST))
    ]
    assert quoted == []
    sure = agent(9, "Yes: the queue of the mailer is still there.")
    assert [one.quotes[0].pointer.line for one in find(*objected(answer, doubt, sure, *LAST))] == [7]


def test_an_objection_that_is_answered_twice_is_told_once_in_the_better_words() -> None:
    better = "My thread doesn't help, since the request would wait for it. I'll use the queue instead."
    first = "Sending there breaks the timeout. I'll use a thread instead."
    for answers in ((first, better), (better, first)):
        (claim,) = find(*objected(answers[0], agent(8, answers[1]), *edit(9, OTHER), *LAST))
        assert claim.quotes[0].text == better


def test_that_something_is_not_there_is_no_reason_for_what_is_added() -> None:
    assert find(*objected("The feed doesn't send dates. I'll add a column.", *edit(8, OTHER), *LAST)) == []


def test_a_point_that_is_granted_is_not_laid_to_a_command_that_failed() -> None:
    said = "The reviewer has a valid point: our retry makes every order twice. I'll restore the old guard."
    (claim,) = find(*after_failure(said))
    assert claim.text == "Found wanting, then done otherwise:"


def test_a_point_that_is_granted_to_a_reviewer_counts_where_the_work_is_changed() -> None:
    said = "The reviewer has a valid point: our retry makes every order twice. I'll restore the old guard."
    session = [human(2, "See what the review says."), *edit(3, OTHER), *run(5, "gh pr view 7"), agent(7, said)]
    (claim,) = find(*session, *edit(8, OTHER), *LAST)
    assert (claim.topic, claim.text) == ("Disproved by evidence", "Found wanting, then done otherwise:")
    assert claim.quotes[0].text == said
    assert find(*session, *LAST) == []


def test_a_fix_that_did_not_help_is_told_with_the_reason() -> None:
    said = "My cache key doesn't help here: both tenants share one host. The fix: the key must hold the tenant."
    session = [human(2, "Pages of tenants mix."), *edit(3, OTHER), human(5, "Look again."), agent(6, said)]
    (claim,) = find(*session, *edit(7, OTHER), *LAST)
    assert claim.quotes[0].text == said


def test_a_way_that_was_given_up_in_its_turn_is_not_told_as_the_other_way() -> None:
    said = "SQLite cannot drop a column, so the migration fails. I'll rebuild the table through a copy instead."
    session = [ASKED, *edit(3, PATH), *fails(5, "pytest"), agent(7, said), *edit(8, PATH)]
    session += [human(11, "No, leave the table alone, roll it back."), *run(12, f"git checkout -- {PATH}")]
    quoted = words(build([*session, *LAST])["dead_ends"])
    assert "SQLite cannot drop a column, so the migration fails." in quoted
    assert "through a copy" not in quoted


FOREIGN = "칼럼을 지울 수 없어서 테스트가 깨집니다. 테이블을 복사해서 다시 만들겠습니다."


def test_in_a_language_without_cues_the_place_alone_tells_it() -> None:
    talk = [agent(20, "푸터에 상점 이름을 넣었습니다. 이제 모든 페이지에서 보입니다."), human(21, "고마워요")]
    (claim,) = find(ASKED, *edit(3, PATH), *fails(5, "pytest"), agent(7, FOREIGN), *edit(8, PATH), *talk)
    assert claim.quotes[0].text == FOREIGN
    assert find(ASKED, *fails(5, "pytest"), agent(7, FOREIGN), *edit(8, PATH), *talk) == []
    assert find(ASKED, *edit(3, PATH), *run(5, "pytest"), agent(7, FOREIGN), *edit(8, PATH), *talk) == []


def test_a_small_brief_tells_a_few_and_keeps_what_the_user_said() -> None:
    session: list[Part] = [human(2, "Make the importer robust.")]
    for number in range(8):
        at, path = 10 * number + 3, f"/home/dev/shop/step{number}.py"
        said = (
            f"Step {number} breaks since the reader cannot seek in stream {number}. I'll buffer part {number} instead."
        )
        session += [
            *edit(at, path),
            *fails(at + 2, f"pytest tests/test_{number}.py"),
            agent(at + 4, said),
            *edit(at + 5, path),
        ]
        session += [agent(at + 7, "Done."), human(at + 8, f"Never drop column {number} of the report, people read it.")]
    session += [agent(90, "Nothing is dropped.")]
    small, large = render(session, 700), render(session, 3_000)
    assert small.count("then another way") in (1, 2, 3)
    assert small.count("Never drop column") >= 5
    assert large.count("then another way") == 8


def test_the_answer_stands_below_the_words_that_it_answers() -> None:
    session = objected("A request would block on the mail server. I'll use the queue instead.", *edit(8, OTHER), *LAST)
    told = [one for one in build(session)["dead_ends"].claims if any(quote.pointer.line == 6 for quote in one.quotes)]
    (claim,) = told
    assert [(quote.by, quote.pointer.line) for quote in claim.quotes][-2:] == [("human", 6), ("agent", 7)]
    assert words(build(session)["dead_ends"]).count("I'll use the queue instead.") == 1


def test_an_item_of_a_list_is_no_reason_for_what_stands_below_the_list() -> None:
    said = "Both places write the total:\n\n- the footer of every invoice page\n- the mail's first paragraph\n\n"
    assert find(*after_failure(f"{said}I'll write it in one place instead.")) == []
    assert len(find(*after_failure(f"{said}Two totals confuse every reader. I'll write it in one place instead."))) == 1


def test_a_program_that_ends_badly_without_a_word_has_not_failed() -> None:
    said = agent(7, "The `user.email` setting is read from two files. I'll read the settings file instead.")
    asked = ("git config --global user.email", "Exit code 1")
    assert find(ASKED, *edit(3, PATH), *fails(5, *asked), said, *edit(8, PATH), *LAST) == []
    loud = (asked[0], "Exit code 128\nfatal: bad settings file, user.email is given twice")
    assert len(find(ASKED, *edit(3, PATH), *fails(5, *loud), said, *edit(8, PATH), *LAST)) == 1


def test_what_is_said_with_the_approval_of_an_edit_is_answered_after_it() -> None:
    told = human(4, "No, that is wrong. Don't write a parser, is there no library for dates?", "answer")
    said = agent(6, "The `dateutil` package is installed here already. Let me use it instead.")
    (claim,) = find(human(2, "Read the dates of the feed."), *edit(3, PATH), told, said, *edit(7, PATH), *LAST)
    assert (claim.topic, [one.line for one in claim.pointers]) == ("Overruled by the user", [4])
    assert claim.quotes[0].text == said.text


ANSWER = "A request would block on the mail server. I'll use the queue instead."


def with_signal(session: list[Part], **fields: Any) -> list[Claim]:
    """The changes of way where what was mined of the user's objection is this."""
    facts = fold(session)
    changed = tuple(
        replace(one, **fields) if (one.kind, one.line) == ("correction", 6) else one for one in facts.signals
    )
    assert changed != facts.signals
    return [claim for _, claim in build_turned(replace(facts, signals=changed))]


@pytest.mark.parametrize(
    ("strength", "topic"),
    [
        (STRONGEST + 0.01, "Overruled by the user"),
        (STRONGEST - 0.01, "Questioned or redirected by the user"),
        (0.36, "Questioned or redirected by the user"),
    ],
)
def test_an_answer_is_called_what_the_words_are_called_that_it_answers(strength: float, topic: str) -> None:
    session = objected(ANSWER, *edit(8, OTHER), *LAST)
    assert [one.topic for one in with_signal(session, strength=strength)] == [topic]


def test_what_was_said_in_a_file_of_a_subagent_at_that_line_is_no_objection() -> None:
    session = objected(ANSWER, *edit(8, OTHER), *LAST)
    assert with_signal(session, source="subagent 1") == []


def test_the_answer_to_an_objection_that_was_taken_back_is_no_dead_end() -> None:
    session = objected(ANSWER, *edit(8, OTHER), *LAST)
    assert with_signal(session, withdrawn=30) == []
    refused = [
        human(6, "No, that's wrong. A request must not wait.", "rejection") if one.line == 6 else one for one in session
    ]
    assert [one.topic for one in with_signal(refused, strength=0.5)] == ["Overruled by the user"]
    assert with_signal(refused, withdrawn=30) == []


class Walked(list[Undoing]):
    """Undoings that count how often somebody walks through them."""

    times = 0

    def __iter__(self) -> Iterator[Undoing]:
        self.times += 1
        return super().__iter__()


def test_undoings_are_walked_through_once_however_many_ways_were_changed() -> None:
    session: list[Part] = [ASKED]
    undoings = Walked()
    for at in range(3, 203, 10):
        path = f"/home/dev/shop/step{at}.py"
        said = agent(at + 4, f"SQLite cannot drop column {at}, so the test fails. I'll rebuild part {at} instead.")
        session += [*edit(at, path), *fails(at + 2, "pytest"), said, *edit(at + 5, path), human(at + 9, "Go on.")]
        made, put_back = (at + 5, at + 8) if at % 20 == 3 else (at, at + 3)
        undoings.append(Undoing(made, put_back, frozenset((path,))))
        undoings.append(Undoing(at + 7, at + 9, frozenset((path,))))  # something else in the same file
    found = [claim for _, claim in build_turned(fold(session), undoings)]
    assert undoings.times == 1
    # One that was put back tells the reason alone; one that was put back before it was made again tells both.
    assert {"instead" in claim.quotes[0].text for claim in found if claim.quotes[0].pointer.line % 20 == 7} == {False}
    assert {"instead" in claim.quotes[0].text for claim in found if claim.quotes[0].pointer.line % 20 == 17} == {True}


def test_a_message_is_read_once_however_many_commands_failed_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "The greenhouse valve cannot open. I'll pump by hand instead."
    read: list[str] = []

    def note(text: str) -> dict[str, bool]:
        read.append(text)
        return find_terms(text)

    monkeypatch.setattr("thruline.engines.rules.turned.moments.find_terms", note)
    tried = [part for at in range(10, 50, 2) for part in fails(at, f"ping host{at}", "no answer")]
    assert find(ASKED, *edit(3, PATH), *tried, agent(60, said), *edit(61, PATH)) == []
    assert read.count(said) == 1


def test_where_there_is_little_room_a_long_one_must_be_worth_its_letters() -> None:
    short, long = Claim("x" * 50), Claim("x" * COST)
    found = [(LEAST + 0.5, long), (LEAST + 0.5, short)]
    assert choose_turned(found, 6_000, roomy=False) == [short]
    assert choose_turned(found, 6_000, roomy=True) == [long, short]
    assert choose_turned([(LEAST + 1.0, long)], 6_000, roomy=False) == [long]
    assert choose_turned([(LEAST, short)], 6_000, roomy=False) == []
    assert choose_turned([(LEAST, short)], 6_000, roomy=False, alone=True) == [short]
    assert choose_turned([(LEAST, long)], 1_000, roomy=False, alone=True) == []


def test_where_there_is_little_room_what_nobody_else_tells_comes_before_an_answer() -> None:
    alone, answer = Claim("Left for another way:"), Claim(ANOTHER_WAY)
    found = [(LEAST + TOLD, answer), (LEAST + TOLD, alone)]
    assert choose_turned(found, 6_000, roomy=False) == [alone]
    assert choose_turned([(LEAST + 2 * TOLD, answer)], 6_000, roomy=False) == [answer]


def test_where_there_is_little_room_the_best_are_told_in_their_share_of_it() -> None:
    found = [(LEAST + at, Claim(f"Way {at} " + "x" * 93)) for at in range(1, 7)]
    assert choose_turned(found, int(350 / SHARE), roomy=False) == [claim for _, claim in found[:-4:-1]]
    # A short one takes what a long one leaves.
    long, short = Claim("x" * 400), Claim("Another way.")
    assert choose_turned([(9.0, long), (8.0, short)], int(350 / SHARE), roomy=False) == [short]


def test_a_point_that_was_granted_long_ago_is_not_looked_for() -> None:
    said = agent(7, "The reviewer has a valid point: our retry makes every order twice. I'll restore the old guard.")
    session = [human(2, "See what the review says."), *edit(3, OTHER), said, *edit(8, OTHER)]
    later = [agent(at, f"The stock table has a row for shelf {at} of the hall. " * 100) for at in range(100, 140)]
    assert len(find(*session, *later[:4])) == 1
    assert find(*session, *later) == []


def test_of_two_reasons_that_weigh_the_same_the_first_is_told() -> None:
    first = "The copy cannot keep its index. I'll build the index again instead."
    second = "The backup cannot keep its rows. I'll write the rows again instead."
    (claim,) = find(*after_failure(f"{first}\n\nAnd more.\n\nThe rest is fine.\n\n{second}"))
    assert claim.quotes[0].text == first


def test_what_stands_between_the_reason_and_the_other_way_says_what_was_wrong() -> None:
    said = "Found the bug. The lock is taken twice when `flush` calls `write` inside the guard. I must rethink it."
    (claim,) = find(*after_failure(said))
    assert [one.text for one in claim.quotes] == [said]


def test_a_change_of_way_that_says_nothing_of_either_way_is_not_told() -> None:
    assert find(*after_failure("This was wrong. Let me rework it instead.")) == []
