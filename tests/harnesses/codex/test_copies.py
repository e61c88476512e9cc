"""Records that stand in two files: forks, their bases, threads that went on in two places."""

import json
from pathlib import Path

from tests.harnesses.codex.rollouts import FORK, NEW, OLD, THREAD, event, human, of, read, write
from thruline.harnesses.codex.reader import Reader
from thruline.harnesses.elsewhere import Elsewhere
from thruline.session.parts import Changed, Delegated, Said


def test_a_fork_names_its_parent_and_tells_that_the_base_is_missing(tmp_path: Path) -> None:
    reader = Reader(str(FORK))
    parts = list(reader)
    assert ("parent", "01a1e232-2026-72e2-a81f-ec7e1735e7d8") in [(p.name, p.value) for p in of(Changed, parts)]
    assert human(parts) == [("turn", "Try it with decimals instead")]
    assert [(problem.line, problem.kind) for problem in reader.problems] == [(1, "base")]
    for path in (NEW, FORK):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    reader = Reader(str(tmp_path / FORK.name))
    list(reader)
    assert reader.problems == []


def test_a_base_is_read_up_to_the_fork() -> None:
    lines = NEW.read_text().splitlines()
    for until in (1, 12, 60):
        parts = read(NEW, label="p1", until=until)
        assert max(part.line for part in parts) <= until
        assert {part.source for part in parts} == {"p1"}
        assert json.loads(lines[until - 1])["ordinal"] == until - 1
    assert human(read(NEW, label="p1", until=100)) == human(read(NEW))[:3]


def test_records_seen_in_another_file_are_not_told_again() -> None:
    for path in (NEW, OLD):
        first = Reader(str(path))
        list(first)
        again = Reader(str(path), label="b1", seen=first.lines)
        assert [part for part in again if type(part) is not Delegated] == []
        assert again.counts["copy"] == len(path.read_text().splitlines())


def test_a_thread_that_went_on_in_two_places_is_told_with_what_both_say(tmp_path: Path) -> None:
    for path in (NEW, OLD):
        lines = path.read_bytes().splitlines(keepends=True)
        other = tmp_path / path.name
        words = human(read(path))[-1][-1].encode()
        other.write_bytes(b"".join(line.replace(words, b"Something else") for line in lines))
        seen = Elsewhere()
        first = Reader(str(path))
        list(first)
        first.give(seen)
        assert [part for part in Reader(str(path), label="b1", seen=seen) if type(part) is not Delegated] == []
        again = Reader(str(other), label="b1", seen=seen)
        said = [part.text for part in again if isinstance(part, Said) and part.by == "human"]
        assert said == ["Something else"]


def test_an_old_fork_repeats_its_parents_first_record_and_is_still_itself(tmp_path: Path) -> None:
    parent = ("session_meta", {"id": "01a1e232-ffff-7000-8000-000000000000", "cwd": "/elsewhere"})
    told = [(part.name, part.value) for part in of(Changed, read(write(tmp_path / "a.jsonl", parent)))]
    assert ("parent", "01a1e232-ffff-7000-8000-000000000000") in told
    assert ("cwd", "/elsewhere") not in told


def test_copied_turns_of_an_old_fork_have_the_keys_of_their_originals(tmp_path: Path) -> None:
    turn = [
        event("task_started", turn_id="01a1e232-1234-7000-8000-000000000000"),
        event("user_message", message="hello"),
    ]
    one = Reader(str(write(tmp_path / "a.jsonl", *turn)))
    copied = ("session_meta", {"id": THREAD})
    two = Reader(str(write(tmp_path / "b.jsonl", copied, *turn, thread="01a1e2ff-0000-7000-8000-000000000000")))
    list(one), list(two)
    assert list(one.lines.values()) == [1, 2, 3]
    assert [two.lines.get(key, 0) for key in one.lines] == [0, 3, 4]
