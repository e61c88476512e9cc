"""What is printed cannot act: on a terminal, and in a pipe, behind which there is often another one."""

import sys
import time

# Transcripts hold whatever a tool printed. Written as quotations write them (docs/formats/quote.md), so that what is
# copied from a spine can still be proved.
_ACTING = [code for code in (*range(32), *range(0x7F, 0xA0)) if code not in (9, 10)]
_ACTING += [0x061C, 0x200E, 0x200F, 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_VISIBLE = {code: f"⟦U+{code:04X}⟧" for code in _ACTING}
_ESCAPED = {code: f"\\u{code:04x}" for code in _ACTING}
_UTF8 = ("utf-8", "utf8")


def make_visible(text: str) -> str:
    """`text` with control and direction-changing characters shown instead of obeyed; CRLF ends a line as LF does."""
    if "\r\n" in text:
        return "\r\n".join(line.translate(_VISIBLE) for line in text.split("\r\n"))
    return text.translate(_VISIBLE)


def escape_json(document: str) -> str:
    """A JSON document with the same characters escaped as JSON does it; only its strings can hold any."""
    return document.translate(_ESCAPED)


def write_out(text: str) -> None:
    """Writes to standard output, made visible."""
    sys.stdout.write(make_visible(text))


def write_as_is(text: str) -> None:
    """The same for a text of the user's own, which a pipe gets letter by letter."""
    sys.stdout.write(make_visible(text) if sys.stdout.isatty() else text)


def write_raw(line: bytes) -> None:
    """Writes a line to standard output byte by byte, with a line end; as visible text where that is a terminal."""
    end = b"" if line.endswith(b"\n") else b"\n"
    if sys.stdout.isatty() or not hasattr(sys.stdout, "buffer"):
        write_out((line + end).decode("utf-8", "replace"))
        return
    sys.stdout.flush()  # what was written as text comes before it
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.write(end)


def say(text: str, *, err: bool = False) -> None:
    """Prints a line, on standard error if asked, made visible.

    Every door prints with this and never with click's echo: names, paths and texts come from a repository.
    """
    stream = sys.stderr if err else sys.stdout
    if stream is None:
        return
    shown = make_visible(text)
    encoding = getattr(stream, "encoding", None) or "ascii"
    if sys.platform == "win32" or encoding.lower().replace("_", "-") not in _UTF8:
        # Click knows consoles, and streams that only claim to be ASCII.
        import click

        click.echo(shown, err=err, color=True)
        return
    stream.write(shown + "\n")
    stream.flush()


class ProgressLine:
    """One line on standard error that grows while something takes longer than a second; nothing elsewhere."""

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._began = time.monotonic()
        self._told = 0.0
        self._shown = False

    def tell(self, how_far: str) -> None:
        """Shows how far it is, at most ten times a second."""
        now = time.monotonic()
        if not sys.stderr.isatty() or now - self._began < 1.0 or now - self._told < 0.1:
            return
        self._told = now
        self._shown = True
        sys.stderr.write(f"\r\033[K{make_visible(f'{self._doing} {how_far}')}")
        sys.stderr.flush()

    def close(self) -> None:
        """Takes the line away."""
        if self._shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
