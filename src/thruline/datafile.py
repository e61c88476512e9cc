"""The package's own data files, read without `tomllib`, whose import alone takes as long as reading a megabyte.

They are TOML of which we use little: comments, `[table]` and `[[table]]` of one name, and on a line of its own each
`name = value`. A value is JSON (an array may go on over several lines and end in a comma) or a literal between `'` or
`'''` on one line. A test reads every file both ways. Files that people write are read with `tomllib`.
"""

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read_data(path: str) -> "dict[str, Any]":
    """The tables of the data file at `path`."""
    # Opened by its path: `importlib.resources` would import twenty modules for it.
    with open(path, encoding="utf-8") as file:
        return parse_data(file.read())


def parse_data(text: str) -> "dict[str, Any]":
    """The tables of a data file's text."""
    fields: dict[str, Any] = {}
    table = fields
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("[["):
            table = {}
            fields.setdefault(line.strip("[]"), []).append(table)
        elif line.startswith("["):
            table = fields.setdefault(line.strip("[]"), {})
        elif line and line[0] != "#":
            name, _, value = line.partition(" = ")
            if value[0] == "'":
                table[name] = value[3:-3] if value.startswith("'''") else value[1:-1]
                continue
            while value[0] == "[" and value[-1] != "]":
                value += next(lines)
            table[name] = json.loads(value[:-1].rstrip(", ") + "]" if value[0] == "[" else value)
    return fields
