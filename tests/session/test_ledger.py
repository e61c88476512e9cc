"""The ledger holds what happened to files, not what was asked for."""

import pytest

from thruline.session.ledger import Ledger
from thruline.session.parts import Call, Part, Result
from thruline.session.symbols import MADE


def ledger(*parts: Part) -> Ledger:
    made = Ledger()
    for part in parts:
        made.see(part)
    return made


def test_a_file_counts_only_once_its_change_really_happened() -> None:
    made = ledger(
        Call(1, "a", "Write", "write", "new.py", paths=("new.py",)),
        Result(2, "a", "ok", 9, changes=(("new.py", "created"),)),
        Call(3, "b", "Edit", "edit", "old.py", paths=("old.py",)),
        Result(4, "b", "refused", 9),
        Call(5, "c", "Edit", "edit", "new.py", paths=("new.py",)),
        Result(6, "c", "ok", 9, changes=(("new.py", "edited"),)),
    )
    (fact,) = made.files.values()
    assert (fact.path, fact.how, fact.first, fact.last, fact.touches) == ("new.py", ["created", "edited"], 2, 6, 2)


def test_who_looks_at_a_file_again_changes_nothing() -> None:
    made = ledger(
        Result(2, "a", "ok", 9, changes=(("tide.py", "read"),)),
        Result(4, "b", "ok", 9, changes=(("tide.py", "edited"),)),
        Result(6, "c", "ok", 9, changes=(("tide.py", "read"),)),
        Result(8, "d", "ok", 9, source="a1", changes=(("tide.py", "read"),)),
    )
    (fact,) = made.files.values()
    assert (fact.first, fact.last, fact.source, fact.changes, fact.touches) == (4, 4, "", 1, 4)


def test_of_a_command_run_again_the_last_run_tells() -> None:
    made = ledger(
        Call(1, "a", "Bash", "run", "git commit -am Fix"),
        Result(2, "a", "error", 9, exit_status=1),
        Call(3, "b", "Bash", "run", "git commit -am Fix"),
        Result(4, "b", "ok", 9, exit_status=0, commits=(("ab12", "Fix"),)),
    )
    (fact,) = made.commands.values()
    assert (fact.outcome, fact.exit_status, fact.runs, fact.line) == ("ok", 0, 2, 4)
    assert [(each.digest, each.subject, each.line, each.source) for each in made.commits] == [("ab12", "Fix", 4, "")]


@pytest.mark.parametrize(
    ("command", "count"),
    [
        ("cd /tmp && mkdir x && cd x && git init && git add . && git commit -m init", 0),
        ("d=$(mktemp -d) && cd $d && git init -q && git commit --allow-empty -m init", 0),
        ("git init -q /tmp/x && git -C /tmp/x commit --allow-empty -m init", 0),
        ("git init && git add . && git commit -m init", 1),
        ("cd /tmp/project && git commit -am fix", 1),
    ],
)
def test_a_commit_in_a_repository_made_to_try_something_is_not_the_sessions(command: str, count: int) -> None:
    made = ledger(Call(1, "a", "Bash", "run", command), Result(2, "a", "ok", 9, commits=(("ab12", "init"),)))
    assert len(made.commits) == count


def symbols(made: Ledger) -> dict[str, list[str]]:
    return {fact.path: list(fact.symbols) for fact in made.files.values()}


def write(line: int, path: str, *names: str, how: str = "created") -> list[Part]:
    given = tuple((name, MADE) for name in names)
    return [
        Call(line, f"w{line}", "Write", "write", path, paths=(path,), symbols=given),
        Result(line + 1, f"w{line}", "ok", 9, changes=((path, how),)),
    ]


def delete(line: int, path: str) -> list[Part]:
    call = Call(line, f"r{line}", "Bash", "run", f"rm -r {path}")
    return [call, Result(line + 1, f"r{line}", "ok", 9, changes=((path, "deleted"),))]


def test_a_definition_is_gone_with_its_file() -> None:
    assert symbols(ledger(*write(1, "tide.py", "read_tide"), *delete(3, "tide.py"))) == {"tide.py": []}


def test_a_file_made_again_has_what_it_has_now() -> None:
    made = ledger(*write(1, "t.py", "read_tide"), *delete(3, "t.py"), *write(5, "t.py", "print_tide"))
    assert symbols(made) == {"t.py": ["print_tide"]}


def test_a_file_written_over_keeps_only_what_it_still_defines() -> None:
    made = ledger(*write(1, "t.py", "read_tide", "slack"), *write(3, "t.py", "slack", "quay", how="edited"))
    assert symbols(made) == {"t.py": ["slack", "quay"]}
    assert symbols(ledger(*write(1, "t.py", "read_tide"), *write(3, "t.py", how="edited"))) == {"t.py": []}
