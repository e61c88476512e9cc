"""Secrets that are told by their own shape."""

import re
from collections.abc import Iterator
from functools import cache

from thruline.redact.judge import ENOUGH, is_commit_id, is_made_up, looks_like_password, looks_random
from thruline.redact.rules import Shape, compile_pattern, read_rules

_BY_ENTROPY = ("random", "cookie")
# A pattern that finds ends of words, the lengths of these words, and the shapes that each of them may begin.
Gate = tuple[re.Pattern[bytes], list[int], dict[bytes, list[Shape]]]


def find_shapes(data: bytes, lowered: bytes, entropy: bool = True) -> Iterator[tuple[int, int, str]]:
    """Start, end and rule of every secret of a known shape in `data`; `lowered` is the same in lower case.

    Without `entropy`, rules that ask whether a value looks random are left out.
    """
    shapes = [shape for shape in read_rules().shapes if entropy or shape.judge not in _BY_ENTROPY]
    for shape in shapes:
        if shape.quick or shape.anycase:
            yield from _match_all(data, _find_starts(data, lowered, shape), shape)
    gated = _find_gated(data)
    for shape in shapes:
        if shape.name in gated:
            yield from _match_all(data, iter(sorted(gated[shape.name])), shape)


def _find_gated(data: bytes) -> dict[str, list[int]]:
    """Where a word of each shape stands, by the shape's name."""
    starts: dict[str, list[int]] = {}
    for gate, lengths, words in _build_gates():
        for hit in gate.finditer(data):
            end = hit.end()
            for length in lengths:
                for shape in words.get(data[max(0, end - length) : end], ()):
                    starts.setdefault(shape.name, []).append(end - length)
    return starts


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


def _match_all(data: bytes, starts: Iterator[int], shape: Shape) -> Iterator[tuple[int, int, str]]:
    """Every secret of `shape` that begins at one of `starts`; none is looked for inside what was already read."""
    after = 0
    for at in starts:
        if at < after:
            continue
        match = compile_pattern(shape.pattern, shape.anycase).match(data, at)
        if match is None:
            continue
        start, end = match.span("secret") if "secret" in match.re.groupindex else match.span()
        if shape.before:
            lead = compile_pattern(shape.before).search(data[max(0, at - shape.lead) : at])
            if lead is None:
                continue
            start -= lead.end() - lead.start()
        if _is_secret(data[start:end], match.groupdict(b""), shape.judge):
            yield start, end, shape.name
            after = end
        elif shape.judge == "cookie":
            after = end  # every pair was judged; a header inside them has none of its own


def _is_secret(data: bytes, groups: dict[str, bytes], judge: str) -> bool:
    if judge == "cookie":
        return any(looks_random(_decode(pair.partition(b"=")[2]), 16) for pair in data.split(b";"))
    value = _decode(data)
    if judge == "random":
        # `Fix authorization: 1f0c…` names a commit; behind a scheme or in quotes the same digits are a credential.
        if groups.get("firm") == b"" and is_commit_id(value):
            return False
        return looks_random(value, 8 if data.endswith(b"=") else 12)
    if judge == "password":
        # user = password is how every tutorial starts its database.
        return looks_like_password(value) and data != groups.get("user")
    return not is_made_up(value)


def _decode(data: bytes) -> str:
    return data[:ENOUGH].decode(errors="replace")
