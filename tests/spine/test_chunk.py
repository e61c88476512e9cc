"""Chunks are cut at turns, hold the budget, and lose neither a word nor a label."""

from typing import ClassVar, SupportsIndex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thruline.spine.chunk import _cut_text, build_chunks
from thruline.spine.entry import Entry, parse_entries, render_entry

bodies = st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n"), max_size=900)


@st.composite
def spines(draw: st.DrawFn) -> list[Entry]:
    kinds = draw(st.lists(st.tuples(st.booleans(), bodies), min_size=1, max_size=30))
    heads = st.sampled_from(["agent", "Bash make · ok; commit " + "ab12cd3 Fix the parser, " * 60, "x" * 3000])
    return [
        Entry(line, "", "human turn" if turn else draw(heads), body, turn=turn)
        for line, (turn, body) in enumerate(kinds, 1)
    ]


def words_of(text: str) -> dict[int, str]:
    found: dict[int, str] = {}
    for entry in parse_entries([line + "\n" for line in text.split("\n")[:-1]]):
        found[entry.line] = found.get(entry.line, "") + entry.body
    return found


@pytest.mark.feature("F001-08", via="unit")
@given(spines(), st.integers(120, 2000))
def test_no_chunk_exceeds_the_budget(entries: list[Entry], budget: int) -> None:
    for chunk in build_chunks(entries, budget):
        assert len(chunk.text.encode()) <= budget


@given(spines(), st.integers(120, 2000))
def test_nothing_is_lost_and_labels_are_those_of_the_transcript(entries: list[Entry], budget: int) -> None:
    joined: dict[int, str] = {}
    for chunk in build_chunks(entries, budget):
        for line, text in words_of(chunk.text).items():
            joined[line] = joined.get(line, "") + text
    assert joined == {entry.line: entry.body for entry in entries}


def test_a_chunk_begins_at_a_turn_where_one_fits() -> None:
    entries = [Entry(n, "", "human turn" if n % 3 == 1 else "agent", "w" * 40, turn=n % 3 == 1) for n in range(1, 31)]
    chunks = list(build_chunks(entries, 500))
    assert len(chunks) > 1
    assert all(chunk.text.split("\n")[0].endswith("human turn") for chunk in chunks)


def test_an_oversized_entry_is_cut_inside_and_each_piece_keeps_its_label() -> None:
    entry = Entry(1840, "", "human turn", "\n".join(f"line {n} of the paste" for n in range(400)), turn=True)
    chunks = list(build_chunks([entry], 1000))
    heads = [chunk.text.split("\n")[0] for chunk in chunks]
    assert heads == [f"L1840 human turn (part {n} of {len(chunks)})" for n in range(1, len(chunks) + 1)]
    assert {chunk.first for chunk in chunks} == {"L1840"}


class Counted(str):
    """A text that knows how many characters were copied out of it."""

    copied: ClassVar[int] = 0
    __slots__ = ()

    def __getitem__(self, at: SupportsIndex | slice) -> "Counted":
        found = super().__getitem__(at)
        Counted.copied += len(found)
        return Counted(found)


def test_what_a_huge_entry_costs_does_not_grow_with_the_number_of_its_pieces() -> None:
    body = "".join(f"line {n} of a pasted log, with an ü\n" for n in range(20_000))
    copied = []
    for budget in (1_000, 100_000):
        Counted.copied = 0
        chunks = list(build_chunks([Entry(7, "", "human turn", Counted(body), turn=True)], budget))
        assert words_of("".join(chunk.text for chunk in chunks)) == {7: body}
        copied.append(Counted.copied)
    assert max(copied) < 10 * len(body)


@given(bodies, st.integers(16, 300))
def test_a_piece_takes_what_fits_and_not_a_character_less(body: str, room: int) -> None:
    at = 0
    for piece in _cut_text(body, room):
        size = 2 + len(piece.encode()) + 2 * piece.count("\n")
        assert size <= room or len(piece) == 1
        at += len(piece)
        if at < len(body) and piece[-1] not in "\n ":
            more = body[at]
            assert size + (3 if more == "\n" else len(more.encode())) > room
    assert at == len(body)


def test_a_spine_that_fits_is_one_chunk() -> None:
    entries = [Entry(1, "", "human turn", "hello", turn=True), Entry(2, "", "agent", "hi")]
    (chunk,) = build_chunks(entries, 10_000)
    assert chunk.text == "".join(render_entry(entry) for entry in entries)
    assert (chunk.first, chunk.last) == ("L1", "L2")
