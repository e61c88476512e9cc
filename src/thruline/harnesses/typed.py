"""What the typed decoders of all readers share. Imported for large files alone, like the shapes that need it."""

from typing import Any

import msgspec

from thruline.harnesses.jsonl import value_of

decode_any = msgspec.json.Decoder().decode


def decode_raw(raw: Any) -> Any:
    """The plain value of a field, quickly; like `value_of` in every other respect."""
    if isinstance(raw, msgspec.Raw):
        try:
            return decode_any(raw)
        except (ValueError, RecursionError):
            return value_of(raw)
    return raw
