"""JSON at the price of no import: the C scanner and encoder inside CPython, without the module around them.

`json` alone costs as much as a bare interpreter, mostly for the regular expressions of its slow twin. Both are private
to CPython, so `json` stays the fallback where they are missing or have another interface. Hooks, wires and the readers
of transcripts share this.
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


def find_scanner(parse_int=int):  # type: ignore[no-untyped-def]  # naming the type would cost an import
    """What reads one JSON value of a text from an index on, and tells where it ends; control characters pass.

    With a `parse_int` of one's own every whole number costs a call.
    """
    try:
        settings = _Settings if parse_int is int else type("_Own", (_Settings,), {"parse_int": staticmethod(parse_int)})
        scanner = _json.make_scanner(settings)  # type: ignore[arg-type]
        scanner('{"a": [1]}', 0)
    except (AttributeError, TypeError):
        import json  # here and not on top: the public way is dear

        return json.JSONDecoder(strict=False, parse_int=parse_int).raw_decode

    def scan_value(text, at):  # type: ignore[no-untyped-def]
        try:
            return scanner(text, at)
        except SystemError:
            # The scanner takes its error from `json.decoder`, and has none to raise until somebody imported that.
            import json.decoder  # noqa: F401

            return scanner(text, at)

    return scan_value


scan = find_scanner()  # type: ignore[no-untyped-call]


def render_line(value: "dict[str, object]") -> bytes:
    """`value` as one line of ASCII JSON; a lone surrogate, as clients send them, becomes an escape."""
    try:
        quote = _json.encode_basestring_ascii
        encoder = _json.make_encoder(None, _refuse, quote, None, ": ", ", ", False, False, True)
        return ("".join(encoder(value, 0)) + "\n").encode("ascii")
    except (AttributeError, TypeError):
        pass  # no encoder, or another interface
    import json  # here and not on top, as above

    return (json.dumps(value) + "\n").encode("ascii")


def _refuse(value: object) -> object:
    raise ValueError("no JSON form for " + type(value).__name__)
