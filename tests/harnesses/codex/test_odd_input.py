"""Rollouts as they lie on disks: broken, glued, cut; and values that no client ever wrote."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from thruline.harnesses import line_reader
from thruline.harnesses.codex.find import find_companions, read_head, recognise
from thruline.harnesses.codex.reader import Reader
from thruline.session.parts import Call, Result, Said

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.jsonl"))
FIRST = b'{"timestamp":"t","type":"session_meta","payload":{"id":"01a1e232-0000-7000-8000-000000000000","cwd":"/w"}}\n'


def prompt(text: str) -> bytes:
    payload = {"type": "user_message", "message": text}
    return (
        json.dumps({"timestamp": "t", "type": "event_msg", "payload": payload}, separators=(",", ":")).encode() + b"\n"
    )


def texts(reader: Reader) -> list[str]:
    return [part.text for part in reader if isinstance(part, Said)]


@pytest.mark.usefixtures("way")
def test_bad_lines_are_problems_and_the_rest_arrives(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(FIRST + prompt("one") + b"not json\n[1]\n\n" + prompt("two") + prompt("three")[:40])
    reader = Reader(str(path))
    assert texts(reader) == ["one", "two"]
    assert [(problem.line, problem.kind) for problem in reader.problems] == [(3, "json"), (4, "shape"), (7, "cut")]


@pytest.mark.usefixtures("way")
def test_a_line_that_is_passed_over_is_told_when_cut_and_read_when_glued(tmp_path: Path) -> None:
    call = b'{"timestamp":"t","type":"response_item","payload":{"type":"%s","call_id":"c",%s}}\n'
    made = call % (b"function_call", b'"name":"shell","arguments":"{}"')
    done = call % (b"function_call_output", b'"output":"{\\"output\\":\\"\\",\\"metadata\\":{\\"exit_code\\":0}}"')
    path = tmp_path / "a.jsonl"
    path.write_bytes(FIRST + made + done + done)
    reader = Reader(str(path))
    assert sum(isinstance(part, Result) for part in reader) == 1
    path.write_bytes(FIRST + made + done + done[:-4])
    reader = Reader(str(path))
    assert sum(isinstance(part, Result) for part in reader) == 1
    assert [(problem.line, problem.kind) for problem in reader.problems] == [(4, "cut")]
    path.write_bytes(FIRST + made + done + done.rstrip(b"\n") + prompt("glued"))
    reader = Reader(str(path))
    assert texts(reader) == ["glued"]
    assert [problem.kind for problem in reader.problems] == ["glued"]


@pytest.mark.usefixtures("way")
def test_bytes_that_are_not_utf8_and_halves_of_emoji_survive(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(FIRST + prompt("cafe one").replace(b"cafe", b"caf\xe9") + prompt("half \ud83d end"))
    reader = Reader(str(path))
    assert texts(reader) == ["caf\ufffd one", "half \ufffd end"]
    assert [(problem.line, problem.kind) for problem in reader.problems] == [(2, "encoding"), (3, "encoding")]


@pytest.mark.usefixtures("way")
def test_records_without_a_payload_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"type":"event_msg"}\n{"payload":{}}\n{"type":"hologram","payload":{}}\n')
    reader = Reader(str(path))
    assert list(reader) == []
    assert reader.counts == {"unknown": 3, "hologram": 1}


@pytest.mark.usefixtures("way")
def test_what_the_model_saw_is_counted_where_nobody_knows_what_it_is(tmp_path: Path) -> None:
    kinds = ['"type":"hologram"', '"type":"ghost_snapshot"', '"type":"additional_tools"', '"type":7', '"text":"x"']
    path = tmp_path / "a.jsonl"
    lines = [f'{{"type":"response_item","payload":{{{kind}}}}}\n' for kind in kinds]
    path.write_text("".join(lines) + '{"type":"event_msg","payload":{"type":null}}\n')
    reader = Reader(str(path))
    assert list(reader) == []
    assert reader.counts["unknown"] == 4
    assert reader.counts["response_item/hologram"] == 1
    assert reader.problems == []


def test_an_empty_file_is_a_session_without_words(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"")
    assert list(Reader(str(path))) == []
    assert not recognise(str(path), b"")
    assert read_head(str(path)) == {}


_LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.text(max_size=8),
    st.sampled_from(
        ["", "completed", "file://%zz", "*** Begin Patch\n*** Move to: x", '{"answers": [1]}', "<hook_prompt"]
    ),
)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["type", "id", "text", "path", "Ok", "Err", "status", "mode"]), inner, max_size=3
        ),
    ),
    max_leaves=6,
)
_RECORDS = [json.loads(line) for path in SAMPLES for line in path.read_text().splitlines()]


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, inner in pairs for place in [(*path, key), *_places(inner, (*path, key))]]


_PLACES = [_places(record) for record in _RECORDS]


@st.composite
def odd_sessions(draw: st.DrawFn) -> bytes:
    """A stretch of a real session in which some values became something else."""
    begin = draw(st.integers(0, len(_RECORDS) - 1))
    records = [json.loads(json.dumps(record)) for record in _RECORDS[begin : begin + 25]]
    for _ in range(draw(st.integers(1, 8))):
        at = draw(st.integers(0, len(records) - 1))
        place = draw(st.sampled_from(_PLACES[begin + at]))
        target = records[at]
        try:
            for key in place[:-1]:
                target = target[key]
            target[place[-1]] = draw(_VALUES)
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took that place away
    return b"".join(json.dumps(record, separators=(",", ":")).encode() + b"\n" for record in records)


def _check(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    for smallest in (-1, 1 << 60):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(line_reader, "FAST_FROM_BYTES", smallest)
            reader = Reader(str(path))
            parts = list(reader)
            json.dumps(reader.checkpoint())
            repr(parts)
            calls = {part.call_id for part in parts if isinstance(part, Call)}
            assert {part.call_id for part in parts if isinstance(part, Result)} <= calls
    recognise(str(path), data)
    read_head(str(path))
    find_companions(str(path))


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=odd_sessions())
def test_values_of_any_type_anywhere_raise_nothing(tmp_path: Path, data: bytes) -> None:
    _check(tmp_path / "a.jsonl", data)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    begin=st.integers(0, len(_RECORDS) - 1),
    changes=st.lists(
        st.tuples(st.integers(0, 40_000), st.integers(0, 3), st.binary(min_size=1, max_size=3)), max_size=12
    ),
)
def test_changed_bytes_raise_nothing(tmp_path: Path, begin: int, changes: list[tuple[int, int, bytes]]) -> None:
    data = bytearray(b"".join(json.dumps(one).encode() + b"\n" for one in _RECORDS[begin : begin + 25]))
    for at, taken, put in changes:
        data[at % len(data) : at % len(data) + taken] = put
    _check(tmp_path / "a.jsonl", bytes(data))
