"""The quick lane: a plain command line is parsed here, in a few lines, and click is never imported.

Click alone costs two and a half times `thruline --version`. So a command of `table.QUICK` is declared as data
(`options.Declared`), click builds its command from that, and this module runs the same function for lines that leave no
room for interpretation. Any other line (help, an abbreviation, a mistake) is not ours: None, and click answers it.
"""

import gc
import os
import sys

from thruline.cli.options import FLAG, Declared, parse_plain
from thruline.cli.table import DEFAULTS, QUICK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_COMPLETION = "_THRULINE_COMPLETE"  # set by the shell when it asks for what could follow
_MEANT = "(the command that is meant)"  # behind the last word, where a group has such a command


class Line:
    """A command line that was understood. `folders` are those of `-C`, to be entered one after the other."""

    __slots__ = ("as_json", "command", "folders", "values")

    def __init__(self, command: Declared, values: "dict[str, Any]", folders: "list[str]", *, as_json: bool) -> None:
        self.command = command
        self.values = values
        self.folders = folders
        self.as_json = as_json


def run_quick(arguments: "list[str]") -> "int | None":
    """The exit code of a command that the quick lane knows; None, with nothing done, of any other."""
    if os.environ.get(_COMPLETION):
        return None
    line = parse_line(arguments)
    if line is None:
        return None
    from thruline.cli.outcome import open_streams, tell_outcome
    from thruline.cli.settings import check_settings
    from thruline.cli.upkeep import keep_entry

    open_streams()
    keep_entry(arguments)
    here = ""
    try:
        if line.folders:
            from thruline.cli.folder import enter_folder, find_here

            here = find_here()
            for folder in line.folders:
                enter_folder(folder)
        check_settings()
        line.command.run(**line.values, as_json=line.as_json)
        return 0
    except (Exception, KeyboardInterrupt) as error:
        return tell_outcome(error, arguments, line.as_json)
    finally:
        if here:
            os.chdir(here)
        # The process ends now; without this it would look through everything it made for garbage once more.
        gc.freeze()


def parse_line(arguments: "list[str]") -> "Line | None":
    """The command of `table.QUICK` that `arguments` name, with its values; None where they are not plain."""
    rest = arguments[::-1]
    path, as_json = "", False
    folders: dict[str, str] = {}  # by the word they stand behind: of two at one place click takes the last
    values: dict[str, Any] = {}
    command: Declared | None = None
    options = {}
    missing: list[str] = []  # arguments that are still to come, the next one last
    more: list[str] = []  # words behind those
    while rest or (command is None and path in DEFAULTS):
        word = rest.pop() if rest else _MEANT
        if word == "--json":
            as_json = True
        elif word == "-C":
            if not rest or rest[-1].startswith("-"):
                return None
            folders[path] = rest.pop()
        elif command is None:
            if " " in word and word is not _MEANT:
                return None  # one word that looks like two
            known = DEFAULTS.get(path)
            if known is not None and word not in known:
                if word is not _MEANT:
                    rest.append(word)  # it belongs to the command that is meant where none is named
                word = next(iter(known))
            path = f"{path} {word}" if path else word
            command = _find_command(path)
            if command is not None:
                options = {option.flag: option for option in command.options}
                values = {option.name: option.default for option in command.options}
                missing = list(command.arguments[::-1])
            elif path not in DEFAULTS and not any(known.startswith(path + " ") for known in QUICK):
                return None
        else:
            flag, given, text = word.partition("=")
            option = options.get(flag)
            if option is None and not word.startswith("-") and (missing or command.rest):
                if missing:
                    values[missing.pop()] = word
                else:
                    more.append(word)
                continue
            if option is None or (option.kind == FLAG and given) or not (option.kind == FLAG or given or rest):
                return None
            value = True if option.kind == FLAG else parse_plain(option, text if given else rest.pop())
            if value is None:
                return None
            values[option.name] = value
    if command is None or missing:
        return None
    if command.rest:
        values[command.rest] = tuple(more)
    return Line(command, values, list(folders.values()), as_json=as_json)


def _find_command(path: str) -> "Declared | None":
    if path not in QUICK:
        return None
    __import__(QUICK[path])  # not importlib: it brings `warnings` along
    found = sys.modules[QUICK[path]].declared
    assert isinstance(found, Declared)
    return found
