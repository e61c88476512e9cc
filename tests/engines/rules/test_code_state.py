"""Code-state has two lists, and they are never merged."""

import pytest

from tests.engines.rules.talk import build, words
from tests.session.talk import agent, edit, human, run
from thruline.brief.section import Section
from thruline.engines.rules import GitState
from thruline.engines.rules.files import group_names, shorten_path
from thruline.gitfacts import Branch, Change, Commit, DiffStat, FileStat, NoAnswer, Status
from thruline.session.parts import Part

HEAD = "1a2b3c4d" * 5


def texts(section: Section, topic: str) -> list[str]:
    return [claim.text for claim in section.claims if claim.topic == topic]


@pytest.mark.feature("F001-24", via="unit")
def test_what_git_says_and_what_the_session_did_stand_apart() -> None:
    status = Status(Branch("main", HEAD), (Change("notes.md", "", "M"),), (), ("new.py",))
    git = GitState("", status, (Commit(HEAD, "2026-01-01T00:00:00Z", "Jane", "Close the cursor once"),))
    session = [
        human(2, "Fix the export."),
        *edit(3, "/home/dev/shop/src/export.py"),
        *run(5, "git commit -m x", commits=(("9f8e7d6", "Ask after the last key"),)),
        agent(7, "Done."),
    ]
    section = build(session, git=git)["code_state"]
    says, did = texts(section, "git says"), texts(section, "the session did")
    assert any("main" in text and "2 paths not committed" in text for text in says)
    assert any("notes.md" in text and "new.py" in text for text in says)
    quotes = [quote for claim in section.claims for quote in claim.quotes]
    assert [(quote.by, quote.pointer.kind, quote.text) for quote in quotes] == [
        ("git", "commit", "Close the cursor once"),
        ("git", "transcript", "Ask after the last key"),
    ]
    assert any("src/export.py" in text for text in did)
    assert any("9f8e7d6" in text for text in did)
    assert not any("notes.md" in text for text in did)
    assert not any("export.py" in text for text in says)


@pytest.mark.feature("F001-24", via="unit")
@pytest.mark.parametrize(
    ("git", "said"),
    [
        (GitState("Nothing: the project's folder is not a git repository."), "not a git repository"),
        (GitState(status=NoAnswer("timed out", "git took longer than 5 s")), "longer than 5 s"),
        (GitState("", Status(Branch("", ""), (), (), ()), ()), "nothing uncommitted"),
    ],
)
def test_what_git_cannot_say_is_told(git: GitState, said: str) -> None:
    section = build([human(2, "Hello there, my friend.")], git=git)["code_state"]
    assert any(said in text for text in texts(section, "git says"))


def test_a_file_made_and_removed_again_is_told_as_that() -> None:
    session = [*edit(3, "/home/dev/shop/probe.py", "created"), *edit(5, "/home/dev/shop/probe.py", "deleted")]
    section = build(session)["code_state"]
    assert texts(section, "the session did") == ["created and removed again `probe.py`"]


A, B = "/home/dev/shop/a.py", "/home/dev/shop/src/b.py"


@pytest.mark.parametrize(
    ("command", "did"),
    [
        ("git checkout -- a.py", ["edited `src/b.py`", "reverted `a.py`"]),
        ("git checkout a.py", ["edited `src/b.py`", "reverted `a.py`"]),
        ("git restore a.py", ["edited `src/b.py`", "reverted `a.py`"]),
        ("cd src && git restore b.py", ["edited `a.py`", "reverted `src/b.py`"]),
        ("git restore src/", ["edited `a.py`", "reverted `src/b.py`"]),
        ("git checkout .", ["reverted `a.py`, `src/b.py`"]),
        ("git stash", ["stashed `a.py`, `src/b.py`"]),
        ("git stash -k", ["stashed `a.py`, `src/b.py`"]),
        ("git stash push -- a.py", ["edited `src/b.py`", "stashed `a.py`"]),
        ("git stash && git stash drop", ["reverted `a.py`, `src/b.py`"]),
        ("git reset --hard", ["reverted `a.py`, `src/b.py`"]),
        ("git restore --staged a.py", ["edited `a.py`, `src/b.py`"]),
        ("git checkout main", ["edited `a.py`, `src/b.py`"]),
        ("git checkout -b a.py", ["edited `a.py`, `src/b.py`"]),
        ("git stash list", ["edited `a.py`, `src/b.py`"]),
    ],
)
def test_what_git_put_back_is_reverted(command: str, did: list[str]) -> None:
    session = [*edit(3, A), *edit(5, B), *run(7, command)]
    assert texts(build(session)["code_state"], "the session did") == did


def test_what_was_put_back_and_changed_again_is_edited() -> None:
    session = [*edit(3, A), *run(5, "git checkout -- a.py"), *edit(7, A)]
    assert texts(build(session)["code_state"], "the session did") == ["edited `a.py`"]


def test_what_was_committed_before_is_not_put_back() -> None:
    session = [*edit(3, A), *run(5, "git commit -am x", commits=(("9f8e7d6", "Ask once"),)), *run(7, "git restore .")]
    assert "edited `a.py`" in texts(build(session)["code_state"], "the session did")


def test_a_file_that_the_session_made_is_not_put_back() -> None:
    session = [*edit(3, A, "created"), *run(5, "git checkout .")]
    assert texts(build(session)["code_state"], "the session did") == ["created `a.py`"]


def test_a_stash_that_was_taken_up_again_put_nothing_back() -> None:
    session = [*edit(3, A), *run(5, "git stash"), *run(7, "git stash pop")]
    assert texts(build(session)["code_state"], "the session did") == ["edited `a.py`"]


def test_a_stash_taken_up_in_the_same_command_put_nothing_back() -> None:
    session = [*edit(3, A), *run(5, "git stash && make lint; git stash pop")]
    assert texts(build(session)["code_state"], "the session did") == ["edited `a.py`"]


def test_an_edit_undone_by_the_opposite_edit_is_reverted() -> None:
    there, back = edit(3, A, before=1, after=2), edit(5, A, before=2, after=1)
    assert texts(build([*there, *back])["code_state"], "the session did") == ["reverted `a.py`"]
    more = edit(7, A, before=8, after=9)
    assert texts(build([*there, *back, *more])["code_state"], "the session did") == ["edited `a.py`"]
    again = [*edit(7, A, before=1, after=2), *edit(9, A, before=3, after=4)]
    assert texts(build([*there, *back, *again])["code_state"], "the session did") == ["edited `a.py`"]


def test_what_was_put_back_is_not_owed_a_commit() -> None:
    session = [human(2, "Fix it."), *edit(3, A), *run(5, "git checkout -- a.py"), agent(7, "I put it back.")]
    assert not any("committed" in claim.text for claim in build(session)["open_threads"].claims)


@pytest.mark.feature("F001-24", via="unit")
def test_git_says_how_many_lines_differ() -> None:
    status = Status(Branch("main", HEAD), (Change("notes.md", "", "M"), Change("x.png", "", "M")), (), ("new.py",))
    git = GitState("", status, (), DiffStat((FileStat("notes.md", 40, 3), FileStat("x.png", None, None))))
    says = texts(build([human(2, "Hello there, my friend.")], git=git)["code_state"], "git says")
    assert says[1] == "Not committed: `notes.md` +40 -3, `x.png`, `new.py`."


def test_files_that_were_only_read_are_not_changes() -> None:
    section = build(edit(3, "/home/dev/shop/a.py", "read"))["code_state"]
    assert texts(section, "the session did") == ["The session changed no file."]


def test_a_folder_shared_by_several_files_is_told_once() -> None:
    assert group_names(["src/a.py", "src/b.py", "c.py"]) == ["src/{a.py, b.py}", "c.py"]


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/home/dev/shop/src/a.py", "src/a.py"),
        ("/home/dev/shopping/a.py", "…/dev/shopping/a.py"),
        ("/home/dev/.agent/projects/shop/notes/a.md", "…/shop/notes/a.md"),
        ("./a.py", "a.py"),
        ("C:\\work\\a.py", "C:\\work\\a.py"),
    ],
)
def test_paths_are_told_relative_to_the_project(path: str, shown: str) -> None:
    assert shorten_path(path, "/home/dev/shop") == shown


def commits(*digests: str) -> list[Part]:
    return [
        part
        for at, digest in enumerate(digests)
        for part in run(10 * at + 3, "git commit -m x", commits=((digest, f"Step {at}"),))
    ]


def tell_commits(section: Section) -> list[str]:
    return [text for text in texts(section, "the session did") if text.startswith("committed")]


@pytest.mark.parametrize(("room", "quoted", "named"), [(1_500, 1, 6), (2_500, 1, 8), (11_000, 7, 2)])
def test_commits_whose_subjects_have_no_room_are_named_all_the_same(room: int, quoted: int, named: int) -> None:
    newest = [f"{number}a2b3c4" for number in range(8, -1, -1)]
    did = tell_commits(build(commits(*newest[::-1]), room)["code_state"])
    assert did[:quoted] == [f"committed `{digest}`" for digest in newest[:quoted]]
    names = ", ".join(f"`{digest}`" for digest in newest[quoted : quoted + named])
    assert did[quoted:] == [f"committed {names}" + (" and 2 more" if named == 6 else "")]


def test_an_amended_commit_is_not_told_as_standing() -> None:
    amended = run(9, "git commit --amend --no-edit", commits=(("fe01fe0", "Step 0"),))
    did = tell_commits(build([*commits("0a2b3c4"), *amended])["code_state"])
    assert did == ["committed `fe01fe0`"]


def test_what_is_new_in_the_log_is_told_as_that_and_not_as_no_commit() -> None:
    session = [
        *run(3, "git log --oneline -1", logged=(("aaaa111", "Begin"),)),
        *edit(5, "/home/dev/shop/notes.md"),
        *run(7, "git log --oneline -2", logged=(("bbbb222", "Tides get heights"), ("aaaa111", "Begin"))),
    ]
    sections = build(session)
    assert "new in the log: `bbbb222`" in texts(sections["code_state"], "the session did")
    assert not any("made no commit" in claim.text for claim in sections["open_threads"].claims)


def test_a_commit_that_may_have_another_name_since_is_told_with_its_doubt() -> None:
    did = tell_commits(build([*commits("0a2b3c4"), *run(9, "git pull --rebase")])["code_state"])
    assert did == ["committed `0a2b3c4` before a rebase"]


@pytest.mark.parametrize(
    ("command", "outcome", "careful"),
    [("cat a.py", "ok", False), ("touch a.py", "refused", False), ("touch a.py", "ok", True), ("make", "error", True)],
)
def test_that_no_file_was_changed_is_said_only_where_no_command_may_have(
    command: str, outcome: str, careful: bool
) -> None:
    session = [human(2, "See to it."), *run(3, command, outcome), agent(5, "It is seen to.")]
    text = words(build(session)["code_state"])
    assert ("commands may have changed some." in text) is careful
    assert ("The session changed no file." in text) is not careful


SHOP = "/home/dev/shop/src"


def test_what_changed_in_the_project_is_told_before_a_clients_own_plan_outside_of_it() -> None:
    session = [
        human(2, "Fix the export."),
        *edit(3, "/home/dev/.client/plans/witty-cake.md", "created"),
        *edit(5, f"{SHOP}/export.py"),
        agent(7, "The export is fixed: it asks for the rows after the last key."),
    ]
    claims = [claim for claim in build(session)["code_state"].claims if claim.topic == "the session did"]
    best = max(claims, key=lambda claim: claim.weight)
    assert best.text == "edited `src/export.py`"


def test_the_range_of_a_files_changes_begins_at_its_first() -> None:
    session = [*edit(3, f"{SHOP}/a.py"), *edit(7, f"{SHOP}/b.py"), *edit(9, f"{SHOP}/a.py")]
    (claim,) = [
        claim for claim in build([human(2, "Fix it."), *session])["code_state"].claims if "edited" in claim.text
    ]
    assert [pointer.render() for pointer in claim.pointers] == ["transcript:L4-L10"]
