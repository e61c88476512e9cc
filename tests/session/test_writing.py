"""Which files a command line certainly wrote: each is there, and new or written to, when a real shell has run it."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.calls import count_calls
from tests.session.git_shop import run_shell
from thruline.session.file_changes import find_file_changes
from thruline.session.writing import drop_documents

OLD = 1_000_000_000


def find_written(command: str) -> list[str]:
    return [path for path, how in find_file_changes(command)[0] if how == "written"]


WRITING = [
    ("cat > n.txt <<'EOF'\nrm old.py && echo $x > not.py\nEOF", ["n.txt"]),
    ("cat <<EOF > n.txt\none\nEOF", ["n.txt"]),
    ("cat <<-EOF > n.txt\n\tone\n\tEOF", ["n.txt"]),
    ('cat << "END" > n.txt && ls\nEOF\nEND', ["n.txt"]),
    ("cat <<A <<B > n.txt\none\nA\ntwo\nB", ["n.txt"]),
    ("echo one > n.txt", ["n.txt"]),
    ("echo one >n.txt", ["n.txt"]),
    ("echo one >> old.py", ["old.py"]),
    ("echo one > 'n n.txt'", ["n n.txt"]),
    ("echo one &> n.txt", ["n.txt"]),
    ("ls 1> n.txt 2> err.txt", ["n.txt"]),
    ("> n.txt", ["n.txt"]),
    ("echo one | tee n.txt", ["n.txt"]),
    ("echo one | tee -a old.py m.txt > /dev/null", ["old.py", "m.txt"]),
    ("ls | sort | tee n.txt && ls", ["n.txt"]),
    ("sed -i 's/old/new/' old.py", ["old.py"]),
    ("sed -i.bak 's/old/new/' old.py", ["old.py"]),
    ("sed -E -i -e 's/old/new/' -e '1d' old.py lib/x.py", ["old.py", "lib/x.py"]),
    ('sed -i "s/old$/new/" old.py', ["old.py"]),
    ("sed --in-place 's/old/new/' old.py 2>&1", ["old.py"]),
    ("cp old.py n.py", ["n.py"]),
    ("cp old.py lib/x.py pack/", ["pack/old.py", "pack/x.py"]),
    ("cp old.py lib/x.py pack", ["pack/old.py", "pack/x.py"]),
    ("cp lib/x.py .", ["./x.py"]),
    ("cd lib && echo one > n.txt && ls", ["lib/n.txt"]),
    ("ls; echo one > n.txt", ["n.txt"]),
    ("true && echo one > n.txt && echo two > m.txt", ["n.txt", "m.txt"]),
    ("for each in 1 2; do echo $each; done > n.txt", ["n.txt"]),
    ("[[ b > a ]] && echo one > n.txt", ["n.txt"]),
    ("echo one > n.txt 2>&1", ["n.txt"]),
]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(("command", "written"), WRITING)
def test_what_is_told_to_be_written_was_written_by_a_real_shell(
    tmp_path: Path, command: str, written: list[str]
) -> None:
    assert find_written(command) == written
    for name in ("old.py", "lib/x.py", "pack/y.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("old\n")
        os.utime(tmp_path / name, (OLD, OLD))
    assert run_shell(tmp_path, command) == 0
    assert all((tmp_path / name).stat().st_mtime > OLD for name in written)


@pytest.mark.parametrize(
    "command",
    [
        "echo one > $F",
        'echo one > "$F"',
        "echo one > *.txt",
        "echo one > /dev/null",
        "echo one 2> err.txt",
        "echo one >&2",
        "make >log.txt || true",
        "make > log.txt; true",
        "make > log.txt | cat",
        "make > log.txt &",
        "false || echo one > n.txt",
        "if make; then echo one > n.txt; fi",
        "(cd lib && echo one > n.txt && ls)",
        "cd $D && echo one > n.txt",
        "cd lib; echo one > n.txt",
        "echo 'a > b.txt'",
        'echo "a" ">" b.txt',
        "echo a \\> b.txt",
        "awk '$1 > 5' rows.txt",
        "[[ b > a ]]",
        "diff <(ls) >(cat)",
        "grep -n '<b>' page.html",
        "git commit -m 'a -> b' && git log",
        "cat <<EOF\necho one > n.txt\nEOF",
        "cat <<EOF > n.txt\nno end",
        "cat <<< text > n.txt",
        "python3 - <<'EOF'\nopen('n.txt', 'w')\nEOF",
        # That it ended well says nothing of the first of two lines.
        "cat > n.txt <<EOF\none\nEOF\nls",
        "tee $F",
        "tee --help",
        "echo tee n.txt",
        "sed 's/a/b/' old.py",
        "sed -n 1,5p old.py",
        "sed -i -f script.sed",
        "sed -i 's/a/b/' *.py",
        "cp old.py lib",
        "cp -r lib pack",
        "cp -n old.py n.py",
        "cp -t lib old.py",
        "cp *.py lib/",
        "mkdir lib",
        "mkdir -p lib/deep",
        "touch n.txt",
        "ssh host 'echo one > n.txt'",
    ],
)
def test_what_nobody_can_be_certain_of_is_not_told(command: str) -> None:
    assert find_written(command) == []


def test_what_was_written_and_moved_or_removed_is_told_in_its_order() -> None:
    changes, moves = find_file_changes("sed 1d a.py > a.tmp && mv a.tmp a.py")
    assert changes == (("a.tmp", "written"), ("a.tmp", "deleted"))
    assert [move[:3] for move in moves] == [("a.tmp", "a.py", False)]
    assert find_file_changes("echo > x && rm x")[0] == (("x", "written"), ("x", "deleted"))
    assert find_file_changes("rm x && echo > x")[0] == (("x", "written"),)


@given(st.text(alphabet="<<'\"EOF-\n >ab1$", max_size=40))
def test_any_text_may_hold_documents(command: str) -> None:
    text = drop_documents(command)
    assert text is None or len(text) <= len(command)


def test_a_line_of_many_documents_is_read_in_one_go() -> None:
    def read(count: int) -> int:
        text = "".join(f"cat > a{number} <<EOF &&\none\nEOF\n" for number in range(count)) + "ls"
        return count_calls(lambda: find_file_changes(text))

    assert read(800) < 3 * read(400)
