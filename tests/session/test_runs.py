"""Which programs a command line runs, and which of them certainly ended well."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thruline.session.runs import find_asked, find_runs, hides_status, opens_pull


def asked(command: str) -> list[tuple[str, bool]]:
    return [(f"{each.program} {each.verb}", each.sure) for each in find_asked(command, "git", "gh")]


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("git push", [("git push", True)]),
        ("git -C ../ferry -c user.name=jo push -u origin tides", [("git push", True)]),
        ("(cd ferry && git push)", [("git push", True)]),
        ("GIT_TRACE=1 sudo git push >log 2>&1", [("git push", True)]),
        ("bash -lc 'make && git push'", [("git push", True)]),
        ("make; git push", [("git push", True)]),
        ("gh -R ferry/times pr merge 42 --squash", [("gh pr merge", True)]),
        ("gh api repos/ferry/times/pulls/42", [("gh api", True)]),
        # How these ended is not known.
        ("git push | tail -3", [("git push", False)]),
        ("git push; make", [("git push", False)]),
        ("git push || true", [("git push", False)]),
        ("git fetch || git push", [("git fetch", False), ("git push", False)]),
        ("git push & wait", [("git push", False)]),
        ("if make; then git push; fi", [("git push", False)]),
        ("git add a.py git push", [("git add", False), ("git push", False)]),  # of two lines
        ("git push && make test …", [("git push", False)]),
        # Text is no command.
        ("git commit -m 'Say when to git push'", [("git commit", True)]),
        ('git commit -am "Don\'t git push; never" && make', [("git commit", True)]),
        (
            'git commit -m "$(cat <<\'EOF\' Don\'t "git push" yet EOF )" && git push',
            [("git commit", True), ("git push", True)],
        ),
        ("git commit -m \"$(cat <<'EOF' Don't git push && then…", [("git commit", False)]),
        ("git commit -m 'shift << two' && git push", [("git commit", True), ("git push", True)]),
        ("cat > a.md <<EOF git push EOF git tag v1", [("git tag", True)]),
        ("echo git push", []),
        ("grep -rn 'git push' docs", []),
        ("make # then git push", []),
    ],
)
def test_only_what_runs_is_found(command: str, found: list[tuple[str, bool]]) -> None:
    assert asked(command) == found


def test_the_values_of_options_that_are_text_are_left_out() -> None:
    (step,) = find_asked("gh pr merge 42 --body 'merge 43' -t 'see 44' --subject='45' --auto", "gh")
    assert step.plain == ["42"]
    assert step.options == ["--body", "-t", "--subject", "--auto"]


@pytest.mark.parametrize(
    ("command", "opens"),
    [
        ("gh pr create --fill", True),
        ('git push && gh pr create --title t --body "$(cat <<\'EOF\'\nIt\'s "done"\nEOF\n)"', True),
        ("glab mr create --fill | tail -1", True),
        ("gh pr create --title 'unclosed", True),
        ("gh pr create --dry-run --fill", False),
        ("git commit -m 'Say when gh pr create is run'", False),
        ("grep -A2 'gh pr create' notes.md", False),
        ("gh pr list --json url # or gh pr create", False),
    ],
)
def test_a_pull_request_is_opened_by_the_program_and_not_by_words(command: str, opens: bool) -> None:
    assert opens_pull(command) is opens


@given(st.text(alphabet="git push-m\"'\\;&|$<>#\n/EOF(){}…", max_size=50))
def test_any_text_can_be_read(command: str) -> None:
    find_runs(command)
    find_asked(command, "git", "gh")


@pytest.mark.parametrize(
    ("command", "hidden"),
    [
        ("make test", False),
        ("cd shop && make test", False),
        ("make test 2>&1", False),
        ("make test > log 2>&1", False),
        ("make test | tail -3", True),
        ("make test || true", True),
        ("make test; echo done", True),
        ("make test &", True),
        ("set -o pipefail; make test | tail -3", False),
        ('git commit -m "a | b; c"', False),
    ],
)
def test_a_pipe_or_a_later_step_hides_how_a_command_ended(command: str, hidden: bool) -> None:
    assert hides_status(command) is hidden


@pytest.mark.parametrize("command", ['cd "" && git push', "cd ''; git commit -m x", 'git -C "" push'])
def test_a_folder_without_a_name_is_where_the_shell_was(command: str) -> None:
    assert [step.folder for step in find_asked(command, "git")] in ([""], ["."])
