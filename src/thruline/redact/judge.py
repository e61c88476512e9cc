"""Whether a value is a secret or only stands where one would: `${TOKEN}`, `changeme`, `password: str`, a call.

Errs towards keeping what reads like words or code, since a mangled sentence about passwords helps nobody, and towards
removing what looks random, since that is what machines issue.
"""

import re
from collections import Counter
from functools import lru_cache
from math import log2

from thruline.pattern import compile_later
from thruline.redact.rules import read_rules

# Words, camelCase words, capitals and short numbers between separators: `my-app-v2`, `UserSettings`, `en_US.UTF-8`.
_WORDY = compile_later(
    r"[\W_]*+(?:(?:(?:[A-Z]?[a-z]{2,14}+){1,6}+|[A-Z]{1,14}+|[a-z])\d{0,4}|\d{1,4}[a-z]{0,2})"
    r"(?:[\W_]++(?:(?:(?:[A-Z]?[a-z]{2,14}+){1,6}+|[A-Z]{1,14}+|[a-z])\d{0,4}|\d{1,4}[a-z]{0,2}))*+[\W_]*"
)
ENOUGH = 128  # characters are plenty to judge by, and keep the cost of a candidate constant
_PATH = compile_later(r"(?:~|\.{1,2})?/[\w.@-]|[A-Za-z]:[\\/]|\./")
_HEX = compile_later(r"[0-9a-f]{7,40}")
_SPOKEN = compile_later(r"[A-Z]?(?=[a-z]*[aeiouy]|[a-z]{2}\Z)(?![a-z]*[b-df-hj-np-tv-xz]{5})[a-z]+|[AEIOU][a-z]+")
_CLUSTER = compile_later(r"[b-df-hj-np-tv-xz]{5}")
_CAMEL = compile_later(r"[A-Z]{2,6}(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_RUN_ON = compile_later(r"[a-z]+(?:\d+[a-z]+)+\d*")
_IDENTIFIER = compile_later(r"[A-Za-z_$][\w$]*(?:(?:\.|\?\.|::|->)[A-Za-z_$][\w$]*)*")


@lru_cache(maxsize=8)  # one value is asked several times in a row
def is_placeholder(value: str) -> bool:
    """Whether `value` is a stand-in for a secret."""
    innocent = read_rules().innocent
    lowered = value.lower()
    return (
        lowered in innocent.values
        or lowered[:1] in "$%{&*"
        or len(set(lowered)) <= 2
        or any(part in lowered for part in innocent.parts)
    )


def is_made_up(value: str) -> bool:
    """Whether a value of the right shape is one that documentation prints, such as `AKIA…EXAMPLE`."""
    lowered = value.lower()
    if any(part in lowered for part in ("example", "redacted", "placeholder", "xxxxxx", "your-", "your_")):
        return True
    return len(value) >= 10 and len(set(value[-20:])) < 6


@lru_cache(maxsize=8)
def is_wordy(value: str) -> bool:
    """Whether `value` is made of words and short numbers, as names and paths are."""
    return len(value) <= ENOUGH and (_WORDY.fullmatch(value) is not None or _is_code_name(value))


def _is_code_name(value: str) -> bool:
    # `this.options.apiKeyV2`, `HTTPPasswordMgrWithDefaultRealm`: a member, or a name that tells what it is.
    # What a machine drew changes case at every other letter, so its words are short, and few can be spoken.
    if len(value) < 16 or not is_identifier(value):
        return False
    if "." not in value and not any(word in value.lower() for word in read_rules().innocent.telling):
        return False
    if _RUN_ON.fullmatch(value):
        return False  # `hunter2secretvalue99`: a name would set its words apart
    words = _CAMEL.findall(value)
    letters = [word for word in words if not word.isdigit()]
    if not letters or max(map(len, words)) > 14 or len(words) - len(letters) > 2:
        return False
    total = sum(map(len, letters))
    spoken = sum(len(word) for word in letters if len(word) > 2 and _SPOKEN.fullmatch(word))
    return 2 * total >= 7 * len(letters) and 4 * spoken >= 3 * total


def is_telling(value: str) -> bool:
    """Whether a value of words says itself what it stands for: `my-app-secret`, `invalid_password`."""
    lowered = value.lower()
    return is_wordy(value) and any(word in lowered for word in read_rules().innocent.telling)


def is_commit_id(value: str) -> bool:
    """Whether `value` may name a commit: 40 hexadecimal digits, or 7 to 12 of which some are letters and some not."""
    if _HEX.fullmatch(value) is None:
        return False
    return len(value) == 40 or (7 <= len(value) <= 12 and not value.isdigit() and not value.isalpha())


def is_unpronounceable(value: str) -> bool:
    """Whether `value`, letters of one case, is no run of words: too many consonants in a row, or rare letters."""
    lowered = value.lower()
    if len(value) < 20 or not value.isascii() or not value.isalpha() or value not in (lowered, value.upper()):
        return False
    if is_placeholder(value) or is_made_up(value):
        return False
    return _CLUSTER.search(lowered) is not None or sum(c in "jqxz" for c in lowered) > 2


def is_identifier(value: str) -> bool:
    """Whether code could use `value` as a name: `user.password2`."""
    return _IDENTIFIER.fullmatch(value) is not None


def is_path(value: str) -> bool:
    """Whether `value` starts like a path and most of it is words, as no base64 that happens to start with `/` is."""
    if _PATH.match(value) is None:
        return False
    parts = re.split(r"[/\\.]+", value)
    words = sum(len(part) for part in parts if len(part) > 2 and is_wordy(part))
    return 2 * words >= sum(map(len, parts))


def measure_entropy(value: str) -> float:
    """Shannon entropy of the characters of `value`, in bits for each."""
    total = len(value)
    return -sum(n / total * log2(n / total) for n in Counter(value).values())


@lru_cache(maxsize=8)
def looks_random(value: str, least: int = 12) -> bool:
    """Whether `value` looks issued by a machine rather than written by a person."""
    value = value[:ENOUGH]
    if len(value) < least or " " in value or is_placeholder(value) or is_made_up(value):
        return False
    if is_wordy(value) or is_path(value):
        return False
    digits = sum(c.isdigit() for c in value)
    letters = sum(c.isalpha() for c in value)
    if not letters:
        return False
    if not digits and (letters < 20 or value.lower() == value or value.upper() == value):
        return False
    return measure_entropy(value) >= (2.5 if len(value) < 20 else 3.0)


def looks_like_password(value: str) -> bool:
    """Whether `value`, given to a name that says password, is one."""
    return len(value) >= 4 and not (
        any(c.isspace() for c in value) or is_placeholder(value) or is_telling(value) or is_path(value)
    )
