"""The library that speaks to providers: everything in the house that needs it, imported only when one is asked.

Each question has a connection of its own, closed with it, so that threads share nothing.
"""

import asyncio
import json
import os
import threading
import time

import httpx2
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelRequest, ModelResponse, SystemPromptPart, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.tools import ToolDefinition

from thruline.engines.api.provider import Provider
from thruline.engines.asker import Answer, Options, Usage
from thruline.extract.question import SYSTEM, Question

_LOOK = 0.1  # seconds between two looks at whether to stop
_MOST_TOKENS = 8_192  # of an answer; a section is a page
_TOOL = "answer"
_BUSY = (429, 503, 529)
_DELAY = 2.0  # seconds, where a busy server names none


class ApiAsker:
    """A model behind an interface."""

    def __init__(self, provider: Provider, model: str, key: str, options: Options) -> None:
        self.name = f"api:{provider.name}/{model}"
        self.model = model
        self.priced = provider.name != "local"
        self._provider = provider
        self._key = key
        self._options = options

    def ask(self, question: Question, stop: threading.Event) -> Answer:
        """One answer; whatever a server or a network does is told in `problem`."""
        return asyncio.run(self._ask(question, stop))

    async def _ask(self, question: Question, stop: threading.Event) -> Answer:
        async with httpx2.AsyncClient(timeout=self._options.timeout) as client:
            running = asyncio.ensure_future(self._request(question, client))
            deadline = time.monotonic() + self._options.timeout
            problem = ""
            while not running.done() and not problem:
                await asyncio.wait({running}, timeout=_LOOK)
                if running.done():
                    break
                if stop.is_set():
                    problem = "interrupted"
                elif time.monotonic() > deadline:
                    problem = f"timeout: no answer in {self._options.timeout:g} s"
            if problem:
                running.cancel()
                await asyncio.wait({running})
                return Answer("", self.model, problem=problem)
            error = running.exception()
            if error is not None:
                after = _find_delay(error)
                # A request that was turned away cost nothing.
                usage = Usage(exact=False) if after is not None else Usage()
                return Answer("", self.model, usage, _name_problem(error), after)
            return self._read(running.result())

    async def _request(self, question: Question, client: httpx2.AsyncClient) -> ModelResponse:
        if self._provider.native:
            shape = ModelRequestParameters(
                output_mode="native",
                output_object=OutputObjectDefinition(question.schema, name=_TOOL, strict=True),
            )
        else:
            tool = ToolDefinition(name=_TOOL, parameters_json_schema=question.schema, description="Your answer.")
            shape = ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
        return await model_request(
            self._open(client),
            [ModelRequest(parts=[SystemPromptPart(SYSTEM), UserPromptPart(question.prompt)])],
            model_settings={"max_tokens": _MOST_TOKENS, "timeout": self._options.timeout},
            model_request_parameters=shape,
        )

    def _open(self, client: httpx2.AsyncClient) -> Model:
        if self._provider.name == "anthropic":
            asked = AnthropicProvider(api_key=self._key, http_client=client)
            asked.client.max_retries = 0
            return AnthropicModel(self.model, provider=asked)
        if self._provider.name == "google":
            url = os.environ.get("GOOGLE_GEMINI_BASE_URL") or None
            return GoogleModel(self.model, provider=GoogleProvider(api_key=self._key, http_client=client, base_url=url))
        if self._provider.name == "local":
            served = OpenAIProvider(base_url=self._options.base_url, api_key=self._key or "none", http_client=client)
            served.client.max_retries = 0
            return OpenAIChatModel(self.model, provider=served)
        served = OpenAIProvider(api_key=self._key, http_client=client)
        served.client.max_retries = 0  # what is sent has passed the meter, and a second time it must pass again
        return OpenAIResponsesModel(self.model, provider=served)

    def _read(self, response: ModelResponse) -> Answer:
        usage = Usage(
            response.usage.input_tokens,
            response.usage.output_tokens,
            response.usage.cache_read_tokens,
            _find_price(response),
        )
        model = response.model_name or self.model
        calls = response.tool_calls
        if calls:
            return Answer(json.dumps(calls[-1].args_as_dict(), ensure_ascii=False), model, usage)
        text = response.text or ""
        if response.finish_reason == "length":
            return Answer("", model, usage, f"cut off: more than {_MOST_TOKENS:,} tokens")
        if response.finish_reason == "content_filter":
            return Answer("", model, usage, "refused: the provider's filter")
        return Answer(text, model, usage) if text.strip() else Answer("", model, usage, "empty: nothing was answered")


def _name_problem(error: BaseException) -> str:
    """What went wrong in a word, then more; never a body, which may hold what we sent."""
    status = getattr(error, "status_code", None)
    words = {400: "refused", 401: "no access", 403: "no access", 404: "no such model", 413: "too long"}
    words |= dict.fromkeys(_BUSY, "busy")
    if isinstance(status, int):
        return f"{words.get(status, 'server error' if status >= 500 else 'failed')}: status {status}"
    return f"failed: {type(error).__name__}"


def _find_delay(error: BaseException) -> float | None:
    """In how many seconds a busy server wants to be asked again; None where it was not that."""
    if getattr(error, "status_code", None) not in _BUSY:
        return None
    response = getattr(error.__cause__, "response", None)
    told = getattr(response, "headers", {}).get("retry-after", "")
    return float(told) if told.isdecimal() else _DELAY


def _find_price(response: "ModelResponse") -> float | None:
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        return None  # a model without a known price
