"""The client's notes between records: kept apart, and put back where they were."""

from hypothesis import given
from hypothesis import strategies as some

from thruline.ark.asides import Asides, merge
from thruline.ark.marks import join_lines

KEY = '"uuid":"'
RECORD, NOTE = b'{"uuid":"a","n":%d}\n', b'{"type":"mode","n":%d}\n'


def split(data: bytes, size: int = 1 << 20) -> tuple[bytes, bytes, Asides]:
    asides = Asides(KEY)
    pieces = join_lines(data[at : at + size] for at in range(0, len(data), size))
    records = b"".join(asides.take_out(pieces))
    return records, asides.take_notes(None), asides


def test_records_are_the_same_with_and_without_notes() -> None:
    lines = [NOTE % 0, RECORD % 1, RECORD % 2, NOTE % 3, NOTE % 4, RECORD % 5, NOTE % 6]
    records, notes, asides = split(b"".join(lines))
    assert records == b"".join(line for line in lines if b"uuid" in line)
    assert notes == b"".join(line for line in lines if b"uuid" not in line)
    assert asides.runs == (1, 1, 4, 2, 7, 1)
    assert asides.lines == 7


def test_notes_go_with_the_block_whose_last_record_they_precede() -> None:
    asides = Asides(KEY)
    text = b"".join([RECORD % 1, NOTE % 2, RECORD % 3, NOTE % 4, RECORD % 5, NOTE % 6])
    records = b"".join(asides.take_out([text]))
    first, second = records[: len(RECORD % 1) * 2], records[len(RECORD % 1) * 2 :]
    assert asides.take_notes(first) == NOTE % 2
    assert asides.take_notes(second) == NOTE % 4
    assert asides.take_notes(None) == NOTE % 6


PARTS = some.sampled_from([b'"uuid":"', b"\n", b"{}\n", b'{"uuid":"x"}\n', b"\r\n", b"\0"]) | some.binary(max_size=4)
BYTES = some.lists(PARTS, max_size=40).map(b"".join)


@given(BYTES, some.integers(1, 30), some.integers(1, 30))
def test_any_bytes_come_back_however_they_are_cut(data: bytes, size: int, other: int) -> None:
    records, notes, asides = split(data, size)
    back = merge(
        (records[at : at + other] for at in range(0, len(records), other)),
        (notes[at : at + size] for at in range(0, len(notes), size)),
        asides.runs,
    )
    assert b"".join(back) == data
    assert asides.lines == data.count(b"\n")


@given(some.lists(some.booleans(), max_size=20), some.integers(0, 20))
def test_a_file_that_grew_is_gone_on_with_from_any_line(records: list[bool], cut: int) -> None:
    lines = [(RECORD if each else NOTE) % number for number, each in enumerate(records)]
    cut = min(cut, len(lines))
    whole = split(b"".join(lines))
    first = split(b"".join(lines[:cut]))
    second = Asides(KEY, cut, whole[2].runs)
    assert second.runs == first[2].runs
    rest = b"".join(second.take_out([b"".join(lines[cut:])]))
    assert first[0] + rest == whole[0]
    assert first[1] + second.take_notes(None) == whole[1]
    assert second.runs == whole[2].runs


def test_a_line_without_an_end_is_no_note_and_what_goes_on_with_it_neither() -> None:
    asides = Asides(KEY)
    assert b"".join(asides.take_out([b"{huge", b" and more", b"}\n" + NOTE % 1])) == b"{huge and more}\n"
    assert asides.runs == (2, 1)
    inside = Asides(KEY, 5, inside=True)
    assert b"".join(inside.take_out([b"the end of a line}\n" + NOTE % 1])) == b"the end of a line}\n"
    assert inside.runs == (7, 1)
