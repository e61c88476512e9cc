"""A fork is read with what came before it, each line under the label of the file it stands in."""

from pathlib import Path

import pytest

from thruline.operations.sessions.locate import locate
from thruline.operations.sessions.reading import Reading
from thruline.session.parts import Said

HERE = Path(__file__).parent
BASE = next(HERE.glob("samples/*01a1e232*.jsonl"))
FORK = next(HERE.glob("relatives/*7346*.jsonl"))


@pytest.fixture
def fork(tmp_path: Path) -> Path:
    """The fork beside its base, which went on after the fork was made."""
    base = BASE.read_bytes()
    later = base.splitlines(keepends=True)[-1].replace(b'"ordinal":168', b'"ordinal":169')
    later = later.replace(b'"type":"task_complete"', b'"type":"user_message","message":"Another branch"')
    (tmp_path / BASE.name).write_bytes(base + later)
    (tmp_path / FORK.name).write_bytes(FORK.read_bytes())
    return tmp_path / FORK.name


def test_the_whole_conversation_of_a_fork_is_read_and_nothing_of_the_other_branch(fork: Path) -> None:
    located = locate(str(fork), folder=str(fork.parent))
    assert located.sources() == {"": str(fork), "p1": str(fork.parent / BASE.name)}
    reading = Reading(located)
    human = [(part.source, part.text) for part in reading if isinstance(part, Said) and part.by == "human"]
    assert human == [
        ("p1", "The total ignores the prices, please fix it"),
        ("p1", "Not by item.price: the prices are in cents"),
        ("p1", "Let another agent count the files"),
        ("p1", "Now do it by script"),
        ("p1", "Is anything left?"),
        ("", "Try it with decimals instead"),
    ]
    assert reading.problems == []


def test_a_line_of_the_base_is_a_line_of_its_file(fork: Path) -> None:
    located = locate(str(fork), folder=str(fork.parent))
    files = {label: Path(path).read_text().splitlines() for label, path in located.sources().items()}
    for part in Reading(located):
        if isinstance(part, Said) and part.by == "human":
            assert part.text in files[part.source][part.line - 1]
