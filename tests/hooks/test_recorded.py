"""Every payload that real clients were seen to send is answered."""

import json
import os
from pathlib import Path

import pytest

from thruline.hooks.door import HANDLERS, answer
from thruline.layout import UserPaths

FIXTURES = Path(__file__).parents[3] / "shared" / "fixtures"


def find_payloads() -> list[bytes]:
    lines = [path.read_bytes() for path in FIXTURES.glob("*/hook-payloads/*.json")]
    for path in FIXTURES.glob("*/hooks-*.jsonl"):
        lines += path.read_bytes().splitlines()
    return lines


@pytest.mark.shared
def test_no_recorded_payload_gets_more_than_silence_out_of_any_event(tmp_path: Path):
    payloads = find_payloads()
    assert len(payloads) > 50
    out = tmp_path / "out"
    for payload in payloads:
        assert isinstance(json.loads(payload), dict)
        for event in HANDLERS:
            source = tmp_path / "in"
            source.write_bytes(payload)
            reader = os.open(source, os.O_RDONLY)
            with out.open("ab") as file:
                answer(UserPaths(str(tmp_path / "state"), ""), ["some-client", event], reader, file.fileno())
            os.close(reader)
    assert out.read_bytes() == b""
    log = tmp_path / "state" / "logs" / "hook-errors.jsonl"
    told = {json.loads(line)["detail"] for line in log.read_text().splitlines()} if log.exists() else set()
    # Some clients name the session otherwise; their wire module will say so.
    assert told <= {"unsafe session id"}
