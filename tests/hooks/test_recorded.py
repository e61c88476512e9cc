"""Every payload that real clients were seen to send is answered, and at the end of a turn with nothing at all."""

import json
import os
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.hooks.conftest import OTHER, WIRED
from thruline.harnesses.registry import HARNESSES
from thruline.hooks.door import answer
from thruline.hooks.handlers import HANDLERS
from thruline.layout import HookPaths, UserPaths, build_project_key

FIXTURES = Path(__file__).parents[3] / "shared" / "fixtures"
FOLDERS = {each.name: each.programs[0] for each in HARNESSES}
TOLD = "What was learned yesterday."


def find_payloads(harness: str) -> list[dict[str, Any]]:
    """Every recorded payload of `harness`, out of the recorder's wrapping."""
    folder = FIXTURES / FOLDERS[harness]
    wrapped = [json.loads(path.read_bytes()) for path in folder.glob("hook-payloads/*.json")]
    for path in [*folder.glob("hooks-*.jsonl"), *folder.glob("*/hooks.jsonl")]:
        wrapped += [json.loads(line) for line in path.read_bytes().splitlines()]
    found = [each.get("stdin") or each.get("payload") for each in wrapped]
    return [each for each in found if isinstance(each, dict)]


def prepare_everything(state: Path, harness: str, payload: dict[str, Any]) -> None:
    """A ready text of every kind, for the session of `payload` and the project it is in."""
    here = HookPaths(str(state), build_project_key("", os.path.realpath(payload["cwd"])))
    session = payload["session_id"]
    places = [here.build_start(harness), here.build_resume(harness)]
    places += [here.build_late(harness, session), here.build_keep(harness, session)]
    for path in places:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        kind = {"start": "start", "resume": "resume", "keep": "keep"}.get(Path(path).parent.name, "late")
        envelope = {"schema": 1, "id": "1", "kind": kind, "from": OTHER, "pid": 0, "text": TOLD}
        Path(path).write_text(json.dumps(envelope))


def ask(state: Path, harness: str, event: str, payload: dict[str, Any]) -> bytes:
    (state / "in").write_text(json.dumps(payload))
    (state / "out").write_bytes(b"")
    reader = os.open(state / "in", os.O_RDONLY)
    with (state / "out").open("ab") as out:
        answer(UserPaths(str(state), ""), [harness, event], reader, out.fileno())
    os.close(reader)
    return (state / "out").read_bytes()


@pytest.mark.shared
@pytest.mark.parametrize("harness", WIRED)
def test_every_recorded_payload_is_answered_in_the_clients_form_or_not_at_all(harness: str, tmp_path: Path):
    payloads = find_payloads(harness)
    assert len(payloads) > 20
    wire = import_module(f"thruline.harnesses.{harness.replace('-', '_')}.wire")
    heard = set()
    for payload in payloads:
        for event in HANDLERS:
            prepare_everything(tmp_path, harness, payload)
            said = ask(tmp_path, harness, event, payload)
            if said and event == "before_compact":
                assert said.decode() == TOLD
            elif said:
                output = json.loads(said)
                assert list(output) == ["hookSpecificOutput"]
                assert list(output["hookSpecificOutput"]) == ["hookEventName", "additionalContext"]
                assert output["hookSpecificOutput"]["hookEventName"] == wire.EVENTS[event]
            if said:
                heard.add(event)
    assert heard == set(wire.TELLS)
    assert not (tmp_path / "logs").exists()  # no payload is any trouble


@pytest.mark.shared
@pytest.mark.feature("F003-23", via="unit")
@pytest.mark.parametrize("harness", WIRED)
def test_no_payload_gets_a_word_out_of_us_at_the_end_of_a_turn(harness: str, tmp_path: Path):
    for payload in find_payloads(harness):
        for event in ("turn_end", "session_end", "subagent_start", "subagent_end", "after_compact"):
            prepare_everything(tmp_path, harness, payload)
            assert ask(tmp_path, harness, event, payload) == b""


@pytest.mark.shared
@pytest.mark.parametrize("harness", WIRED)
def test_what_is_spooled_of_a_payload_is_small_and_holds_no_prompt_and_no_tool_output(harness: str, tmp_path: Path):
    wire = import_module(f"thruline.harnesses.{harness.replace('-', '_')}.wire")
    ours = {theirs: event for event, theirs in wire.EVENTS.items()}
    spooled = 0
    for payload in find_payloads(harness):
        event = ours.get(payload.get("hook_event_name", ""))
        if not event:
            continue
        ask(tmp_path, harness, event, payload)
        for path in (tmp_path / "spool").rglob("*.json"):
            line = json.loads(path.read_bytes())
            assert not {"prompt", "tool_input", "tool_response", "payload", "project"} & set(line)
            assert all(line.values())  # nothing that is empty
            assert len(path.read_bytes()) < 1500 + len(line.get("said", "")) + len(line.get("summary", ""))
            path.unlink()
            spooled += 1
    assert spooled > 10
