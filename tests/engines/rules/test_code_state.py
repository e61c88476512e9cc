"""Code-state has two lists, and they are never merged."""

import pytest

from tests.engines.rules.talk import build
from tests.session.talk import agent, edit, human, run
from thruline.brief.section import Section
from thruline.engines.rules import GitState
from thruline.engines.rules.files import group_names, shorten_path
from thruline.gitfacts import Branch, Change, Commit, NoAnswer, Status

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
