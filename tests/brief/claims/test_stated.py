"""What a claim states as done, and whether the session did it."""

import pytest

from tests.brief.sessions import NoFacts, SomeFacts, check_text, said
from tests.session.talk import change, edit, run
from thruline.brief.attempts.inert import parse_span
from thruline.brief.claims.called import is_named
from thruline.brief.claims.names import render_path
from thruline.brief.claims.standing import find_claimed
from thruline.brief.claims.stated import Fact, drop_facts, find_facts
from thruline.brief.pointer import Pointer
from thruline.brief.proof.done import Done
from thruline.session.parts import Changed, Part

SESSION: list[Part] = [
    said(1, "Please fix the export."),
    *edit(2, "/home/dev/shop/src/export.py", "created"),
    *edit(4, "/home/dev/shop/src/ui/a b.ts"),
    *edit(6, "/home/dev/shop/old.py", "deleted"),
    *run(8, "python3 -m unittest -q"),
    *run(10, "make release", "error"),
    *run(12, "git commit -am x", commits=(("bc4d18f", "Close the cursor"),)),
    *run(14, "cp a.toml config/b.toml"),
    *run(16, "git log --oneline -1", logged=(("aa00aa0", "Begin the shop"),)),
    *run(18, "git log --oneline -2", logged=(("bb11bb1", "Open the door"), ("aa00aa0", "Begin the shop"))),
    *change(24, "src/a.py", ("read_tide", 2), ("slack", 1)),
    *run(20, "gh pr comment 61 --body thanks"),
    Changed(22, "pull", "https://example.org/shop/pull/62"),
    *run(26, "gh pr merge 63 --squash"),
    *run(28, "gh pr view 64"),
    *run(30, "git push"),
]


def names(words: str) -> list[tuple[str, str]]:
    return [(fact.kind, fact.name) for fact in find_facts(words)]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("- edited `a.py`, `b.py` (`transcript:L3`)", [("edited", "a.py"), ("edited", "b.py")]),
        (
            "created `src/{a.ts, b.ts}` and 3 more",
            [("created", "src/a.ts"), ("created", "src/b.ts"), ("counted", "and 3 more")],
        ),
        ("created and removed again `x.py`", [("gone", "x.py")]),
        ("created `src/{a}.py`", [("created", "src/{a}.py")]),
        ("Deleted: `a.py`", [("deleted", "a.py")]),
        ("Committed `1f225e0`", [("committed", "1f225e0")]),
        ("- Ran, status not seen: `make`", [("ran hidden", "make")]),
        ("- Ran and worked: `make`, `go test ./...`", [("ran", "make"), ("ran", "go test ./...")]),
        ("edited `parse` in `a.py`", []),
        ("edited `a.py` to call `b.py`", [("edited", "a.py")]),
        ("edited by hand: `a.py`", []),
        ("touched `read_tide`, `slack` in `src/a.py`", [("touched", "read_tide"), ("touched", "slack")]),
        ("worked on pull requests `#4`, `#5`", [("pulled", "#4"), ("pulled", "#5")]),
        ("merged pull request `#4`", [("merged", "#4")]),
        ("opened pull request `#4`", [("opened", "#4")]),
        ("- pushed after the last commit. (`transcript:L3`)", [("pushed", "")]),
        ("- ⚑ verify: not pushed, as far as the session shows. (`transcript:L3`)", [("kept", "")]),
        ("pushed after the last committee met", []),
        ("subagents created `docs/{a.md, b.md}`", [("created", "docs/a.md"), ("created", "docs/b.md")]),
        ("a subagent committed `1f225e0`", [("committed", "1f225e0")]),
        (
            "new in the log: `1f225e0`, `2f225e0` and 3 more",
            [("logged", "1f225e0"), ("logged", "2f225e0"), ("counted", "and 3 more")],
        ),
        ("committed `1f225e0`, `2f225e0` before a rebase", [("rebased", "1f225e0"), ("rebased", "2f225e0")]),
        ("committed `1f225e0`, `2f225e0` on branch `tides`", [("committed", "1f225e0"), ("committed", "2f225e0")]),
        ("new in the log: `1f225e0` on branch `tides` (`transcript:L3`)", [("logged", "1f225e0")]),
        ("The reader was edited: `a.py`", []),
    ],
)
def test_names_behind_the_word_are_what_was_done(words: str, found: list[tuple[str, str]]) -> None:
    assert names(words) == found


def test_a_name_is_taken_out_of_its_group() -> None:
    assert drop_facts("`src/{a.ts, b.ts}`", {"src/a.ts"}) == "`src/b.ts`"
    assert drop_facts("`src/{a.ts, b.ts, c.ts}`", {"src/b.ts"}) == "`src/{a.ts, c.ts}`"
    assert drop_facts("`src/{a.ts, b.ts}`", {"src/a.ts", "src/b.ts"}) == ""
    assert drop_facts("`a.ts`", {"b.ts"}) == "`a.ts`"


@pytest.mark.parametrize(
    ("kind", "name", "listed", "done"),
    [
        ("created", "src/export.py", True, True),
        ("created", "export.py", True, True),
        ("created", "…/shop/src/export.py", True, True),
        ("edited", "src/export.py", True, False),  # a list tells what became of a file: it was not there before
        ("edited", "src/export.py", False, True),  # a sentence tells what was done
        ("edited", "xport.py", True, False),
        ("edited", "src/ui/a%20b.ts", True, True),
        ("created", "src/ui/a%20b.ts", True, False),
        ("deleted", "old.py", True, True),
        ("deleted", "src/export.py", True, False),
        ("edited", "secret.py", True, False),
        ("committed", "bc4d18f", True, True),
        ("committed", "bc4d18f00112233", True, False),  # more than git told: only git can know the rest
        ("committed", "bc4d18", True, False),
        ("committed", "deadbee", True, False),
        ("logged", "bb11bb1", True, True),
        ("logged", "aa00aa0", True, False),
        ("touched", "read_tide", False, True),
        ("touched", "slac", False, False),
        ("pulled", "#61", True, True),
        ("pulled", "#62", True, True),
        ("pulled", "#6", True, False),
        ("pulled", "#63", True, True),
        ("pulled", "#64", True, False),  # it only looked
        ("opened", "#62", True, True),
        ("opened", "#61", True, False),
        ("merged", "#63", True, True),
        ("merged", "#61", True, False),
        ("merged", "#62", True, False),
        ("committed", "bb11bb1", True, False),  # new in the log: who made it is not known
        ("logged", "bc4d18f", True, True),
        ("pushed", "", True, True),
        ("kept", "", True, False),
        ("ran", "python3 -m unittest -q", True, True),
        ("ran", "python3 -m unittest", True, False),
        ("ran", "make release", True, False),
        ("ran", "rm -rf /", True, False),
        # A command made it: in a sentence by its last part, in a list by the whole name.
        ("created", "shop/config/b.toml", False, True),
        ("created", "config/b.toml", True, True),
        ("created", "other/b.toml", True, False),
    ],
)
def test_what_was_done_is_in_the_transcript(kind: str, name: str, listed: bool, done: bool) -> None:
    fact = Fact(kind, name, listed=listed)
    fold = Done([fact], str.strip)
    for part in SESSION:
        fold.see(part)
    assert fold.has(fact) is done


@pytest.mark.parametrize(("line", "done"), [(3, True), (5, True), (9, False)])
def test_a_file_is_created_where_it_was_made_and_where_it_was_changed_last(line: int, done: bool) -> None:
    (fact,) = find_claimed("created `a.py`", (), (Pointer("transcript", line=line),), exact=True)
    fold = Done([fact], str.strip)
    for part in [*edit(2, "/home/dev/shop/a.py", "created"), *edit(4, "/home/dev/shop/a.py"), *run(8, "make")]:
        fold.see(part)
    assert fold.has(fact) is done


BRIEF = """\
# Brief: shop

## Convergence
_No conclusion was reached._

## Dead-ends
_Nothing was rejected._

## Code-state
### the session did
- created `src/{export.py, other.py}`, `secret.py` (`transcript:L2-L5`)
- committed `deadbee` (`transcript:L12`)
- committed `bc4d18f` (`transcript:L12`)
### Added by the engine (agent)
- edited `secret.py` so that the key is read from `env.py` (`transcript:L4`)
- created `nothing.py` [unsourced]

## Open-threads & conflicts
_Nothing is open._

## Basics
### Context
- Ran and worked: `rm -rf /`, `python3 -m unittest -q` (`transcript:L8`)

## Sources
- by `agent`
"""


def test_a_brief_that_does_not_say_who_made_it_is_read_as_strictly_as_one_by_the_rules() -> None:
    nameless = BRIEF.partition("\n## Sources")[0]
    assert (15, "unknown") in [(trouble.line, trouble.kind) for trouble in check_text(nameless, SESSION).troubles]
    assert "unknown" not in [trouble.kind for trouble in check_text(BRIEF, SESSION).troubles]


def test_what_the_session_did_not_do_is_told_and_taken_out() -> None:
    report = check_text(BRIEF, SESSION)
    told = [(trouble.line, trouble.was) for trouble in report.troubles if trouble.kind == "untrue"]
    assert told == [(11, "src/other.py"), (11, "secret.py"), (12, "deadbee"), (15, "secret.py"), (23, "rm -rf /")]
    # `env.py` is named and not said to be changed: what is on the disk could tell, and is not there to be asked.
    assert report.facts == {"ok": 3, "untrue": 5, "unchecked": 1}
    assert "- created `src/export.py` (`transcript:L2-L5`)\n- committed `bc4d18f` (`transcript:L12`)\n" in report.text
    assert "is read from `env.py` (`transcript:L4`) [unsourced]\n" in report.text
    assert "- Ran and worked: `python3 -m unittest -q` (`transcript:L8`)\n" in report.text
    assert [trouble for trouble in check_text(report.text, SESSION).troubles if trouble.kind == "untrue"] == []


def test_without_a_transcript_git_tells_of_commits_and_nobody_of_files() -> None:
    text = BRIEF.replace("bc4d18f", "1a2b3c4")
    report = check_text(text, [], SomeFacts())
    assert [trouble.was for trouble in report.troubles if trouble.kind == "untrue"] == ["deadbee"]
    assert report.facts == {"ok": 1, "untrue": 1, "unchecked": 7}
    assert check_text(text, [], NoFacts()).facts == {"unchecked": 9}


def test_a_commit_that_only_git_knows_is_no_trouble() -> None:
    text = BRIEF.replace("deadbee", "1a2b3c4")
    assert "1a2b3c4" not in [trouble.was for trouble in check_text(text, SESSION, SomeFacts()).troubles]


def test_a_definition_is_looked_for_in_the_file_that_is_named() -> None:
    for file, ok in (("a.py", True), ("src/a.py", True), ("b.py", False), ("other/a.py", False), ("…c/a.py", False)):
        line = f"- touched `read_tide`, `slack` in `{file}` (`transcript:L24`)"
        (fact, _) = find_facts(line)
        assert fact.file == file
        fold = Done([fact], str.strip)
        for part in SESSION:
            fold.see(part)
        assert fold.has(fact) is ok, file


def test_only_a_long_name_may_have_lost_its_beginning() -> None:
    path = f"/home/dev/shop/{'deep/' * 30}a%20b.py"
    shown = parse_span(render_path(path, 80)) or ""
    assert is_named(shown, path)
    assert not is_named(shown, path.replace("b.py", "c.py"))
    assert not is_named(f"…{shown[20:]}", path)


def test_a_commit_is_told_with_its_own_subject() -> None:
    for subject, told in (("Read the tides twice", 0), ("Pin the columns", 1)):
        line = f"- committed `bc4d18f`\n  > git, transcript:L10: `{subject}`\n"
        session = [
            *run(9, "git commit -am x", commits=(("bc4d18f", "Read the tides twice"), ("1f225e0", "Pin the columns"))),
        ]
        text = f"## Convergence\n## Dead-ends\n## Code-state\n{line}## Open-threads & conflicts\n## Basics\n"
        assert [one.was for one in check_text(text, session).troubles] == ["bc4d18f"] * told


@pytest.mark.parametrize(
    "line",
    [
        "touched `read_tide` in `wrong.py`",
        "touched `nothing_there`",
        "new in the log: `deadbee`",
        "worked on pull request `#9`",
    ],
)
def test_what_was_not_done_is_told_whatever_kind_it_is_of(line: str) -> None:
    brief = BRIEF.replace("- committed `deadbee` (`transcript:L12`)", f"- {line} (`transcript:L12`)")
    told = [
        trouble for trouble in check_text(brief, SESSION).troubles if trouble.kind == "untrue" and trouble.line == 12
    ]
    assert len(told) == 1


def test_a_commit_that_was_only_new_in_the_log_is_not_the_sessions_though_git_has_it() -> None:
    seen = [*SESSION, *run(40, "git log --oneline -2", logged=(("1a2b3c4", "Of somebody"), ("aa00aa0", "Begin")))]
    text = BRIEF.replace("deadbee", "1a2b3c4")
    assert "1a2b3c4" in [trouble.was for trouble in check_text(text, seen, SomeFacts()).troubles]


@pytest.mark.parametrize(
    ("after", "stated", "untrue"),
    [
        ("git push", "pushed after the last commit.", 0),
        ("git push", "⚑ verify: not pushed, as far as the session shows.", 1),
        ("make", "pushed after the last commit.", 1),
        ("make", "⚑ verify: not pushed, as far as the session shows.", 0),
        ("./push.sh", "pushed after the last commit.", 0),  # nobody can tell
    ],
)
def test_whether_the_last_commit_was_pushed_is_checked(after: str, stated: str, untrue: int) -> None:
    line = f"- {stated} (`transcript:L12`)\n"
    text = BRIEF.replace("- committed `deadbee` (`transcript:L12`)\n", line)
    report = check_text(text, [*SESSION[:-2], *run(30, after)])
    assert [trouble.line for trouble in report.troubles if trouble.kind == "untrue"].count(12) == untrue
    assert (line in report.text) is not bool(untrue)
