"""Any payload at all: the door says nothing but its answer, and writes nothing but whole events and its log."""

import json
import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hooks.conftest import SESSION, WIRED, Hook
from tests.hooks.doors import EVENTS
from thruline.hooks.door import answer
from thruline.layout import UserPaths

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
KEYS = [
    *("session_id", "cwd", "transcript_path", "source", "reason", "trigger", "model", "prompt"),
    *("tool_name", "tool_input", "tool_response", "file_path", "command", "agent_id", "agent_type"),
    *("last_assistant_message", "compact_summary", "stop_hook_active", "hook_event_name"),
]
NAMES = st.sampled_from(KEYS) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner), max_leaves=8)
LIKELY = st.fixed_dictionaries(
    {"session_id": st.just(SESSION) | SCALARS},
    optional={"tool_name": st.sampled_from(["Edit", "Read", "apply_patch"]), "source": st.just("startup")},
)
PAYLOADS = st.binary(max_size=200) | st.builds(
    lambda some, more: json.dumps({**more, **some}).encode("utf-8", "surrogatepass"),
    LIKELY,
    st.dictionaries(NAMES, VALUES, max_size=8),
)
WORDS = st.sampled_from([*EVENTS, *WIRED, "..", "/", ""]) | st.text(max_size=20)
ARGUMENTS = st.lists(WORDS, max_size=3) | st.tuples(st.sampled_from(WIRED), st.sampled_from(EVENTS)).map(list)


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzzed")


def knock(folder: Path, arguments: list[str], payload: bytes) -> None:
    """Opens the door in this very process; what it says is added to the folder's `out`."""
    reader, writer = os.pipe()
    os.write(writer, payload)
    os.close(writer)
    with open(folder / "out", "ab") as out:
        answer(UserPaths(str(folder / "state"), ""), arguments, reader, out.fileno())
    os.close(reader)


def check_silent(folder: Path) -> None:
    """Nothing but whole events and the log was written, and nothing was said."""
    assert os.path.getsize(folder / "out") == 0
    for at, _, names in os.walk(folder / "state"):
        for name in names:
            if name.endswith(".json"):
                assert json.loads((Path(at) / name).read_bytes())["event"] in EVENTS
                os.unlink(os.path.join(at, name))
            else:
                assert name in ("hook-errors.jsonl", "hook-errors.jsonl.1")


@given(ARGUMENTS, PAYLOADS)
def test_no_payload_and_no_argument_gets_an_answer_or_an_error_out_of_it(fuzzed, arguments, payload):
    knock(fuzzed, arguments, payload)
    check_silent(fuzzed)


def test_ten_thousand_damaged_payloads_get_neither_an_answer_nor_an_error_out_of_it(fuzzed, hook: Hook):
    chance = random.Random(7)
    whole = [
        hook.build(tool_name="Edit", tool_input={"file_path": "a.py"}, tool_response={"type": "create"}),
        hook.build(tool_name="apply_patch", tool_input={"command": "*** Add File: a\n*** Move to: b"}),
        hook.build(last_assistant_message="Done \ud83d \u2028.", stop_hook_active=False, compact_summary="S" * 300),
        hook.build(transcript_path=f"/x/{SESSION}.jsonl", reason="other", trigger="auto", model={"id": 1}),
    ]
    scraps = [b"{", b"}", b"[", b'"', b"\\", b"null", b"1e999", b"\xff", b"\x00", b"\\ud800", b":", b",", b"../", b"-1"]
    for number in range(10_000):
        payload = bytearray(chance.choice(whole))
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(len(payload))
            cut = at + chance.choice((0, 0, 1, 2, 30))
            payload[at:cut] = chance.choice((b"", chance.choice(scraps), chance.randbytes(3)))
        knock(fuzzed, [WIRED[number // len(EVENTS) % len(WIRED)], EVENTS[number % len(EVENTS)]], bytes(payload))
    check_silent(fuzzed)
