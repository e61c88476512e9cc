"""What git put back, by its options, its names and the folder that it worked in; and what it did not."""

import pytest

from tests.calls import count_calls
from tests.engines.rules.talk import fold, render
from tests.session.talk import agent, edit, human, run
from thruline.engines.rules.files import find_touched
from thruline.engines.rules.reverted import find_reverted
from thruline.session.ledger import Ledger
from thruline.session.parts import Changed, Part

SHOP = "/home/dev/shop"


def judge(*session: Part) -> dict[str, str]:
    facts = fold(session)
    return {each.name: each.how for each in find_touched(facts.ledger, facts.summary.cwd)}


@pytest.mark.parametrize(
    "command",
    [
        "git checkout a.py",
        "git checkout -- a.py",
        "git checkout HEAD -- a.py",
        "git checkout HEAD a.py",
        "git restore a.py",
        "git restore --source=HEAD --staged --worktree a.py",
        "git stash && git stash drop",
        "git stash push -m wip -- a.py && git stash clear",
        "git checkout .",
        "git reset --hard",
        "git reset --hard origin/main",
        f"cd {SHOP} && git checkout -- .",
        f"git -C {SHOP} restore .",
        "cd src && git checkout ../a.py",
        "sudo git checkout a.py",
    ],
)
def test_what_git_certainly_puts_back_is_reverted(command: str) -> None:
    assert judge(*edit(2, f"{SHOP}/a.py"), *run(4, command)) == {"a.py": "reverted"}


@pytest.mark.parametrize(
    "command",
    [
        "cd src && git checkout a.py",
        "git -C ../quay checkout -- .",
        "(cd ../quay && git checkout .)",
        "git worktree add ../tides && cd ../tides && git checkout -- .",
        "cd /srv/quay && git init -q && git reset --hard",
        "cd $WORK && git checkout -- .",
        "git stash push -m wip b.py",
        "git stash push -m a.py -- b.py",
        "git stash -p",
        "git stash --staged",
        "git checkout --ours a.py",
        "git checkout -p a.py",
        "git checkout main -- a.py",
        "git checkout main a.py",
        "git restore --source=HEAD~3 a.py",
        "git restore -s main a.py",
        "git restore --staged a.py",
        "git checkout v1.2",
        "echo git checkout a.py",
    ],
)
def test_what_git_puts_back_elsewhere_in_part_or_from_another_commit_is_not_reverted(command: str) -> None:
    assert judge(*edit(2, f"{SHOP}/a.py"), *run(4, command)) == {"a.py": "edited"}


def test_a_name_counts_from_the_folder_that_the_session_was_in() -> None:
    both = [*edit(2, f"{SHOP}/a.py"), *edit(4, f"{SHOP}/src/a.py")]
    assert judge(*both, Changed(6, "cwd", f"{SHOP}/src"), *run(7, "git checkout a.py")) == {
        "src/a.py": "reverted",
        "a.py": "edited",
    }
    assert judge(*both, Changed(6, "cwd", "/srv/quay"), *run(7, "git checkout -- .")) == {
        "src/a.py": "edited",
        "a.py": "edited",
    }


def test_on_windows_all_below_the_folder_is_put_back() -> None:
    facts = fold([Changed(1, "cwd", "C:\\shop"), *edit(2, "C:\\shop\\a.py"), *run(4, "git checkout .")])
    assert [each.how for each in find_touched(facts.ledger, "C:\\shop")] == ["reverted"]


@pytest.mark.parametrize(
    ("back", "how"),
    [
        ("git reset --hard HEAD~1", "reverted"),
        ("git reset --hard HEAD~1 && git push -f", "reverted"),
        ("git reset --soft HEAD~1 && git checkout -- a.py", "edited"),
        ("git checkout -- a.py", "edited"),
    ],
)
def test_a_reset_over_the_sessions_own_commits_puts_their_changes_back(back: str, how: str) -> None:
    commit = run(4, "git commit -am x", commits=(("c1c1c1c", "x"),))
    amend = run(6, "git commit --amend -m y", commits=(("c2c2c2c", "y"),))
    assert judge(*edit(2, f"{SHOP}/a.py"), *commit, *run(8, back)) == {"a.py": how}
    assert judge(*edit(2, f"{SHOP}/a.py"), *commit, *amend, *run(8, back)) == {"a.py": how}


def test_what_was_said_of_a_change_falls_with_the_commit_that_a_reset_took_back() -> None:
    said = "The parser reads every line twice, so I fixed `a.py`."
    commit = run(5, "git commit -am x", commits=(("c1c1c1c", "x"),))
    session = [human(2, "Fix it."), *edit(3, f"{SHOP}/a.py"), *commit, agent(7, said), human(8, "Take it back.")]
    assert said in render([*session, agent(12, "Done.")])
    assert said not in render([*session, *run(9, "git reset --hard HEAD~1"), agent(12, "It is as it was.")])


@pytest.mark.parametrize("form", ["/home/dev/shop/src/f{}.py", "src/f{}.py"])
@pytest.mark.parametrize("lead", ["", "cd deep{} && "])
def test_many_files_that_are_put_back_one_by_one_are_found_in_one_go(form: str, lead: str) -> None:
    def find(count: int) -> int:
        ledger = Ledger()
        ledger.see_all([Changed(1, "cwd", SHOP)])
        for number in range(count):
            ledger.see_all(edit(10 * number + 2, form.format(number)))
        for number in range(count):
            command = lead.format(number) + f"git checkout -- {'../' if lead else ''}src/f{number}.py"
            ledger.see_all(run(10 * (count + number), command))
        assert len(find_reverted(ledger, SHOP)) == (0 if lead and not form.startswith("/") else count)
        return count_calls(lambda: find_reverted(ledger, SHOP))

    assert find(400) < 3 * find(200)  # where each asks all files, it is four times as much


def test_a_file_told_from_the_folder_of_the_step_is_put_back_there() -> None:
    for path, command, back in [
        ("a.py", "git checkout .", True),
        ("./a.py", "git checkout a.py", True),
        ("../quay/a.py", "git checkout .", False),
        ("../quay/a.py", "git -C ../quay checkout b.py", False),
        ("src/a.py", "git checkout -- src", True),
        ("src/a.py", "git checkout -- ../shop", True),
    ]:
        assert list(judge(*edit(2, path), *run(4, command)).values()) == ["reverted" if back else "edited"], path
