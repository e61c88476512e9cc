"""Where the secrets of a text are, and the text without them."""

from collections import Counter

from thruline.redact.named import find_named
from thruline.redact.rules import read_rules
from thruline.redact.shapes import find_shapes
from thruline.value import dataclass

_ROUNDS = 8  # two are usual; a bound keeps a hostile text from asking for one for each of its secrets


@dataclass(frozen=True, slots=True)
class Secret:
    """One secret: `text[start:end]`, and the rule that found it."""

    start: int
    end: int
    rule: str


@dataclass(frozen=True, slots=True)
class Redacted:
    """Text without secrets. `receipt` counts by rule and never holds a value; `places` are those of the source."""

    text: str
    receipt: dict[str, int]
    places: tuple[Secret, ...]


def render_marker(rule: str) -> str:
    """What stands in place of a secret."""
    return f"[redacted:{rule}]"


def redact(text: str, *, entropy: bool = True) -> Redacted:
    """The text with a marker in place of every secret; without `entropy`, only of those that need not look random."""
    places = find_secrets(text, entropy=entropy)
    receipt = Counter(place.rule for place in places)
    return Redacted(_replace(text, places), dict(sorted(receipt.items())), tuple(places))


def find_secrets(text: str, *, entropy: bool = True) -> list[Secret]:
    """Every secret of `text`, in order, none overlapping another."""
    places = _scan(text, entropy)
    for _ in range(_ROUNDS if places else 0):
        # A marker ends words that a secret did not: what it uncovers is looked at again, until nothing is left.
        fresh = _scan(_replace(text, places), entropy)
        if not fresh:
            break
        places = sorted([*places, *_to_source(fresh, places)], key=lambda place: place.start)
    return places


def _replace(text: str, places: list[Secret]) -> str:
    parts: list[str] = []
    at = 0
    for place in places:
        parts += (text[at : place.start], render_marker(place.rule))
        at = place.end
    return "".join([*parts, text[at:]])


def _scan(text: str, entropy: bool) -> list[Secret]:
    # Lone surrogates (bytes that were not UTF-8, halves of a broken pair) must survive the way there and back.
    data = text.encode("utf-8", "surrogatepass")
    lowered = data.lower()
    spans = _merge([*find_shapes(data, lowered, entropy), *find_named(data, lowered, entropy)])
    if len(data) == len(text):
        return [Secret(*span) for span in spans]
    return _to_characters(data, spans)


def _merge(spans: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """The spans in order; where some overlap, their union under the name of the rule that stands first in the file."""
    if len(spans) < 2:
        return spans
    rules = read_rules()
    names = [*(shape.name for shape in rules.shapes), *(named.name for named in rules.named)]
    rank = {name: n for n, name in enumerate(names)}
    merged: list[tuple[int, int, str]] = []
    for start, end, rule in sorted(spans):
        if merged and start < merged[-1][1]:
            last = merged.pop()
            start, end, rule = last[0], max(end, last[1]), min(last[2], rule, key=lambda name: rank[name])
        merged.append((start, end, rule))
    return merged


def _to_characters(data: bytes, spans: list[tuple[int, int, str]]) -> list[Secret]:
    places: list[Secret] = []
    at = characters = 0
    for start, end, rule in spans:
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end += 1  # a bounded pattern may stop inside a character; the rest of it goes too
        characters += len(data[at:start].decode("utf-8", "surrogatepass"))
        length = len(data[start:end].decode("utf-8", "surrogatepass"))
        places.append(Secret(characters, characters + length, rule))
        characters += length
        at = end
    return places


def _to_source(fresh: list[Secret], places: list[Secret]) -> list[Secret]:
    """Places of the replaced text as places of the source; what touches a marker is no secret."""
    moved: list[Secret] = []
    shift = 0
    rest = iter(places)
    place = next(rest, None)
    for secret in fresh:
        while place is not None and place.start - shift < secret.start:
            shift += place.end - place.start - len(render_marker(place.rule))
            place = next(rest, None)
        moved.append(Secret(secret.start + shift, secret.end + shift, secret.rule))
    return moved
