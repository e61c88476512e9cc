"""Secrets that never were: the examples of `rules.toml`, filled with random characters at run time."""

import random
import re

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ALPHABETS = {
    "alnum": _LETTERS + "0123456789",
    "word": _LETTERS + "0123456789_-",
    "hex": "0123456789abcdef",
    "base64": _LETTERS + "0123456789+/",
    "base32": _LETTERS[:26] + "234567",
    "digits": "0123456789",
    "lower": _LETTERS[26:],
}


def fill(example: str, seed: int) -> str:
    """The example with its holes, `{alnum:36}`, filled; `seed` decides with what."""
    draw = random.Random(seed)
    return re.sub(
        r"\{([a-z0-9]+):(\d+)\}",
        lambda hole: "".join(draw.choice(ALPHABETS[hole[1]]) for _ in range(int(hole[2]))),
        example,
    )


def find_holes(example: str, filled: str) -> list[str]:
    """What was put into the holes of `example` to make `filled`."""
    parts = re.split(r"(\{[a-z0-9]+:\d+\})", example)
    pattern = "".join(
        f"(.{{{part[1:-1].partition(':')[2]}}})" if re.fullmatch(r"\{[a-z0-9]+:\d+\}", part) else re.escape(part)
        for part in parts
    )
    match = re.fullmatch(pattern, filled, re.DOTALL)
    return list(match.groups()) if match else []
