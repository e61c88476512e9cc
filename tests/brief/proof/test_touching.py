"""A file that no edit tells of is known by a command that names it and can have done what is told."""

import pytest

from tests.session.talk import run
from thruline.brief.claims.stated import Fact
from thruline.brief.proof.done import Done


@pytest.mark.parametrize(
    ("command", "kind", "name", "done"),
    [
        ("sed -i s/a/b/ src/import.py", "edited", "src/import.py", True),
        ("sed -i s/a/b/ src/import.py", "edited", "import.py", True),
        ("sed -i s/a/b/ src/import.py", "edited", "mport.py", False),
        ("sed -i s/a/b/ src/import.py", "deleted", "src/import.py", False),
        ("python3 -m unittest -q", "edited", "unittest", False),
        ("python3 -m unittest -q", "deleted", "unittest", False),
        ("make > build.log", "created", "build.log", True),
        ("cat build.log", "edited", "build.log", False),
        ("touch 'a b.txt'", "created", "a%20b.txt", True),
        ("touch Makefile", "created", "Makefile", True),
        ("rm -rf dist", "deleted", "dist", True),
        ("rm -rf dist", "deleted", "rm", False),
        ("git mv gone.py new.py", "deleted", "gone.py", True),
        ("python3 -c \"import os; os.remove('gone.py')\"", "deleted", "gone.py", True),
        ("find . -name x.tmp -delete", "deleted", "x.tmp", True),
    ],
)
def test_a_command_names_a_file_as_a_whole_and_must_do_what_is_told(
    command: str, kind: str, name: str, done: bool
) -> None:
    fact = Fact(kind, name)
    fold = Done([fact], str.strip)
    for part in run(30, command):
        fold.see(part)
    assert fold.has(fact) is done
