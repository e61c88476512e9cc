"""What a command line certainly removed or moved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.calls import count_calls
from thruline.session.file_changes import find_file_changes


@pytest.mark.parametrize(
    ("command", "changes"),
    [
        ("rm a.txt", [("a.txt", "deleted")]),
        ("rm -rf build 'old file' && make", [("build", "deleted"), ("old file", "deleted")]),
        ("git rm src/a.py", [("src/a.py", "deleted")]),
        ("git mv a.py b.py", [("a.py", "deleted"), ("b.py", "created")]),
        ("mv a.py lib/", [("a.py", "deleted"), ("lib/a.py", "created")]),
        ("mv a.py lib", [("a.py", "deleted")]),
        ("cd api && rm x.py", [("api/x.py", "deleted")]),
        ("cd api && rm /tmp/x", [("/tmp/x", "deleted")]),
        ("make; rm x", [("x", "deleted")]),
        ("rm a # but not b", [("a", "deleted")]),
        ("rm a\\ b", [("a b", "deleted")]),
        ("rm a 2>/dev/null", [("a", "deleted")]),
        ("cat <<EOF && rm a\ntext\nEOF", [("a", "deleted")]),
        ("ls | grep x && rm a", [("a", "deleted")]),
        ("cd api/ && rm x.py", [("api/x.py", "deleted")]),
        ("git && rm a", [("a", "deleted")]),
    ],
)
def test_what_a_successful_command_removed(command: str, changes: list[tuple[str, str]]) -> None:
    assert list(find_file_changes(command)[0]) == changes


@pytest.mark.parametrize(
    "command",
    [
        "rm *.py",
        "rm $FILE",
        'rm "$FILE"',
        "rm {a,b}",
        "rm ~/x",
        "rm a; true",
        "rm a || true",
        "rm a | cat",
        "test -f a && echo 'rm b' || rm c",
        "cd api; rm a",
        "cd $D && rm a",
        "git rm --cached a",
        "git commit -m 'rm a'",
        "cat <<EOF\nrm a\nEOF",
        "echo confirm a",
        "rm -i a",
        "git rm -n a",
        "git rm --dry-run a",
        "git mv -n a.py b.py",
        "git mv --dry-run a.py b.py",
        "mv -i a.py b.py",
        "mv -t lib a.py",
        "mv --no-clobber a.py b.py",
        "make; cd api; rm a",
        "cd && rm a",
        "sleep 1 && rm a &",
        "if x; then rm a; fi",
        "(cd b && rm a)",
        "(cd b && rm a && ls)",
        "(cd b; ls && rm a && ls)",
        "for each in x y; do cd $each; done; rm a",
        "ls | cd b && rm a",
        "true || ls | cat && rm a",
        "rm 'unclosed",
    ],
)
def test_what_is_not_certain_is_not_told(command: str) -> None:
    assert find_file_changes(command)[0] == ()


@pytest.mark.parametrize(
    ("command", "gone"),
    [
        ("rm -rf build && mkdir build", []),
        ("rm -rf build && mkdir -p build/docs && cd build/docs", []),
        ("rm -rf build && echo x > build/a", []),
        ("rm a.py && touch ./a.py b.py", []),
        ("rm -rf /w/x && git clone . /w/x", []),
        ("rm a.py && git checkout a.py", []),
        ("rm a.py b.py && cp c.py b.py", ["a.py"]),
        ("rm -rf build && mkdir builds", ["build"]),
        ("rm a.py && git add a.py && git commit -m x a.py", ["a.py"]),
        ("rm a.py && ls a.py", ["a.py"]),
        ("mkdir build && rm -rf build", ["build"]),
        ("rm -rf build/ && mkdir build", []),
        ("rm a.py && echo x >a.py", []),
        ("rm a.py && ls 2>a.py", []),
        ("rm a.py && hg add a.py", []),
        ("rm a.py && git", ["a.py"]),
        ("rm a.py && test ! -f a.py", ["a.py"]),
        ("rm a.py && [ ! -f a.py ]", ["a.py"]),
        ("rm a.py && find . -name a.py", ["a.py"]),
        ("rm a.py && git grep a.py", ["a.py"]),
    ],
)
def test_what_a_later_step_may_have_made_again_was_not_removed(command: str, gone: list[str]) -> None:
    assert [path for path, how in find_file_changes(command)[0] if how == "deleted"] == gone


@given(st.text(alphabet="rmv git cd\"'\\;&|$<>#\n/ab-", max_size=40))
def test_any_text_is_a_command_line(command: str) -> None:
    assert all(how in ("deleted", "created", "written") for _, how in find_file_changes(command)[0])


def test_a_line_of_many_steps_is_read_in_one_go() -> None:
    def read(count: int) -> int:
        steps = " && ".join(f"rm a{number} && touch b{number}" for number in range(count))
        assert len(find_file_changes(steps)[0]) == count
        return count_calls(lambda: find_file_changes(steps)[0])

    assert read(2_000) < 3 * read(1_000)  # where each step asks all that were removed, it is four times as much


def test_a_line_that_goes_down_thousands_of_folders_is_read() -> None:
    deep = "rm b && " + "cd a && " * 20_000 + "rm c && touch " + "a/" * 50_000
    assert find_file_changes(deep)[0] == (("b", "deleted"),)
