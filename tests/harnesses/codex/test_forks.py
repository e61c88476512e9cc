"""A fork is read with what came before it, each line under the label of the file it stands in."""

from pathlib import Path

import pytest

from thruline.operations.sessions.listing import list_sessions
from thruline.operations.sessions.locate import locate
from thruline.operations.sessions.reading import Reading
from thruline.operations.sessions.show import show_session
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


def test_a_list_counts_the_turns_that_a_fork_stands_on_as_show_does(
    fork: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path_factory.mktemp("codex")
    day = home / "sessions" / "2026" / "07" / "31"
    day.mkdir(parents=True)
    for file in fork.parent.glob("rollout-*"):
        (day / file.name).write_bytes(file.read_bytes())
    monkeypatch.setenv("CODEX_HOME", str(home))
    listed = {row.path: row for row in list_sessions(harness="codex").rows}
    own = str(day / FORK.name)
    view = show_session(locate(own, folder=str(day)))
    assert (listed[own].turns, listed[own].title) == (6, view.summary.title or view.summary.first_prompt)
    assert listed[own].turns == view.summary.turns
    # Where it grows it is read on, and what came before the fork is not counted again.
    turn = next(line for line in FORK.read_bytes().splitlines(keepends=True) if b"Try it with decimals" in line)
    with open(own, "ab") as file:
        file.write(turn.replace(b"Try it with decimals instead", b"And once more"))
    again = {row.path: row for row in list_sessions(harness="codex").rows}
    assert again[own].turns == show_session(locate(own, folder=str(day))).summary.turns
