"""Prompts as they were reviewed, and as they are now."""

from pathlib import Path

from thruline.extract.prompt import CHUNK, CHUNK_INPUTS, INPUTS, read_prompt, render_instruction, render_prompt

SNAPSHOTS = Path(__file__).parent / "prompts"


def fill(name: str, way: str = "files", overrides: str = "", **changed: str) -> str:
    """A prompt with a name in every hole."""
    inputs = CHUNK_INPUTS if name == CHUNK else INPUTS
    if way == "agent":
        return render_instruction(read_prompt(name, way, overrides))
    values = {key: f"<{key}>" for key in inputs} | ({"SECTION": name} if name != CHUNK else {}) | changed
    return render_prompt(read_prompt(name, way, overrides), values)
