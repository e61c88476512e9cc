"""The ledger holds what happened to files, not what was asked for."""

from thruline.session.ledger import Ledger
from thruline.session.parts import Call, Part, Result


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


def test_of_a_command_run_again_the_last_run_tells() -> None:
    made = ledger(
        Call(1, "a", "Bash", "run", "pytest"),
        Result(2, "a", "error", 9, exit_status=1),
        Call(3, "b", "Bash", "run", "pytest"),
        Result(4, "b", "ok", 9, exit_status=0, commits=(("ab12", "Fix"),)),
    )
    (fact,) = made.commands.values()
    assert (fact.outcome, fact.exit_status, fact.runs, fact.line) == ("ok", 0, 2, 4)
    assert [(each.digest, each.subject, each.line, each.source) for each in made.commits] == [("ab12", "Fix", 4, "")]
