"""What a claim states of how a session stands, held against the session: what was changed or made up is told."""

import pytest

from tests.brief.ferry import BRIEF, HOME, SESSION
from tests.brief.sessions import check_text
from tests.session.talk import change, edit, human, run
from thruline.brief.report import Report
from thruline.session.parts import Asked, Changed, Delegated, Part, Planned, Result

LATER = (
    "Refused `Bash rm -rf build`, done later: (`transcript:L41`)\n  > user, transcript:L17: `Never remove the build.`"
)
TRUE = [
    "In `/home/dev/ferry` on branch `tides`. (`transcript:L1`)",
    "In `/home/dev/ferry`. (`transcript:L1`)",
    "⚑ verify: untested: nothing ran after the last edit. (`transcript:L35`)",
    "⚑ verify: not committed by the session: `src/ebb.py`. (`transcript:L13-L35`)",
    "The session ends in the middle of a turn. (`transcript:L39`)",
    "Begun, not finished:\n  > agent, transcript:L28: `Chart the reef`",
    "Not begun:\n  > agent, transcript:L28: `Paint the buoy`",
    "2 more tasks are not done. (`transcript:L28`)",
    "Asked, not answered:\n  > agent, transcript:L26: `Which harbour?`",
    "A change to `src/reef.py` failed and was not made again. (`transcript:L25`)",
    "Refused, and not made since: changes to `src/flood.py`. (`transcript:L15`)",
    "`make tides` failed when it last ran, exit 2. (`transcript:L21`)",
    "`make tides` failed; `make ebb` worked instead. (`transcript:L21`, `transcript:L23`)",
    "`make tides` failed, then another way: (`transcript:L19`)\n  > agent, transcript:L36: `The ebb is read first`",
    "Refused `Edit src/flood.py`:\n  > user, transcript:L15: `Leave the flood alone.`",
    "Refused `Bash rm -rf build`:\n  > user, transcript:L17: `Never remove the build.`",
    "A plan, refused:\n  > agent, transcript:L4: `Cache the tides.`",
    "Offered, and not chosen:\n  > agent, transcript:L27: `By the moon`",
    "Approved plan: (`transcript:L7`)\n  > agent, transcript:L6: `Read the tides twice.`",
    "Begun with a plan:\n  > client, transcript:L3: `Mend the timetable`",
    "Gone back on by the user, with all that followed:\n  > user, transcript:L30: `Go back to the ebb.`",
    "A subagent was given up:\n  > agent, transcript:L32: `Sound the channel`",
    "Undone in answer to the user, an edit of `src/lamp.py`. (`transcript:L30`, `transcript:L31`)",
    "Undone in answer to the user, work, with `git checkout -- src/tide.py`. (`transcript:L30`, `transcript:L31`)",
    "Made and put back in one turn: an edit of `src/lamp.py`. (`transcript:L31`)",
]
UNTRUE = [
    ("on branch `tides`", "on branch `main`"),
    ("`/home/dev/ferry`", "`/home/dev/barge`"),
    ("`src/ebb.py`. (`transcript:L13", "`src/tide.py`. (`transcript:L13"),
    ("`src/ebb.py`. (`transcript:L13", "`src/ebb.py` and 3 more. (`transcript:L13"),
    ("The session ends in the middle of a turn", "The user interrupted the last step"),
    ("The session ends in the middle of a turn", "The last thing the user said was not answered"),
    ("Begun, not finished:", "Not begun:"),
    ("Not begun:", "Begun, not finished:"),
    ("2 more tasks", "3 more tasks"),
    ("`src/reef.py` failed", "`src/ebb.py` failed"),
    ("changes to `src/flood.py`", "changes to `src/tide.py`"),
    ("exit 2", "exit 3"),
    (", exit 2.", "."),
    ("`make tides` failed when", "`make ebb` failed when"),
    ("`make ebb` worked", "`make tides` worked"),
    ("`make tides` failed, then", "`make ebb` failed, then"),
    ("`Edit src/flood.py`", "`Edit src/tide.py`"),
    ("`Edit src/flood.py`", "`Bash rm -rf build`"),
    ("`Bash rm -rf build`", "`Bash rm -rf src`"),
    ("A plan, refused:", "Approved plan:"),
    ("Approved plan:", "A plan, refused:"),
    ("agent, transcript:L27: `By the moon`", "agent, transcript:L27: `By the sun`"),
    ("Begun with a plan:", "Asked with a slash command:"),
    ("an edit of `src/lamp.py`", "an edit of `src/flood.py`"),
    ("an edit of `src/lamp.py`", "an edit of `src/ebb.py`"),  # edited, and nothing undone
    ("an edit of `src/lamp.py`", "an edit of `p.py`"),
    ("an edit of `src/lamp.py`", "an edit of `…p.py`"),
    ("an edit of `src/lamp.py`", "an edit of `[redacted:api-key]`"),
    ("work, with `git checkout -- src/tide.py`", "work, with `git stash drop`"),
    ("work, with `git checkout -- src/tide.py`", "work, with `make ebb`"),  # worked, and put nothing back
    ("user, an edit of `src/lamp.py`. (`transcript:L30`, ", "user, an edit of `src/lamp.py`. (`transcript:L32`, "),
    ("`transcript:L31`)", "`transcript:L33`)"),
    ("`make tides` failed, then", "`…` failed, then"),
    ("`make tides` failed, then", "`make…` failed, then"),
    ("(`transcript:L21`)", "(`transcript:L22`)"),
]


def check(claim: str, session: list[Part]) -> Report:
    """The claim as the only one of a brief."""
    sections = [
        "## Convergence",
        "## Dead-ends",
        "## Code-state",
        "## Open-threads & conflicts",
        f"- {claim}",
        "## Basics",
    ]
    return check_text("\n".join(sections) + "\n", session)


@pytest.mark.parametrize("claim", TRUE)
def test_what_is_as_the_session_has_it_is_no_trouble(claim: str) -> None:
    report = check(claim, SESSION)
    assert report.troubles == ()
    assert report.facts["ok"] > 0


@pytest.mark.parametrize(("words", "changed"), UNTRUE)
def test_a_changed_statement_is_told_with_its_section_its_line_and_why(words: str, changed: str) -> None:
    claims = [claim for claim in TRUE if words in claim]
    assert claims
    for claim in claims:
        told = [one for one in check(claim.replace(words, changed), SESSION).troubles if one.kind == "untrue"]
        assert [(one.section, one.line) for one in told] == [("open_threads", 5)], claim
        assert told[0].what


@pytest.mark.parametrize(
    ("claim", "more"),
    [
        ("⚑ verify: untested: nothing ran after the last edit. (`transcript:L35`)", run(40, "make")),
        ("⚑ verify: uncommitted: the session made no commit. (`transcript:L35`)", []),
        (
            "Asked, not answered:\n  > agent, transcript:L26: `Which harbour?`",
            [Asked(40, "Which harbour?", (), "North")],
        ),
        ("a change to `src/flood.py` was refused, and the file was changed after that. (`transcript:L15`)", []),
        (
            "Refused, and not made since: changes to `src/flood.py`. (`transcript:L15`)",
            edit(40, f"{HOME}/src/flood.py"),
        ),
        ("`make tides` failed when it last ran, exit 2. (`transcript:L21`)", run(40, "make tides")),
        (
            LATER,
            run(40, "rm -rf build", "error"),
        ),
    ],
)
def test_what_is_made_up_is_told(claim: str, more: list[Part]) -> None:
    told = [one.kind for one in check(claim, [*SESSION, *more]).troubles]
    assert told == ["untrue"]


@pytest.mark.parametrize(("words", "changed"), UNTRUE)
def test_nothing_untrue_is_left_after_a_repair(words: str, changed: str) -> None:
    for claim in (claim.replace(words, changed) for claim in TRUE if words in claim):
        again = check_text(check(claim, SESSION).text, SESSION)
        assert [one for one in again.troubles if one.kind == "untrue"] == [], claim


def test_what_was_refused_and_done_later_is_proved_where_it_was_done() -> None:
    assert check(LATER, [*SESSION, *run(40, "rm -rf build")]).troubles == ()


def test_a_repair_takes_the_words_out_and_leaves_what_the_user_said() -> None:
    claim = "Refused `Bash rm -rf src`:\n  > user, transcript:L17: `Never remove the build.`"
    assert "\n- > user, transcript:L17: `Never remove the build.`\n" in check(claim, SESSION).text
    assert "rm -rf src" not in check(claim, SESSION).text


@pytest.mark.parametrize(
    ("line", "untrue"),
    [
        ("- created `src/tide.py` (`transcript:L9`)", 0),
        ("- edited `src/tide.py` (`transcript:L9`)", 1),
        ("- created `src/ebb.py` (`transcript:L9`)", 1),
        ("- deleted `src/ebb.py` (`transcript:L9`)", 1),
        ("- created and removed again `src/tide.py` (`transcript:L9`)", 1),
        ("- created `src/tide.py` and 1 more (`transcript:L9`)", 1),
        ("- committed `bc4d18f` before a rebase (`transcript:L13`)", 1),
        ("- committed `bc4d18f` and 1 more (`transcript:L13`)", 1),
        ("- edited `%AF.py` (`transcript:L9`)", 1),
        ("- edited `bb.py` (`transcript:L11`)", 1),
        ("- edited `…bb.py` (`transcript:L11`)", 1),
        ("- edited `tides` (`transcript:L11`)", 1),  # a word of a command, and no path
        ("- deleted `ebb` (`transcript:L11`)", 1),
        ("- deleted `t` (`transcript:L11`)", 1),
        ("- deleted `build` (`transcript:L11`)", 1),  # it was refused
        ("- reverted `src/lamp.py` (`transcript:L31`)", 0),
        ("- reverted `src/ebb.py` (`transcript:L35`)", 1),  # changed after all that could have put it back
        ("- touched `delete/everything` in `src/ebb.py` (`transcript:L11`)", 1),
        ("- touched `delete/everything` in `Makefile` (`transcript:L11`)", 1),
        ("- committed `bc4d18f` (`transcript:L13`)", 0),
        ("- committed `bc4d18ff` (`transcript:L13`)", 1),
        ("- committed `bc` (`transcript:L13`)", 1),
        ("- committed `bc4d18f`\n  > git, transcript:L13: `Tides`", 0),
    ],
)
def test_what_became_of_a_file_and_how_many_there_are_is_checked(line: str, untrue: int) -> None:
    told = [one for one in check(line.removeprefix("- "), SESSION).troubles if one.kind == "untrue"]
    assert len(told) == untrue


def test_what_the_user_said_later_had_nothing_undone() -> None:
    claim = "Undone in answer to the user, an edit of `src/lamp.py`. (`transcript:L40`, `transcript:L31`)"
    assert [one.kind for one in check(claim, [*SESSION, human(40, "And the reef?")]).troubles] == ["untrue"]


PLAN = "# Ferry\n- `src/tide.py`: read twice\n- `src/ebb.py`: read once\n- run `make soundings all`"
WAITING = [
    Changed(1, "cwd", HOME),
    *edit(2, f"{HOME}/src/reef.py"),
    Planned(4, "Cache the tides.", "proposed", call_id="p4"),
    Planned(5, "", "approved", call_id="p4"),
    Planned(6, PLAN, "proposed", call_id="p6"),
]
REFUSED = [*WAITING, Planned(7, "", "refused", call_id="p6")]
CARRIED_OUT = [*WAITING, Planned(7, "", "approved", call_id="p6"), *edit(8, f"{HOME}/src/tide.py"), *run(10, "make")]
LAST = "Last plan, {}; nothing was changed since:\n  > agent, transcript:L6: `- run`"
UNCHANGED = "⚑ verify: planned, not changed as far as the session shows:\n  > agent, transcript:L6: `` {} ``"
NOT_RUN = (
    "⚑ verify: planned, not run as far as the session shows:\n  > agent, transcript:L6: `` run `make soundings all` ``"
)


@pytest.mark.parametrize(
    ("claim", "session", "true"),
    [
        (LAST.format("refused"), REFUSED, True),
        (LAST.format("approved"), REFUSED, False),
        (LAST.format("put to the user, not answered"), REFUSED, False),
        (LAST.format("put to the user, not answered"), WAITING, True),
        (LAST.format("refused"), [*REFUSED, *edit(8, f"{HOME}/src/ebb.py")], False),
        (LAST.format("refused"), [*REFUSED, *run(8, "git commit", commits=(("bc4d18f", "Tides"),))], False),
        ("Last plan, approved; nothing was changed since:\n  > agent, transcript:L4: `Cache`", WAITING, False),
        (UNCHANGED.format("`src/ebb.py`: read"), CARRIED_OUT, True),
        (UNCHANGED.format("`src/tide.py`: read"), CARRIED_OUT, False),
        (UNCHANGED.format("`src/ebb.py`: read"), [*CARRIED_OUT, *edit(12, f"{HOME}/src/ebb.py")], False),
        (UNCHANGED.format("`src/ebb.py`: read"), [*edit(2, f"{HOME}/src/ebb.py"), *CARRIED_OUT[3:]], True),
        (NOT_RUN, CARRIED_OUT, True),
        (NOT_RUN, [*CARRIED_OUT, *run(12, "cd src && make soundings all")], False),
        (NOT_RUN, [*run(2, "make soundings all"), *CARRIED_OUT[3:]], True),
    ],
)
def test_what_became_of_a_plan_is_held_against_what_was_done_after_it(
    claim: str, session: list[Part], true: bool
) -> None:
    report = check(claim, session)
    assert [one.kind for one in report.troubles] == ([] if true else ["untrue"])
    assert sum(report.facts.values()) == 1


def test_only_what_stands_behind_the_place_of_a_rewind_was_gone_back_on() -> None:
    claim = "Gone back on by the user, with all that followed:\n  > user, transcript:L2: `See to the timetable.`"
    assert [one.kind for one in check(claim, SESSION).troubles] == ["untrue"]


def test_a_whole_brief_as_the_session_has_it_is_no_trouble() -> None:
    assert check_text(BRIEF, SESSION).troubles == ()


@pytest.mark.parametrize(
    ("words", "changed", "kind", "lines"),
    [
        ("### Overruled by the user", "### Disproved by evidence", "label", [8, 10]),
        ("### Disproved by evidence", "### Overruled by the user", "label", [13]),
        ("### Disproved by evidence", "### Questioned or redirected by the user", "label", [13]),
        ("### Asked and decided", "### Noted at the time", "label", [26]),
        ("### Disproved by evidence", "### Constraints, in the user's words", "label", [13]),
        ("2026-05-03", "2026-05-04", "title", [1]),
        ("# Brief: ferry", "# Brief: barge", "title", [1]),
        ("- ⚑ verify: untested: nothing ran after the last edit. (`transcript:L35`)\n", "", "untold", [18]),
        ("- ⚑ verify: not committed by the session: `src/ebb.py`. (`transcript:L13-L35`)\n", "", "untold", [18]),
    ],
)
def test_a_changed_label_title_or_missing_flag_is_told(words: str, changed: str, kind: str, lines: list[int]) -> None:
    told = [one for one in check_text(BRIEF.replace(words, changed), SESSION).troubles if one.kind == kind]
    assert [one.line for one in told] == lines
    assert all(one.section or one.kind == "title" for one in told)


def test_what_a_cut_brief_of_few_words_had_no_room_for_is_no_trouble() -> None:
    flag = "- ⚑ verify: untested: nothing ran after the last edit. (`transcript:L35`)\n"
    cut = BRIEF.replace(flag, "").replace("## Sources", "_1 more claim did not fit the budget._\n\n## Sources")
    assert check_text(cut, SESSION).troubles == ()
    other = BRIEF.replace(flag, "").replace("- by `rules`", "- by `agent`")
    assert check_text(other, SESSION).troubles == ()


@pytest.mark.parametrize("outcome", ["ok", "error", "unknown", "interrupted"])
def test_that_nothing_ran_after_the_last_edit_is_untrue_where_something_did(outcome: str) -> None:
    told = check_text(BRIEF, [*SESSION, *run(40, "make ebb", outcome)]).troubles
    assert [one.kind for one in told] == ["untrue"]


def test_a_range_that_happens_to_hold_the_users_words_does_not_make_them_the_users() -> None:
    claim = "- Found wanting, then done otherwise: (`transcript:{}`)\n  > agent, transcript:L36: `The ebb`"
    for place, labels in (("L30", 1), ("L28-L36", 0)):
        text = BRIEF.replace("### Disproved by evidence\n", f"### Disproved by evidence\n{claim.format(place)}\n")
        assert [one.kind for one in check_text(text, SESSION).troubles] == ["label"] * labels


def test_a_claim_that_is_marked_as_unsourced_claims_no_topic() -> None:
    claim = "- > agent, transcript:L36: `The ebb is read first now.`"
    for marked, labels in (("", 1), (" [unsourced]", 0)):
        text = BRIEF.replace(claim, f"- Found wanting, then done otherwise:{marked}\n  {claim[2:]}")
        text = text.replace("### Disproved by evidence", "### Questioned or redirected by the user")
        assert [one.kind for one in check_text(text, SESSION).troubles] == ["label"] * labels


def test_a_subagents_lost_transcript_is_not_asked_for_commits() -> None:
    own = [one for one in SESSION if not (isinstance(one, Result) and one.commits)]
    bare = "\n".join(line for line in BRIEF.split("\n") if "not committed by" not in line)
    assert [one.kind for one in check_text(bare, own).troubles] == ["untold"]
    assert [one.kind for one in check_text(bare, [*own, Delegated(40, "x")]).troubles] == []


def test_a_definition_of_a_file_keeps_its_place() -> None:
    session = [*SESSION, *change(40, "src/a.py", ("read_tide", 2))]
    assert check("touched `read_tide` in `a.py` (`transcript:L41`)", session).troubles == ()


@pytest.mark.parametrize("claim", ["{} more tasks are not done. (`transcript:L28`)", "edited `a.py` and {} more"])
def test_a_number_of_any_length_is_read(claim: str) -> None:
    assert check(claim.format("9" * 5_000), SESSION).troubles
