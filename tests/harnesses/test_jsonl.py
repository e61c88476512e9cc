"""Lines as clients really write them, and huge ones at a bounded price."""

import json
import tracemalloc
from typing import Any

import pytest

from thruline.harnesses import jsonl
from thruline.harnesses.claude_code.reader import shapes
from thruline.harnesses.jsonl import decode_records, is_cut, is_utf8, value_of
from thruline.session.parts import Problem

BEGIN = '{"type":"user","uuid":"u2","message":{"content":[{"type":"tool_result","content":"😀 }{'.encode()
END = b'"}]}}'
SECOND = b'{"type":"user","uuid":"u3"}'


def damaged(size: int) -> dict[str, tuple[bytes, list[str]]]:
    body = (b"a line of text. " * 60 + b"\\ud83d\\ude00, \\\\ud83d\\n") * (size // 980)
    return {
        "half": (BEGIN + b"\\ud83d" + body + END + b"\n", []),
        "bytes": (BEGIN + b"\xff\xe2" + body + END + b"\n", ["encoding"]),
        "nuls": (b"\0" * 9 + BEGIN + b"\0" + body + END + b"\n", ["nul"]),
        "glued": (BEGIN + body + END + SECOND + SECOND + b"\n", ["glued"]),
        "all": (BEGIN + b"\\uDE00\xff" + body + END + SECOND + b"\0\n", ["encoding", "nul", "glued"]),
        "cut": (BEGIN + body, ["cut"]),
    }


@pytest.mark.parametrize("fast", [shapes.decode_record, None])
def test_a_number_of_thousands_of_digits_costs_itself_and_not_its_record(fast: Any) -> None:
    digits = b"9" * 5_001
    raw = b'{"type":"user","uuid":"u9","n":[1,-%b],"message":{"content":"hello","m":%b}}\n' % (digits, digits)
    problems: list[Problem] = []
    (record,) = decode_records(raw, "p", 7, problems, fast)
    assert (record["uuid"], record["message"]["content"], record["n"]) == ("u9", "hello", [1, None])
    assert [(each.line, each.kind, each.what) for each in problems] == [
        (7, "number", "a number of 5,001 digits was left out"),
        (7, "number", "a number of 5,001 digits was left out"),
    ]
    # What is told of one line is told of no other.
    assert decode_records(SECOND + SECOND, "p", 8, problems, None)
    assert [each.kind for each in problems[2:]] == ["glued"]
    assert value_of(b'{"text":"hello","n":%b}' % digits) == {"text": "hello", "n": None}


@pytest.mark.parametrize("kind", damaged(0))
def test_a_mended_line_says_what_the_plain_way_says(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    raw, kinds = damaged(2000)[kind]
    told: list[tuple[list[object], list[tuple[str, str]]]] = []
    for huge in (0, 1 << 60):
        monkeypatch.setattr(jsonl, "_HUGE", huge)
        problems: list[Problem] = []
        records = decode_records(raw, "p", 7, problems, shapes.decode_record)
        words = [
            [record["uuid"], *[value_of(block["content"]) for block in record.get("message", {}).get("content", [])]]
            for record in records
        ]
        told.append((words, [(problem.kind, problem.what) for problem in problems]))
    assert told[0] == told[1]
    assert [what for what, _ in told[0][1]] == kinds


@pytest.mark.parametrize("kind", damaged(0))
def test_a_huge_damaged_line_costs_a_few_times_itself(kind: str) -> None:
    raw, kinds = damaged(9 << 20)[kind]
    problems: list[Problem] = []
    tracemalloc.start()
    decode_records(raw, "p", 7, problems, shapes.decode_record)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [problem.kind for problem in problems] == kinds
    assert peak < 2.2 * len(raw)


def test_a_line_is_cut_where_nothing_ends_in_it() -> None:
    long = BEGIN + b"x" * (2 << 20)
    assert is_cut(long)
    assert not is_cut(long + b"\n")
    assert not is_cut(long + END)
    assert not is_cut(SECOND + long), "the first of two records is whole"
    assert not is_cut(BEGIN), "a short one is decoded"
    assert [record["uuid"] for record in decode_records(SECOND + long, "p", 1, [])] == ["u3"]


def test_bytes_are_checked_across_the_pieces_they_are_checked_in() -> None:
    text = "é" * (1 << 16)
    for shift in range(3):
        raw = b"x" * shift + text.encode()
        assert is_utf8(raw)
        assert not is_utf8(raw[:-1])
        assert not is_utf8(raw + b"\xff")


def test_blanks_around_a_record_are_passed_however_many() -> None:
    raw = b"\xef\xbb\xbf" + b" " * 10_000 + json.dumps({"a": 1}).encode() + b"\0" * 10_000
    problems: list[Problem] = []
    assert decode_records(raw, "p", 1, problems) == [{"a": 1}]
    assert [problem.kind for problem in problems] == ["nul"]


@pytest.mark.parametrize(("count", "told"), [(1, "1 NUL byte"), (1200, "1,200 NUL bytes")])
def test_nul_bytes_are_counted_as_people_count(count: int, told: str) -> None:
    problems: list[Problem] = []
    assert decode_records(b"\0" * count + SECOND + b"\n", "p", 1, problems)
    assert [problem.what for problem in problems] == [told]
