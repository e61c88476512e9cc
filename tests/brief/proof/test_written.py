"""Files that only commands wrote: told as written, never as created or edited, and with no flag of their own."""

import pytest

from tests.brief.by_rules import find_troubles, render_rules
from tests.brief.shop import SHOP, do, session
from tests.session.talk import edit

WRITTEN = session(do(3, "cat > src/a.py <<'EOF'\nprint()\nEOF"), do(5, "sed -i 's/a/b/' src/b.py"), do(7, "make"))
LINE = "- written by commands `src/{a.py, b.py}` (`transcript:L4-L6`)"


def test_what_commands_wrote_is_told_as_written() -> None:
    text = render_rules(WRITTEN)
    assert LINE in text.splitlines()
    assert "uncommitted" not in text
    assert find_troubles(text, WRITTEN) == []


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([edit(3, f"{SHOP}/a.py", "created"), do(5, "sed -i 's/a/b/' a.py")], "- created `a.py`"),
        ([edit(3, f"{SHOP}/a.py"), do(5, "sed -i 's/a/b/' a.py")], "- edited `a.py`"),
        ([do(3, "echo one > a.py"), edit(5, f"{SHOP}/a.py")], "- edited `a.py`"),
        ([do(3, "echo one > a.py"), do(5, "mv a.py b.py")], "- written by commands `b.py`"),
        ([do(3, "jq . a.json > a.tmp && mv a.tmp a.json")], "- written by commands `a.json`"),
        ([edit(3, f"{SHOP}/a.py", "read"), do(5, "echo one > a.py"), do(7, "rm a.py")], "- deleted `a.py`"),
        ([edit(3, f"{SHOP}/a.py", "created"), do(5, "cp a.py b.py")], "- written by commands `b.py`"),
    ],
)
def test_what_else_is_known_of_it_counts_more(steps: list, told: str) -> None:  # type: ignore[type-arg]
    parts = session(*steps)
    text = render_rules(parts)
    assert told in text
    assert find_troubles(text, parts) == []


@pytest.mark.parametrize(
    "command", ["echo one > a.py && rm a.py", "make > /tmp/out.log", "make > ../log.txt", "mkdir src", "touch a.py"]
)
def test_what_is_gone_or_outside_or_not_certain_is_not_told(command: str) -> None:
    parts = session(do(3, command))
    text = render_rules(parts)
    assert "written" not in text
    assert "deleted" not in text
    assert find_troubles(text, parts) == []


@pytest.mark.parametrize(
    "changed",
    [
        "- created `src/{a.py, b.py}` (`transcript:L4-L6`)",
        "- edited `src/{a.py, b.py}` (`transcript:L4-L6`)",
        "- deleted `src/{a.py, b.py}` (`transcript:L4-L6`)",
        "- written by commands `src/{a.py, c.py}` (`transcript:L4-L6`)",
        "- written by commands `src/{a.py, b.py}` and 2 more (`transcript:L4-L6`)",
        "- written by commands `src/{a.py, b.py}` (`transcript:L2`)",
        "- written by the user `src/{a.py, b.py}` (`transcript:L4-L6`)",
        "_The session changed no file._",
    ],
)
def test_another_word_for_what_commands_wrote_is_noticed(changed: str) -> None:
    text = render_rules(WRITTEN)
    assert find_troubles(text.replace(LINE, changed), WRITTEN) != []


def test_who_tells_no_place_may_say_that_a_file_that_a_command_wrote_was_created() -> None:
    text = render_rules(WRITTEN).replace(LINE, "- created `src/{a.py, b.py}`")
    assert "untrue" not in find_troubles(text, WRITTEN)
