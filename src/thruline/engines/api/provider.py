"""Whose model is meant, and with which key."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from thruline.errors import UsageError


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider. `starts` are how its models' names begin; `native` is whether it takes a schema itself."""

    name: str
    starts: tuple[str, ...]
    keys: tuple[str, ...]
    native: bool


PROVIDERS = (
    Provider("anthropic", ("claude",), ("ANTHROPIC_API_KEY",), native=False),
    Provider("openai", ("gpt", "o1", "o3", "o4", "chatgpt"), ("OPENAI_API_KEY",), native=True),
    Provider("google", ("gemini",), ("GOOGLE_API_KEY", "GEMINI_API_KEY"), native=True),
    Provider("local", (), (), native=True),
)


def parse_model(rest: str) -> tuple[Provider, str]:
    """The provider and the model of a name such as `anthropic/claude-…`; a known name needs no provider before it."""
    before, slash, after = rest.partition("/")
    for provider in PROVIDERS:
        if slash and before == provider.name and after:
            return provider, after
        if rest.startswith(provider.starts) and provider.starts:
            return provider, rest
    names = ", ".join(f"{provider.name}/<model>" for provider in PROVIDERS)
    raise UsageError(f'Nobody knows whose model "{rest}" is.', where=f"api:{rest}", next=f"say whose: {names}")


def find_key(provider: Provider, configured: Mapping[str, str]) -> str:
    """The provider's own key from the environment, else from the configured ones; empty where there is none."""
    return next((os.environ[name] for name in provider.keys if os.environ.get(name)), configured.get(provider.name, ""))
