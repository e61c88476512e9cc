"""What a chunk's summary must be."""

from typing import Any

from thruline.brief.section import build_schema

# Of a summary, in characters: a fifth of the piece that it stands for.
LONGEST = 24_000

SUMMARY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "chunk_index": {"type": "integer"},
        "summary": {"type": "string", "minLength": 1},
        "key_pointers": build_schema("basics")["properties"]["pointers"],
    },
    "required": ["chunk_index", "summary", "key_pointers"],
}


def check_summary(value: object) -> str:
    """What is wrong with a chunk's summary, "" where nothing is."""
    if not isinstance(value, dict):
        return "no JSON object in it"
    missing = [key for key in SUMMARY_SCHEMA["required"] if key not in value]
    if missing:
        return f'"{missing[0]}" is missing'
    if type(value["chunk_index"]) is not int or value["chunk_index"] < 0:
        return '"chunk_index" is not a number from 0 on'
    if not isinstance(value["summary"], str) or not value["summary"].strip():
        return '"summary" is not a text, or an empty one'
    if len(value["summary"]) > LONGEST:
        return f'"summary" has {len(value["summary"]):,} characters; at most {LONGEST:,}'
    return "" if isinstance(value["key_pointers"], list) else '"key_pointers" is not a list'
