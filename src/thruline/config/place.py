"""Where in a TOML text each key stands: tomllib gives values without places, and an edit needs both.

The text has passed tomllib before; on anything else the scan stops early and says less, it never fails.
"""

from dataclasses import dataclass

_BARE_END = ",]}#\r\n"
_BLANK = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Place:
    """One key or table header. `text[start:end]` is all of it, `text[value:end]` its value (a header has none).

    `table` is the header it stands under; `inline` says that it stands inside braces.
    """

    path: tuple[str, ...]
    line: int
    start: int
    value: int
    end: int
    table: tuple[str, ...] = ()
    inline: bool = False
    header: bool = False


def find_places(text: str) -> list[Place]:
    """Every key and table header in the order of the text."""
    scan = _Scan(text)
    try:
        scan.run()
    except (_Lost, RecursionError):
        pass  # not TOML; what was found until here still helps a message
    return scan.found


class _Lost(Exception):
    pass


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: list[Place] = []
        self._counted = 0
        self._lines = 1

    def run(self) -> None:
        table: tuple[str, ...] = ()
        while True:
            self._skip(_BLANK)
            if self.at >= len(self.text):
                return
            if self._peek() == "[":
                start = self.at
                self.at += 2 if self.text.startswith("[[", self.at) else 1
                table = self._path()
                self.at = self._line_end()
                self.found.append(Place(table, self._line(start), start, self.at, self.at, table, header=True))
            else:
                self._pair(table, table, inline=False)

    def _pair(self, table: tuple[str, ...], under: tuple[str, ...], *, inline: bool) -> None:
        start = self.at
        path = under + self._path()
        if self._peek() != "=":
            raise _Lost
        self.at += 1
        self._skip(" \t")
        value = self.at
        index = len(self.found)
        line = self._line(start)
        self._value(table, path)
        self.found.insert(index, Place(path, line, start, value, self.at, table, inline=inline))

    def _path(self) -> tuple[str, ...]:
        parts: list[str] = []
        while True:
            self._skip(" \t")
            start = self.at
            if self._peek() in ("'", '"'):
                self._string()
                parts.append(_unquote(self.text[start : self.at]))
            else:
                while self._peek() and self._peek() not in " \t.=]\r\n":
                    self.at += 1
                if self.at == start:
                    raise _Lost
                parts.append(self.text[start : self.at])
            self._skip(" \t")
            if self._peek() != ".":
                return tuple(parts)
            self.at += 1

    def _value(self, table: tuple[str, ...], path: tuple[str, ...]) -> None:
        sign = self._peek()
        if sign in ("'", '"'):
            self._string()
        elif sign == "[":
            self.at += 1
            while True:
                self._skip(_BLANK + ",")
                if self._peek() == "]":
                    break
                # Keys inside an array's tables are no settings: found below a path that none can have.
                self._value(table, (*path, ""))
            self.at += 1
        elif sign == "{":
            self.at += 1
            while True:
                self._skip(_BLANK + ",")
                if self._peek() == "}":
                    break
                self._pair(table, path, inline=True)
            self.at += 1
        else:
            start = self.at
            while self._peek() and self._peek() not in _BARE_END:
                self.at += 1
            while self.at > start and self.text[self.at - 1] in " \t":
                self.at -= 1
            if self.at == start:
                raise _Lost

    def _string(self) -> None:
        quote = self._peek()
        triple = self.text.startswith(quote * 3, self.at)
        closing = quote * 3 if triple else quote
        self.at += len(closing)
        while not self.text.startswith(closing, self.at):
            if self.at >= len(self.text):
                raise _Lost
            self.at += 2 if quote == '"' and self._peek() == "\\" else 1
        self.at += len(closing)
        if triple:
            # Up to two quotes may stand right before the closing ones.
            for _ in range(2):
                if self._peek() == quote:
                    self.at += 1

    def _skip(self, signs: str) -> None:
        while self._peek() and (self._peek() in signs or (self._peek() == "#" and "\n" in signs)):
            self.at = self._line_end() if self._peek() == "#" else self.at + 1

    def _line_end(self) -> int:
        end = self.text.find("\n", self.at)
        return len(self.text) if end < 0 else end

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _line(self, offset: int) -> int:
        # Asked in rising order, so that a long file is counted once.
        self._lines += self.text.count("\n", self._counted, offset)
        self._counted = offset
        return self._lines


def _unquote(text: str) -> str:
    # A key with escapes names no setting of ours; its raw text serves the message.
    return text[1:-1]
