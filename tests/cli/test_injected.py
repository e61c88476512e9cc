"""`thruline injected`: what was told to whom, and what lies ready."""

import json
import os
from pathlib import Path

import pytest

from tests.work.shop import CORRECTION, FIRST, HARNESS, SECOND, Shop
from thruline.cli.door import run
from thruline.operations.injected import WHY


@pytest.fixture
def shop(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """A project whose session ended, as the working folder."""
    made = Shop(tmp_path, home)
    made.run_session(pid=os.getpid())
    monkeypatch.chdir(made.root)
    return made


def ask(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert run(["injected", *words]) == code
    out = capsys.readouterr()
    return out.out + out.err


def test_what_lies_ready_is_shown_before_a_model_hears_it(shop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    text = ask(capsys)
    assert "No session of this project was told anything." in text
    ready = [line for line in text.splitlines() if line.startswith(f"ready  for the next session in {HARNESS}: ")]
    assert [line.partition(" characters, ")[2] for line in ready] == [WHY["resume"], WHY["start"]]
    assert CORRECTION not in text
    assert CORRECTION in ask(capsys, "--text")


def test_what_was_told_is_shown_with_who_when_why_and_how_much(shop: Shop, capsys: pytest.CaptureFixture[str]) -> None:
    envelope = shop.resume()
    assert envelope is not None
    shop.tell(shop.hooks.build_resume(HARNESS), SECOND)
    text = ask(capsys)
    assert f"{HARNESS} {SECOND}  session_start startup: {len(envelope['text']):,} characters" in text
    (told,) = json.loads(ask(capsys, "--json"))["told"]
    assert (told["session"], told["about"], told["characters"]) == (SECOND, FIRST, len(envelope["text"]))
    assert told["text"] == envelope["text"]
    assert told["why"]
    assert told["at"].endswith("Z")


def test_a_session_is_found_by_the_beginning_of_its_id_from_anywhere(
    shop: Shop, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.tell(shop.hooks.build_resume(HARNESS), SECOND)
    monkeypatch.chdir(tmp_path)
    assert CORRECTION in ask(capsys, SECOND[:8])
    assert CORRECTION in ask(capsys, str(shop.put(SECOND)))
    assert "Nothing was told to a session" in ask(capsys, "99999999", code=1)
    assert ask(capsys, FIRST[:8]) == f"The session {FIRST} was told nothing.\n"


def test_a_project_without_any_of_it_says_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ask(capsys) == "No session of this project was told anything.\n"
