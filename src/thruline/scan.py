"""JSON at the price of no import: the C scanner inside CPython, without the module around it.

`json` alone costs as much as a bare interpreter, mostly for the regular expressions of its slow twin. The scanner is
private to CPython, so `json` stays the fallback where it is missing or has another interface. Hooks and the readers of
transcripts share it.
"""

try:
    import _json
except ImportError:  # another Python
    _json = None  # type: ignore[assignment]


class _Settings:
    # What the C scanner reads from a JSONDecoder.
    strict = False
    object_hook = None
    object_pairs_hook = None
    array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: "dict[str, str]" = {}  # noqa: RUF012 - the scanner's own


def find_scanner():  # type: ignore[no-untyped-def]  # naming the type would cost an import
    """What reads one JSON value of a text from an index on, and tells where it ends; control characters pass."""
    try:
        scanner = _json.make_scanner(_Settings)  # type: ignore[arg-type]
        scanner('{"a": [1]}', 0)
    except (AttributeError, TypeError):
        import json  # here and not on top: the public way is dear

        return json.JSONDecoder(strict=False).raw_decode
    return scanner


scan = find_scanner()  # type: ignore[no-untyped-call]
