"""What the record tells without anybody's words: commands, edits put back, rewinds, files and commits."""

from tests.session.talk import agent, edit, human, run
from tests.signals.miner.kinds import kinds
from thruline.session import parts
from thruline.session.parts import Call, Result, Rewound
from thruline.signals.miner import mine


def test_a_command_that_failed_and_gave_way_is_a_dead_end() -> None:
    found = mine([*run(1, "pytest tests -x", parts.ERROR), *run(3, "pytest tests --lf")])
    (dead,) = kinds(found, "dead_end")
    assert (dead.quote, dead.about, dead.variety) == ("pytest tests -x", "pytest tests --lf", "command")
    assert [signal.quote for signal in kinds(found, "command")] == ["pytest tests --lf"]


def test_a_command_that_failed_and_then_passed_is_no_dead_end() -> None:
    found = mine([*run(1, "make test", parts.ERROR), *run(3, "make test")])
    assert kinds(found, "dead_end") == []
    assert [signal.line for signal in kinds(found, "command")] == [3]


def test_an_edit_put_back_is_a_dead_end() -> None:
    found = mine(
        [
            *edit(1, "/a.py", before=11, after=22),
            *edit(3, "/b.py", before=22, after=11),
            *edit(5, "/a.py", before=22, after=11),
        ]
    )
    (dead,) = kinds(found, "dead_end")
    assert (dead.line, dead.quote, dead.variety, dead.about) == (5, "/a.py", "edit_undone", "edit at L1")


def test_an_edit_that_only_ends_in_the_same_words_undoes_nothing() -> None:
    assert (
        kinds(mine([*edit(1, "/a.py", before=11, after=22), *edit(3, "/a.py", before=33, after=11)]), "dead_end") == []
    )


def test_what_a_rewind_left_behind_is_a_dead_end() -> None:
    found = mine([human(1, "start"), agent(2, "Ok."), human(3, "try threads"), agent(4, "Done."), Rewound(5, 3, 4)])
    (dead,) = kinds(found, "dead_end")
    assert (dead.line, dead.quote, dead.variety) == (3, "try threads", "rewind")


def test_a_stopped_subagent_is_a_dead_end() -> None:
    call = Call(1, "c1", "Task", "delegate", "Look for leaks")
    (dead,) = mine([call, Result(2, "c1", parts.INTERRUPTED, 10)])
    assert (dead.kind, dead.quote, dead.variety) == ("dead_end", "Look for leaks", "subagent")


def test_files_and_commits_are_told_by_the_record() -> None:
    commit = [
        Call(5, "c5", "Bash", "run", "git commit -m x"),
        Result(6, "c5", parts.OK, 10, commits=(("abc1234", "Add it"),)),
    ]
    found = mine([*edit(1, "/a.py", before=1, after=2), *commit])
    (file,) = kinds(found, "file")
    assert (file.quote, file.variety, file.line) == ("/a.py", "edited", 1)
    (made,) = kinds(found, "commit")
    assert (made.quote, made.about, made.line) == ("Add it", "abc1234", 6)
