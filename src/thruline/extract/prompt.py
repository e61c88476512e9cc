"""The prompts: markdown files with their inputs declared on top, filled for one section or one chunk.

A hole `${NAME}` is an input, `${_block}` a shared file. There are three ways to ask: `files`, where the reader opens
what the inputs name and writes its answer to a file; `inline`, where it has no tools and the text follows the prompt;
and `agent`, where the prompt is an agent's standing instruction and the inputs come with each task.
A user may replace any file by one of the same name in the config folder; a repository may not.
"""

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from thruline.brief.section import NAMES
from thruline.errors import FormatError, NotFound

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "prompts")
CHUNK = "chunk"
INPUTS = ("SPINE", "SOURCE_FILES", "SESSION_UUID", "LEAF_UUID", "REPO_ROOT", "SECTION", "SECTIONS_DIR")
CHUNK_INPUTS = ("CHUNK_FILE", "CHUNK_INDEX", "SESSION_UUID", "REPO_ROOT", "SOURCE_FILES", "SUMMARIES_DIR")

# What a block that depends on the way is called in a prompt, and the file that fills it.
WAYS = {
    "files": {"_deliver": "_deliver_file", "_git": "_git_run"},
    "inline": {"_deliver": "_deliver_reply", "_git": "_git_given"},
    "agent": {"_deliver": "_deliver_file", "_git": "_git_run", "_reading": "_reading_task"},
}
_CHUNK_WAYS = {
    "files": {"_deliver": "_deliver_chunk_file", "_reading": "_reading_chunk"},
    "inline": {"_deliver": "_deliver_reply", "_reading": "_reading_chunk"},
    "agent": {"_deliver": "_deliver_chunk_file", "_reading": "_reading_chunk_task"},
}
_HOLE = re.compile(r"\$\{(\w*)\}")
_TOP = re.compile(r"\A---\ninputs: ([\w, ]+)\n---\n")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt before it is filled. `blocks` are the shared files that it names, by their hole."""

    name: str
    path: str
    inputs: tuple[str, ...]
    text: str
    blocks: Mapping[str, str]


def read_prompt(name: str, way: str, overrides: str = "") -> Prompt:
    """The prompt of a section, or of a chunk; `overrides` is the user's own folder of prompts, or empty."""
    ways = (_CHUNK_WAYS if name == CHUNK else WAYS)[way]
    path, whole = _read(name, overrides)
    top = _TOP.match(whole)
    declared = tuple(one.strip() for one in top.group(1).split(",")) if top else ()
    allowed = CHUNK_INPUTS if name == CHUNK else INPUTS
    if declared != allowed:
        raise FormatError(
            f'The prompt "{name}" does not declare its inputs.',
            path=path,
            line=1,
            next="begin it with three lines: ---, inputs: " + ", ".join(allowed) + ", ---",
        )
    assert top is not None
    text = whole[top.end() :]
    if "${_security}" not in text:
        raise FormatError(f'The prompt "{name}" lacks ${{_security}}.', path=path, next="put it before the steps")
    blocks = {}
    for hole in dict.fromkeys(_HOLE.findall(text)):
        if hole.startswith("_"):
            blocks[hole] = _read(ways.get(hole, hole), overrides)[1].rstrip("\n")
    if not blocks["_security"].strip():
        raise FormatError(
            "The security block is empty.", path=_read("_security", overrides)[0], next="remove it; ours is used then"
        )
    _check_holes(path, (text, *blocks.values()), {*declared, *blocks})
    return Prompt(name, path, declared, text, blocks)


def render_prompt(prompt: Prompt, values: Mapping[str, str]) -> str:
    """The prompt with every hole filled. Exactly the declared inputs must be there, so nothing else can slip in."""
    if set(values) != set(prompt.inputs):
        odd = sorted(set(values) ^ set(prompt.inputs))
        raise ValueError(f"inputs that are not those of the prompt: {', '.join(odd)}")
    shown = {name: render_value(value) for name, value in values.items()}
    whole = _HOLE.sub(lambda hole: prompt.blocks.get(hole.group(1), hole.group(0)), prompt.text)
    return _HOLE.sub(lambda hole: shown[hole.group(1)], whole)


def render_instruction(prompt: Prompt) -> str:
    """The prompt as an agent's standing instruction: an input is called by its name, the section by its own."""
    return render_prompt(prompt, {name: name for name in prompt.inputs} | _name_section(prompt))


def _name_section(prompt: Prompt) -> dict[str, str]:
    return {"SECTION": prompt.name} if prompt.name != CHUNK else {}


def render_data(title: str, text: str) -> str:
    """`text` between two marks that it cannot hold: they carry its own digest."""
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"\n<<<<< {title} {mark}\n{text.rstrip()}\n>>>>> {title} {mark}\n"


def build_version(overrides: str = "") -> str:
    """A name for the state of all prompts: another one when any word of them changes."""
    digest = hashlib.sha256()
    for name in sorted(file.removesuffix(".md") for file in os.listdir(FOLDER) if file.endswith(".md")):
        digest.update(f"{name}\0{_read(name, overrides)[1]}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]


def find_names() -> tuple[str, ...]:
    """The prompts that can be asked for: the five sections, and a chunk."""
    return (*NAMES, CHUNK)


def _read(name: str, overrides: str) -> tuple[str, str]:
    for folder in (overrides, FOLDER):
        path = os.path.join(folder, name + ".md")
        if folder and os.path.isfile(path):
            try:
                with open(path, encoding="utf-8") as file:
                    return path, file.read()
            except (OSError, UnicodeDecodeError) as error:
                raise FormatError(f"Cannot read the prompt: {error}.", path=path, next="mend or remove it") from None
    raise NotFound(f'No prompt block "{name}".', where=overrides or FOLDER, next="use one of the package's own")


def _check_holes(path: str, texts: tuple[str, ...], known: set[str]) -> None:
    for text in texts:
        for match in _HOLE.finditer(text):
            if match.group(1) not in known:
                line = text.count("\n", 0, match.start()) + 1
                raise FormatError(
                    f"Nothing fills the hole {match.group(0)}.", path=path, line=line, next="use a declared input"
                )


def render_value(value: str) -> str:
    """An input as it may stand in a line: as it is, or as a JSON string where it could pass for more than a value."""
    # A folder may be called anything; a line break or a backtick in its name must not look like the prompt's own text.
    plain = value.isprintable() and "`" not in value and "${" not in value
    return value if plain else json.dumps(value).replace("`", "\\u0060").replace("${", "\\u0024{")
