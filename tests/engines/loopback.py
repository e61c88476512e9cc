"""Model servers on loopback that speak each provider's wire format and behave as badly as a test wants.

`answer` decides per request, by what the prompt asks for: a value is sent the way that provider sends structured
output, a text as plain text, and `Bad` says what goes wrong. Everything asked is kept in `requests`.
"""

import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SECTION = re.compile(r'\{\\?"section\\?": \\?"(\w+)\\?"')
CHUNK = re.compile(r'\{\\?"chunk_index\\?": (\d+)')


@dataclass(frozen=True, slots=True)
class Bad:
    """What a server does instead of answering: `status` with `text`, `hang` seconds, or a stream cut in the middle."""

    status: int = 0
    text: str = ""
    hang: float = 0.0
    cut: bool = False
    after: str = ""  # a Retry-After header


@dataclass(frozen=True, slots=True)
class Calls:
    """Tool calls in one message, name and input each; only for the wire of a client that has tools."""

    text: str
    calls: tuple[tuple[str, dict[str, Any]], ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: what it is about, its path, and how often that was asked before."""

    section: str
    path: str
    body: dict[str, Any]
    attempt: int
    key: str


Decide = Callable[[Asked], "dict[str, Any] | str | Bad | Calls"]


class Server:
    """A server in a thread; `url` is its address, without a path."""

    def __init__(self, answer: Decide) -> None:
        self.answer = answer
        self.requests: list[Asked] = []
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"server_of": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    def take(self, path: str, body: dict[str, Any], key: str) -> Asked:
        text = json.dumps(body, ensure_ascii=False)
        found = SECTION.search(text)
        chunk = CHUNK.search(text)
        section = found.group(1) if found else f"chunk {chunk.group(1)}" if chunk else ""
        with self._lock:
            asked = Asked(section, path, body, sum(one.section == section for one in self.requests), key)
            self.requests.append(asked)
        return asked

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


class _Handler(BaseHTTPRequestHandler):
    server_of: Server
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        pass

    def do_GET(self) -> None:
        self._send(200, {"data": [], "models": []})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            body = json.loads(raw)
        except ValueError:
            self._send(400, {"error": {"message": "no JSON"}})
            return
        key = self.headers.get("x-api-key") or self.headers.get("x-goog-api-key") or ""
        key = key or self.headers.get("Authorization", "").removeprefix("Bearer ")
        asked = self.server_of.take(self.path.split("?")[0], body, key)
        try:
            self._answer(asked)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client gave up, as some tests want

    def _answer(self, asked: Asked) -> None:
        said = self.server_of.answer(asked)
        cut = False
        if isinstance(said, Bad):
            time.sleep(said.hang)
            if said.status:
                error = {"type": "error", "message": said.text, "code": said.status, "status": said.text}
                self._send(said.status, {"type": "error", "error": error}, {"Retry-After": said.after})
                return
            said, cut = said.text, said.cut
        for ending, speak in _WIRES.items():
            if asked.path.endswith(ending):
                whole, events = _calls(asked.body, said) if isinstance(said, Calls) else speak(asked.body, said)
                if asked.body.get("stream") or ending == ":streamGenerateContent":
                    self._stream(events, cut)
                elif cut:
                    self._cut(whole)
                else:
                    self._send(200, whole)
                return
        self._send(404, {"error": {"message": f"nothing at {asked.path}"}})

    def _send(self, status: int, value: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, text in (headers or {}).items():
            if text:
                self.send_header(name, text)
        self.end_headers()
        self.wfile.write(data)

    def _cut(self, value: dict[str, Any]) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2])
        self.close_connection = True

    def _stream(self, events: list[tuple[str, dict[str, Any] | str]], cut: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for name, event in events[: len(events) // 2] if cut else events:
            head = f"event: {name}\n" if name else ""
            data = event if isinstance(event, str) else json.dumps(event)
            self.wfile.write(f"{head}data: {data}\n\n".encode())
        self.wfile.flush()


# --- the wires: a whole answer, and the same as events --------------------------------------------------------------

Spoken = tuple[dict[str, Any], list[tuple[str, "dict[str, Any] | str"]]]


def _messages(body: dict[str, Any], said: dict[str, Any] | str) -> Spoken:
    tools = [tool["name"] for tool in body.get("tools", [])]
    if isinstance(said, dict) and tools:
        return _say(body, [{"type": "tool_use", "id": "toolu_1", "name": tools[-1], "input": said}])
    return _say(body, [{"type": "text", "text": said if isinstance(said, str) else json.dumps(said)}])


def _calls(body: dict[str, Any], said: Calls) -> Spoken:
    number = sum(message["role"] == "assistant" for message in body["messages"])
    calls = [
        {"type": "tool_use", "id": f"toolu_{number}_{at}", "name": name, "input": given}
        for at, (name, given) in enumerate(said.calls)
    ]
    return _say(body, [*([{"type": "text", "text": said.text}] if said.text else []), *calls])


def _say(body: dict[str, Any], blocks: list[dict[str, Any]]) -> Spoken:
    stop = "tool_use" if blocks[-1]["type"] == "tool_use" else "end_turn"
    usage = {"input_tokens": 1200, "output_tokens": 80, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
    # A client joins what comes under one id.
    message = {
        "id": f"msg_{time.monotonic_ns()}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "m"),
    }
    whole = message | {"content": blocks, "stop_reason": stop, "stop_sequence": None, "usage": usage}
    empty = message | {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
    events: list[tuple[str, dict[str, Any] | str]] = [("message_start", {"type": "message_start", "message": empty})]
    for at, block in enumerate(blocks):
        if block["type"] == "text":
            start, delta = block | {"text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            start = block | {"input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events += [
            ("content_block_start", {"type": "content_block_start", "index": at, "content_block": start}),
            ("content_block_delta", {"type": "content_block_delta", "index": at, "delta": delta}),
            ("content_block_stop", {"type": "content_block_stop", "index": at}),
        ]
    ending = {"stop_reason": stop, "stop_sequence": None}
    events += [
        ("message_delta", {"type": "message_delta", "delta": ending, "usage": usage}),
        ("message_stop", {"type": "message_stop"}),
    ]
    return whole, events


def _responses(body: dict[str, Any], said: dict[str, Any] | str) -> Spoken:
    text = said if isinstance(said, str) else json.dumps(said)
    content = {"type": "output_text", "text": text, "annotations": []}
    item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [content]}
    whole = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": body.get("model", "m"),
        "status": "completed",
        "output": [item],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 1200,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 80,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 1280,
        },
    }
    events: list[tuple[str, dict[str, Any] | str]] = [
        ("response.created", {"type": "response.created", "response": whole | {"output": [], "status": "in_progress"}}),
        ("response.output_item.done", {"type": "response.output_item.done", "output_index": 0, "item": item}),
        ("response.completed", {"type": "response.completed", "response": whole}),
    ]
    return whole, events


def _chat(body: dict[str, Any], said: dict[str, Any] | str) -> Spoken:
    text = said if isinstance(said, str) else json.dumps(said)
    tools = [tool["function"]["name"] for tool in body.get("tools", [])]
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if isinstance(said, dict) and tools:
        function = {"name": tools[-1], "arguments": text}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call_1", "type": "function", "function": function}],
        }
    reason = "tool_calls" if "tool_calls" in message else "stop"
    usage = {"prompt_tokens": 1200, "completion_tokens": 80, "total_tokens": 1280}
    head = {"id": "chat_1", "created": 1, "model": body.get("model", "m")}
    whole = head | {
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": usage,
    }
    chunk = head | {"object": "chat.completion.chunk"}
    events: list[tuple[str, dict[str, Any] | str]] = [
        ("", chunk | {"choices": [{"index": 0, "delta": message, "finish_reason": None}]}),
        ("", chunk | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage}),
        ("", "[DONE]"),
    ]
    return whole, events


def _generate(body: dict[str, Any], said: dict[str, Any] | str) -> Spoken:
    names = [one["name"] for tool in body.get("tools", []) for one in tool.get("functionDeclarations", [])]
    part: dict[str, Any] = {"text": said if isinstance(said, str) else json.dumps(said)}
    if isinstance(said, dict) and names:
        part = {"functionCall": {"name": names[-1], "args": said}}
    whole = {
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 1200, "candidatesTokenCount": 80, "totalTokenCount": 1280},
        "modelVersion": "m",
    }
    return whole, [("", whole)]


_WIRES: dict[str, Callable[[dict[str, Any], "dict[str, Any] | str"], Spoken]] = {
    "/messages": _messages,
    "/responses": _responses,
    "/chat/completions": _chat,
    ":generateContent": _generate,
    ":streamGenerateContent": _generate,
}
