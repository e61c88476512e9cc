"""Nothing outside `harnesses/` knows a client by its name: what differs is a field or a module there."""

import re
from pathlib import Path

import pytest

import thruline
from thruline.harnesses.registry import HARNESSES

SOURCE = Path(thruline.__file__).parent
PROGRAMS = [program for harness in HARNESSES for program in harness.programs]
# Words that mean something else where they stand: a family of models, its maker's variables, what people write.
OTHERWISE = {
    "engines/api/__init__.py": {"claude"},
    "engines/api/library.py": {"gemini"},
    "engines/api/provider.py": {"claude", "gemini"},
    "redact/rules.toml": {"gemini"},
    "signals/cues/en.toml": {"copilot"},
    "signals/weights.json": {"claude", "claudecode", "copilot", "gemini"},
}


def find_named(text: str) -> set[str]:
    """The words in `text` that a client is called by; a long name counts within another word too."""
    words = set(re.findall(r"[a-z]+", text.lower()))
    return {word for word in words for name in PROGRAMS if word == name or (len(name) > 3 and name in word)}


def read_sources() -> dict[str, str]:
    """Everything that ships and is written by us, by its path, but for the clients' own room."""
    paths = [path for path in SOURCE.rglob("*") if path.suffix in (".py", ".md", ".toml", ".json", ".html")]
    named = {path.relative_to(SOURCE).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    return {name: text for name, text in named.items() if not name.startswith("harnesses/")}


def test_nothing_outside_their_room_names_a_client() -> None:
    found = {name: words for name, text in read_sources().items() if (words := find_named(text))}
    assert found == OTHERWISE


@pytest.mark.parametrize(
    "text",
    [
        'if harness.name == "codex":',
        "example='thruline relay latest --to claude-code'",
        "CLAUDE_CONFIG_DIR",
        "isOpenCode",
        "~/.gemini/tmp",
        '"pi"',
    ],
)
def test_a_name_would_be_found(text: str) -> None:
    assert find_named(text)


@pytest.mark.parametrize("text", ["the epic of a pipe", "api", "code", "command line"])
def test_a_word_that_only_holds_a_short_name_is_none(text: str) -> None:
    assert not find_named(text)
