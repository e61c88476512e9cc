"""Thousands of names are looked up in thousands of texts, not each in each."""

import pytest

from tests.session.talk import run
from thruline.brief.claims.mentioned import NAMED_COMMIT, NAMED_DIGITS, NAMED_FILE, SAID_RUN, SAID_WORKED
from thruline.brief.claims.stated import Fact
from thruline.brief.proof import known
from thruline.brief.proof.known import Mentioned
from thruline.session.parts import Said

MANY = 2_000


@pytest.mark.parametrize("name", ["src/m{}.py", "src{}/index.js", "/shop/src{}/index.js", "abc{:07x}"])
def test_a_name_is_held_against_the_places_that_have_its_rarest_word(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(known, "_stands_at", lambda *given: asked.append(given))
    fold = Mentioned([Fact(NAMED_FILE, name.format(number)) for number in range(MANY)])
    for line in range(1, MANY):
        fold.see(Said(line, "agent", "text", f"The index.js in src is like {name.format(line)}, as before."))
    assert len(asked) < 2 * MANY
    assert len(fold.find_missing()) == MANY


def test_a_command_is_held_against_those_that_have_its_rarest_word(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(known, "_runs", lambda *given: asked.append(given))
    fold = Mentioned([Fact(SAID_RUN, f"make m{number} -s") for number in range(MANY)])
    for number in range(1, MANY):
        for part in run(10 * number, f"make m{number} -s && make all"):
            fold.see(part)
    assert len(fold.find_missing()) == MANY
    assert len(asked) == MANY - 1


@pytest.mark.parametrize(
    ("name", "text", "there"),
    [
        ("src/a.py", "see /shop/src/a.py.", True),
        ("src/a.py", "see src/a.pyx and xsrc/a.py", False),
        ("./src/a.py", "it is (src/a.py)", True),
        ("/shop/src/a.py", "src/a.py", True),
        ("/shop/src/a.py", "rc/a.py", False),
        (".github/x.yml", "in .github/x.yml", True),
        ("a-b.py", "in b.py", False),
        ("b.py", "in a-b.py", False),
    ],
)
def test_a_name_stands_in_a_text_as_a_whole_or_as_the_end_of_a_path(name: str, text: str, there: bool) -> None:
    fold = Mentioned([Fact(NAMED_FILE, name)])
    fold.see(Said(1, "human", "turn", text))
    assert fold.has(Fact(NAMED_FILE, name)) is there


@pytest.mark.parametrize(
    ("name", "command", "there"),
    [
        ("pytest -q -x", "cd src && /venv/bin/pytest -x tests -q", True),
        ("python -m pytest", "python3.11 -m pytest -q", True),
        ("make deploy", "make lint", False),
        ("make a b", "make b a", False),
        ("make …", "make b", True),
        ("ship it now", "ls", True),  # no command: nobody ran any such program
        ("ship it now", "ship it then", False),
        ("export orders", "export orders=1", True),  # a word of shells and of everybody
    ],
)
def test_what_is_a_command_must_have_run(name: str, command: str, there: bool) -> None:
    fact = Fact(SAID_RUN, name)
    fold = Mentioned([fact])
    for part in run(10, command):
        fold.see(part)
    assert fold.has(fact) is there


def test_a_commit_is_known_by_a_part_of_its_name_and_a_run_that_failed_did_not_work() -> None:
    facts = [Fact(NAMED_COMMIT, "1a2b"), Fact(NAMED_DIGITS, "1a2b3c4d5e6f"), Fact(SAID_WORKED, "make lint")]
    fold = Mentioned(facts)
    for part in (*run(10, "git commit -m x", commits=(("1a2b3c4", "x"),)), *run(20, "make lint", outcome="error")):
        fold.see(part)
    assert fold.find_missing() == facts[2:]
