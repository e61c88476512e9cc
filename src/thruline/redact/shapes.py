"""Secrets that are told by their own shape."""

import re
from collections.abc import Iterator
from functools import cache

from thruline.redact.judge import is_made_up, looks_like_password, looks_random
from thruline.redact.rules import Shape, compile_pattern, read_rules

# A pattern that finds ends of words, the lengths of these words, and the shapes that each of them may begin.
Gate = tuple[re.Pattern[bytes], list[int], dict[bytes, list[Shape]]]


def find_shapes(data: bytes, lowered: bytes) -> Iterator[tuple[int, int, str]]:
    """Start, end and rule of every secret of a known shape in `data`; `lowered` is the same in lower case."""
    for shape in read_rules().shapes:
        if shape.quick or shape.anycase:
            for at in _find_starts(data, lowered, shape):
                yield from _match(data, at, shape)
    for gate, lengths, words in _build_gates():
        for hit in gate.finditer(data):
            end = hit.end()
            for length in lengths:
                for shape in words.get(data[max(0, end - length) : end], ()):
                    yield from _match(data, end - length, shape)


def _find_starts(data: bytes, lowered: bytes, shape: Shape) -> Iterator[int]:
    if shape.quick:
        for hit in compile_pattern(shape.quick).finditer(data):
            yield hit.start()
        return
    for word in shape.words:
        at = lowered.find(word)
        while at >= 0:
            yield at
            at = lowered.find(word, at + len(word))


@cache
def _build_gates() -> list[Gate]:
    """A gate for all words that end in the same character.

    A search for each of sixty words would read the text sixty times. Looking for `_` and then back for `ghp`, `npm` or
    `sk_live` reads it once, at the speed of a single character's search.
    """
    by_last: dict[bytes, dict[bytes, list[Shape]]] = {}
    for shape in read_rules().shapes:
        if not shape.quick and not shape.anycase:
            for word in shape.words:
                by_last.setdefault(word[-1:], {}).setdefault(word, []).append(shape)
    gates: list[Gate] = []
    for last, words in by_last.items():
        lengths = sorted({len(word) for word in words})
        if len(words) == 1:
            gates.append((re.compile(re.escape(*words)), lengths, words))
            continue
        back = b"|".join(
            b"(?<=" + b"|".join(re.escape(word) for word in words if len(word) == length) + b")" for length in lengths
        )
        # Every secret behind such a word is longer than ten characters and has no space in it.
        ahead = rb"(?=[\w+/%.-]{10})" if last in b"_-.=" else b""
        gates.append((re.compile(re.escape(last) + ahead + b"(?:" + back + b")"), lengths, words))
    return gates


def _match(data: bytes, at: int, shape: Shape) -> Iterator[tuple[int, int, str]]:
    match = compile_pattern(shape.pattern, shape.anycase).match(data, at)
    if match is None:
        return
    start, end = match.span("secret") if "secret" in match.re.groupindex else match.span()
    if shape.before:
        lead = compile_pattern(shape.before).search(data[max(0, at - shape.lead) : at])
        if lead is None:
            return
        start -= lead.end() - lead.start()
    value = data[start:end].decode(errors="replace")
    if _is_secret(value, match.groupdict().get("user"), shape.judge):
        yield start, end, shape.name


def _is_secret(value: str, user: bytes | None, judge: str) -> bool:
    if judge == "random":
        return looks_random(value, 8 if value.endswith("=") else 12)
    if judge == "password":
        # user = password is how every tutorial starts its database.
        return looks_like_password(value) and value != (user or b"").decode(errors="replace")
    if judge == "cookie":
        return any(looks_random(pair.partition("=")[2], 16) for pair in value.split(";"))
    return not is_made_up(value)
