"""Providers and local servers, each in its own wire format, on loopback: good answers, busy, slow, cut, refusing."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engines.loopback import Asked, Bad, Decide, Server
from thruline.config.schema import Models
from thruline.engines.api import open_asker
from thruline.engines.api.provider import parse_model
from thruline.engines.asker import Answer, Options, Usage
from thruline.engines.gate import Gate, Purpose
from thruline.engines.receipts import read_receipts
from thruline.errors import MissingExtra, NotFound, UsageError
from thruline.extract.question import Question, read_answer

WIRES = {
    "anthropic/claude-opus-4-8": "/v1/messages",
    "openai/gpt-5": "/responses",
    "google/gemini-2.5-pro": "/models/gemini-2.5-pro:generateContent",
    "local/llama3.1": "/v1/chat/completions",
}
KEY = "test-key-000"
QUESTION = Question("basics", 'Answer: {"section": "basics", …}')


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    servers: list[Server] = []

    def start(answer: Decide) -> Server:
        server = Server(answer)
        servers.append(server)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/v1")
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
        for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY"):
            monkeypatch.setenv(name, KEY)
        return server

    yield start
    for server in servers:
        server.close()


def ask(server: Server, model: str, timeout: float = 30.0, stop: threading.Event | None = None) -> Answer:
    asker = open_asker(model, Options(timeout=timeout, base_url=server.url + "/v1"))
    return asker.ask(QUESTION, stop or threading.Event())


def section(asked: Asked) -> dict[str, Any]:
    return {"section": asked.section, "content": "It is a shop.", "pointers": []}


@pytest.mark.parametrize("model", WIRES)
def test_a_structured_answer_comes_through_every_wire(serve: Any, model: str) -> None:
    server = serve(section)
    answer = ask(server, model)
    assert answer.problem == ""
    value, why = read_answer(QUESTION, answer.text)
    assert why == ""
    assert value is not None
    assert value["content"] == "It is a shop."
    assert (answer.usage.read, answer.usage.written) == (1200, 80)
    asked = server.requests[0]
    assert asked.path.endswith(WIRES[model])
    assert asked.key == (KEY if "local" not in model else "none")
    assert "basics" in str(asked.body)


@pytest.mark.parametrize("model", WIRES)
def test_prose_comes_back_as_it_is_and_is_no_section(serve: Any, model: str) -> None:
    server = serve(lambda _asked: "I would rather talk about the weather.")
    answer = ask(server, model)
    value, why = read_answer(QUESTION, answer.text)
    assert value is None
    assert "JSON" in why


@pytest.mark.parametrize("model", WIRES)
@pytest.mark.parametrize(
    ("status", "word"), [(400, "refused"), (401, "no access"), (404, "no such model"), (500, "server error")]
)
def test_an_error_of_the_server_is_told_in_a_word_without_its_text(
    serve: Any, model: str, status: int, word: str
) -> None:
    server = serve(lambda _asked: Bad(status=status, text="PROMPT-ECHO", after="0"))
    answer = ask(server, model)
    assert answer.text == ""
    assert answer.problem.startswith(word)
    assert "PROMPT-ECHO" not in answer.problem


@pytest.mark.parametrize("model", WIRES)
@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_told_with_when_to_ask_again_and_is_not_asked_twice(
    serve: Any, model: str, status: int
) -> None:
    server = serve(lambda _asked: Bad(status=status, text="slow down", after="7"))
    answer = ask(server, model)
    assert answer.problem.startswith("busy")
    assert answer.after == 7 or "google" in model
    assert answer.usage == Usage(exact=False)
    assert len(server.requests) == 1


@pytest.mark.parametrize("model", WIRES)
def test_a_busy_server_is_asked_once_more_through_the_meter(serve: Any, model: str, tmp_path: Path) -> None:
    server = serve(lambda asked: Bad(status=429, text="slow down", after="0") if asked.attempt == 0 else section(asked))
    path = str(tmp_path / "receipts.jsonl")
    gate = Gate(f"api:{model}", Models(enabled=True, base_url=server.url + "/v1"), path, Purpose("handoff"))
    (answer,) = gate.ask([QUESTION])
    assert answer.problem == ""
    assert len(server.requests) == 2
    assert [one.outcome for one in read_receipts(path)[0]] == ["busy", "ok"]


@pytest.mark.parametrize("model", WIRES)
@pytest.mark.parametrize("bad", [Bad(status=500, text="", after="0"), Bad(text='{"section": "bas', cut=True)])
def test_every_request_is_one_receipt(serve: Any, model: str, tmp_path: Path, bad: Bad) -> None:
    server = serve(lambda _asked: bad)
    path = str(tmp_path / "receipts.jsonl")
    Gate(f"api:{model}", Models(enabled=True, base_url=server.url + "/v1"), path, Purpose("handoff")).ask([QUESTION])
    assert len(server.requests) == len(read_receipts(path)[0]) == 1


@pytest.mark.parametrize("model", WIRES)
def test_an_answer_cut_in_the_middle_is_a_failure_and_not_half_a_section(serve: Any, model: str) -> None:
    server = serve(lambda _asked: Bad(text='{"section": "basics", "content": "half', cut=True))
    answer = ask(server, model)
    assert answer.text == ""
    assert answer.problem.startswith("failed")


@pytest.mark.parametrize("model", WIRES)
def test_a_server_that_hangs_is_given_up_at_the_deadline(serve: Any, model: str) -> None:
    server = serve(lambda _asked: Bad(hang=30))
    began = time.monotonic()
    answer = ask(server, model, timeout=1.0)
    assert answer.problem.startswith(("timeout", "failed"))
    assert time.monotonic() - began < 20


def test_a_stop_ends_a_running_question(serve: Any) -> None:
    stop = threading.Event()
    server = serve(lambda _asked: Bad(hang=30))
    threading.Timer(0.5, stop.set).start()
    assert ask(server, "local/llama3.1", stop=stop).problem == "interrupted"


def test_a_server_that_is_not_there_is_a_failure(serve: Any) -> None:
    server = serve(section)
    asker = open_asker("local/llama3.1", Options(timeout=20, base_url="http://127.0.0.1:9/v1"))
    assert asker.ask(QUESTION, threading.Event()).problem.startswith("failed")
    assert server.requests == []


def test_a_known_price_is_told_and_an_unknown_one_is_not_guessed(serve: Any) -> None:
    server = serve(section)
    priced = ask(server, "anthropic/claude-opus-4-8").usage.dollars
    assert priced is not None
    assert priced > 0
    assert ask(server, "local/llama3.1").usage.dollars is None


@pytest.mark.parametrize(("name", "provider"), [("claude-x", "anthropic"), ("gpt-5", "openai"), ("gemini-3", "google")])
def test_a_known_name_needs_no_provider(name: str, provider: str, monkeypatch: pytest.MonkeyPatch, serve: Any) -> None:
    serve(section)
    assert open_asker(name, Options()).model == name


@pytest.mark.parametrize("name", ["llama3", "unknown/x", "openai/", "/x"])
def test_an_unknown_model_is_refused_with_how_to_say_whose_it_is(name: str) -> None:
    with pytest.raises(UsageError, match="whose") as caught:
        open_asker(name, Options())
    assert "local/<model>" in caught.value.next


def test_a_missing_key_is_told_by_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(NotFound, match="openai") as caught:
        open_asker("gpt-5", Options())
    assert caught.value.where == "OPENAI_API_KEY"
    assert open_asker("gpt-5", Options(keys={"openai": "configured"})).model == "gpt-5"
    assert "configured" not in repr(Options(keys={"openai": "configured"}))


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [one for one in sys.modules if one.startswith(("pydantic_ai", "thruline.engines.api.library"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pydantic_ai", None)
    with pytest.raises(MissingExtra, match=r"\[api\]") as caught:
        open_asker("local/llama3", Options())
    assert caught.value.next == "pip install 'thruline[api]'"


@pytest.mark.parametrize("model", WIRES)
def test_a_configured_key_goes_to_its_own_provider_and_to_nobody_else(
    serve: Any, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(section)
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    names = ("anthropic", "openai", "google", "local")
    options = Options(30, "", server.url + "/v1", {name: f"key-of-{name}" for name in names})
    open_asker(model, options).ask(QUESTION, threading.Event())
    [asked] = server.requests
    whose = parse_model(model)[0].name
    assert asked.key == f"key-of-{whose}"
    assert not any(f"key-of-{name}" in json.dumps(asked.body) for name in names)
    others = {name: key for name, key in options.keys.items() if name != whose}
    if whose == "local":
        open_asker(model, Options(30, "", server.url + "/v1", others)).ask(QUESTION, threading.Event())
        assert server.requests[-1].key == "none"
    else:
        with pytest.raises(NotFound, match=whose):
            open_asker(model, Options(30, "", "", others))
