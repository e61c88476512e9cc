"""Places that can be opened.

`transcript:L<n>[-L<m>]`, `transcript:a1:L<n>`, `commit:<hash>[:path]`, `file:<path>[:symbol|:L<n>]`
"""


def render_pointer(line: int, last: int = 0, source: str = "") -> str:
    """`transcript:L12`, `transcript:L12-L20` or `transcript:a1:L12`."""
    label = f"{source}:" if source else ""
    end = f"-L{last}" if last and last != line else ""
    return f"transcript:{label}L{line}{end}"


def parse_place(text: str) -> tuple[str, int, int]:
    """(source, first, last) of a transcript pointer; the `transcript:` in front may be missing."""
    source, _, lines = text.removeprefix("transcript:").rpartition(":")
    first, dash, last = lines.partition("-")
    if _is_line(first) and (not dash or _is_line(last)) and (source == "" or source.isalnum()):
        numbers = int(first[1:]), int(last[1:]) if dash else int(first[1:])
        if 0 < numbers[0] <= numbers[1]:
            return source, *numbers
    from thruline.errors import UsageError  # here, as every spine imports this module and none makes this mistake

    raise UsageError(f'"{text}" is not a place in a transcript.', next="L120, L120-L130 or a1:L7")


def _is_line(text: str) -> bool:
    return text[:1] == "L" and text[1:].isascii() and text[1:].isdecimal() and len(text) < 12
