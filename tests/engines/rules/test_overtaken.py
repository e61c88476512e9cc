"""What was undone, refused, redone on the user's word or only proposed is nowhere told as where a session stands."""

import pytest

from tests.engines.rules.talk import LAST, told
from tests.session.talk import agent, edit, human, refuse, run
from thruline.session.parts import Part

A, B = "/home/dev/shop/totals.py", "/home/dev/shop/printer.py"
ASKED = human(2, "Make the totals of the invoice faster.")
WROTE = "I wrote a memo table for the invoice totals, with one `PageSum` of the shop for each page of an invoice."
KEEPS = "`totals.py` keeps the invoice totals of each page in a memo table of the shop, made by `PageSum`."
PRINTS = "`printer.py` prints the invoice totals in one column now, which `ColumnPrinter` of the shop lays out."


@pytest.mark.parametrize("back", [[*run(9, "git checkout -- totals.py")], [*edit(9, A, before=2, after=1)]])
@pytest.mark.parametrize("claim", [WROTE, KEEPS])
def test_a_change_that_was_undone_is_not_where_a_session_stands(back: list[Part], claim: str) -> None:
    session = [ASKED, *edit(4, A, before=1, after=2), agent(6, claim)]
    assert claim in told(*session, *LAST)
    undone = [human(8, "Let's roll that back, the printer will do it."), *back, agent(12, "Rolled back.")]
    assert claim not in told(*session, *undone, *LAST)


def test_work_that_was_kept_beside_what_was_undone_is_told() -> None:
    kept, gone = PRINTS, KEEPS
    session = [ASKED, *edit(4, A, before=1, after=2), *edit(6, B, before=3, after=4), agent(8, f"{kept} {gone}")]
    session += [human(9, "Take the table out again."), *run(10, "git checkout -- totals.py"), agent(12, "It is out.")]
    said = told(*session, *LAST)
    assert kept in said
    assert gone not in said


def test_what_was_committed_before_is_not_undone_by_a_checkout() -> None:
    claim = WROTE
    session = [ASKED, *edit(4, A), *run(6, "git commit -am x", commits=(("bc4d18f", "Keep sums"),)), agent(8, claim)]
    session += [human(9, "Round them too."), *edit(10, A), agent(12, "`totals.py` rounds each sum."), human(13, "No.")]
    said = told(*session, *run(14, "git checkout -- totals.py"), agent(16, "Rolled back."), *LAST)
    assert claim in said
    assert "rounds each sum" not in said


def test_a_commit_that_was_reverted_does_not_stand() -> None:
    claim = WROTE
    session = [
        ASKED,
        *edit(4, A),
        *run(6, "git commit -am x", commits=(("bc4d18f", "Keep the sums"),)),
        agent(8, claim),
    ]
    session += [human(9, "Please revert that commit."), *run(10, "git revert --no-edit bc4d18f"), agent(12, "Done.")]
    assert claim not in told(*session, *LAST)


def test_an_edit_that_was_refused_does_not_stand() -> None:
    claim = "Callers of the shop use `add_sums()` of the memo table instead of `sum()` for each page of an invoice."
    session = [ASKED, agent(4, claim), *refuse(5, A)]
    assert claim not in told(*session, *LAST)
    assert claim in told(*session, human(8, "Sorry, go on."), *edit(9, A), agent(11, "It is in."), *LAST)


def test_a_version_that_the_user_had_redone_does_not_stand() -> None:
    first = "The sums are kept in a plain table, and the table is written to `sums.db` when the shop closes."
    second = "The sums live in a ring of the last 40 pages, and nothing is written at the close of the shop."
    session = [ASKED, *edit(4, A), agent(6, first), human(7, "Hm, will that table not grow for ever?")]
    session += [agent(8, "Good catch, you're right: it would."), *edit(9, A), agent(11, second)]
    said = told(*session, *LAST)
    assert second in said
    assert first not in said
    # Going on with the same file takes nothing back.
    more = [ASKED, *edit(4, A), agent(6, first), human(7, "Thanks. Print them too."), *edit(9, A), agent(11, second)]
    assert first in told(*more, *LAST)


@pytest.mark.parametrize(
    "guess",
    ["可能是总数被算了两次。我会跳过空页。", "合計が二度計算されているのかもしれません。空のページを飛ばします。"],
)
def test_a_first_guess_that_was_overruled_is_no_position_in_any_language(guess: str) -> None:
    ask = "夜间发票很慢。找出原因。" if "总" in guess else "請求書が遅いです。原因を調べてください。"
    no = (
        "不对,不要跳过空页。看看四舍五入。"
        if "总" in guess
        else "いいえ、空のページは飛ばさないでください。春に試しましたが遅いままでした。端数を見てください。"
    )
    cause = (
        "原因:四舍五入在求和之前。已在 totals.py 中修复。"
        if "总" in guess
        else "原因は端数の処理でした。totals.pyを修正しました。"
    )
    said = told(human(2, ask), agent(3, guess), human(4, no), agent(5, cause))
    assert guess.split("。")[0] not in said
    assert "totals.py" in said


def test_what_stands_before_the_last_word_in_a_language_without_cues_is_no_position() -> None:
    guess, cause = "ربما تتغير الصفحات أثناء الطباعة.", "السبب أن التقريب يأتي قبل الجمع."
    said = told(human(2, "الفاتورة بطيئة."), agent(3, guess), human(4, "لا، انظر إلى التقريب."), agent(5, cause))
    assert cause in said
    assert guess not in said


PLAN = """\
The plan is simple:

1. Move the sums of each page into `add_sums()` of the table
2. Call `clear_sums()` wherever a page is closed by the printer
"""
CHOICE = """\
Each page costs a query. Alternatives:

- **One query per invoice** with the page as a column of the table
- **A memo table per page** that is cleared by the printer

Which one do you want?
"""


HEADED = """\
Each page costs a query.

**So either:**

1. One query per invoice with the page as a column of the table
2. A memo table per page that is cleared by the printer
"""


@pytest.mark.parametrize(
    "said", [PLAN, CHOICE, "Plan: 1. Add a memo table. 2. Clear the table whenever a page closes."]
)
def test_what_was_only_proposed_is_not_established(said: str) -> None:
    answer = human(5, "Leave the table alone, use what the printer has.")
    assert "table" not in told(ASKED, agent(4, said), answer, *edit(6, B), agent(8, "The printer adds up now."), *LAST)


def test_ways_below_a_bold_line_that_says_so_are_not_established() -> None:
    answer = human(5, "Thanks. Print the footer too.")
    session = [ASKED, agent(4, HEADED), answer, *edit(6, B), agent(8, "The printer adds up now."), *LAST]
    assert "memo table" not in told(*session)
    assert "memo table" in told(
        *[agent(4, HEADED.replace("So either", "Done")) if one is session[1] else one for one in session]
    )


def test_what_is_listed_as_done_is_established() -> None:
    report = "What I did:\n\n1. Moved the sums of each page into `add_sums()`\n2. Cleared the memo table per page\n"
    assert "add_sums()" in told(ASKED, *edit(4, A), agent(6, report), *LAST)


@pytest.mark.parametrize(
    "said",
    [
        "**Option 1: A memo table** (quick, and the table is small)",
        "My recommendation: **a memo table**, since the printer reads it anyway.",
    ],
)
def test_advice_is_not_established(said: str) -> None:
    done = [*edit(6, B), agent(8, "The `PageSum` table of the printer is locked and done.")]
    assert said not in told(ASKED, agent(4, said), human(5, "Go on, please."), *done, *LAST)


def test_a_finding_in_the_midst_of_a_turn_falls_with_the_answer_that_corrects_it() -> None:
    finding = "**The printer of page 1 writes into the memo table of page 2.**"
    session = [
        ASKED,
        agent(4, finding),
        *run(5, "ls"),
        agent(7, "Let me look at both tables once more."),
        *run(8, "ls"),
    ]
    no = human(10, "No, that's wrong, the printer of page 2 writes that table itself, nothing crosses pages.")
    assert finding in told(*session, agent(11, "Looking at the memo table."), *LAST)
    assert finding not in told(*session, no, agent(11, "Got it. What writes it, then?"), *LAST)


def test_what_described_a_file_at_the_beginning_is_not_where_it_landed_after_all_of_it_changed() -> None:
    described = "**Totals**: plain sums of each page, in the order in which the shop books them"
    session = [ASKED, *edit(4, A), agent(6, described), human(7, "Add a table, please.")]
    later = [agent(10, "There is a memo table now."), human(11, "And a lock."), agent(14, "It is locked now."), *LAST]
    assert described in told(*session, *later, landed=True)
    assert described not in told(*session, *edit(8, A), *later, landed=True)


def test_what_was_open_long_ago_and_was_done_since_is_not_established() -> None:
    owed = "Remaining tasks: a lock for the `PageSum` table of the printer."
    talk = [part for at in range(10, 50, 2) for part in (human(at, "And then?"), agent(at + 1, f"Page {at} is fine."))]
    done = [*edit(60, B), agent(62, "The `PageSum` table of the printer is locked and done.")]
    session = [ASKED, agent(4, owed), *talk]
    assert owed in told(*session)
    assert owed not in told(*session, human(59, "Lock it."), *done)


def test_what_was_found_for_an_explanation_falls_with_it_when_the_agent_gives_it_up() -> None:
    found = "The nightly job reads `rows.tmp` once a day and nobody empties the folder."
    more = "The folder `/var/spool` has a page for each month. A page weighs `40` KB. Its name is `page-12`."
    first = f"The cause is the memo table, which keeps the sums of old pages.\n\n{found} {more}"
    doubt = human(5, "But the printer starts anew for each invoice, so nothing of it is kept, is it?")
    session = [ASKED, *run(3, "ls"), agent(4, first), doubt]
    session += [agent(6, "You're right, nothing is kept. Let me look at the sums."), *run(7, "cat sums")]
    cause = "The cause is the rounding, which comes before the sum of each page."
    session += [agent(9, cause), *edit(10, A), agent(12, "The rounding comes after the sum now."), *LAST]
    said = told(*session)
    assert found not in said
    assert cause in said
    # Who grants nothing gives up nothing.
    assert found in told(*[agent(6, "Let me look at the sums too.") if one.line == 6 else one for one in session])


def test_what_was_said_not_to_be_committed_does_not_stand_after_a_commit() -> None:
    state = "The rounding of `sums.py` has its tests, and all three files are untracked."
    commit = run(8, "git commit -am sums", commits=(("1f225e0", "Add up after rounding"),))
    before = [ASKED, *edit(3, A), agent(5, state), human(6, "Thank you, that looks right.")]
    assert state not in told(*before, *commit, agent(10, "The work is in git now, as you asked."), *LAST)
    assert state in told(*before, agent(10, "The rounding is explained in the manual now."), *LAST)


def test_what_was_listed_as_left_is_no_position_once_the_work_went_on() -> None:
    items = "1. The memo table of each page\n2. The rounding in `sums.py`\n"
    left = f"The server runs. What you will likely need to address:\n\n{items}"
    session = [ASKED, agent(4, left), human(5, "Yes please, both."), *edit(6, A), agent(8, "Both are done now."), *LAST]
    assert "memo table" not in told(*session)
    assert "The server runs" in told(*session)
