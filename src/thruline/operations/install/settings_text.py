"""Ours in the text of a settings file: put in where it is missing, taken out where it is."""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from thruline.errors import FormatError
from thruline.harnesses.installing import Handler, Wish, find_handlers
from thruline.jsontext import append, find, parse, put, remove, undo
from thruline.operations.install.record import Note

_BOM = "\ufeff"


def decode_settings(data: bytes | None, path: str) -> str:
    """The text of the file; FormatError where it is not UTF-8."""
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise FormatError("This file is not UTF-8.", path=path, next="save it as UTF-8") from None


def read_value(text: str, path: str) -> dict[str, Any]:
    """What the settings say; {} for a file that holds nothing. FormatError where we could not add to it."""
    if not text.removeprefix(_BOM).strip():
        return {}
    value = parse(text, path).build_value()
    if not isinstance(value, dict):
        raise FormatError("These settings are no object.", path=path, line=1, next="mend it by hand")
    return value


def add_wishes(text: str, wishes: Sequence[Wish], path: str) -> tuple[str, tuple[Note, ...]]:
    """`text` with every wish fulfilled, and what undoing it must know; the same text where nothing was missing."""
    notes: list[Note] = []
    for wish in wishes:
        value = read_value(text, path)
        _check_way(value, wish, path)
        if _is_there(value, wish):
            continue
        edit = (append if wish.listed else put)(text, wish.at, wish.value, path)
        text = edit.text
        notes += edit.notes
    return text, tuple(notes)


def remove_ours(text: str, module: ModuleType, commands: set[str], notes: Sequence[Note] | None, path: str) -> str:
    """`text` without our hook `commands` and the client's other keys of ours.

    `notes` are the record's; without one, what our removal leaves empty goes too.
    """
    taken: list[Note] = []
    while ours := [each for each in find_handlers(read_value(text, path)) if each.command in commands]:
        last = ours[-1]
        text = remove(text, _find_whole(text, last, path), path)
        taken += [("made", ("hooks",), ""), ("made", ("hooks", last.event), "")]
    for key in module.PLUGIN_KEYS:
        if text.removeprefix(_BOM).strip() and find(parse(text, path), key) is not None:
            text = remove(text, key, path)
            taken.append(("made", key[:-1], ""))
    if not text.removeprefix(_BOM).strip():
        return text
    return undo(text, sorted(set(taken), key=lambda note: len(note[1])) if notes is None else notes, path)


def remove_handler(text: str, handler: Handler, path: str) -> str:
    """`text` without that one handler, wherever it stands by now, and without the list that it leaves empty."""
    for each in find_handlers(read_value(text, path)):
        if (each.event, each.command) == (handler.event, handler.command):
            text = remove(text, _find_whole(text, each, path), path)
            return undo(text, [("made", ("hooks", each.event), "")], path)
    return text


def _find_whole(text: str, handler: Handler, path: str) -> tuple[str | int, ...]:
    # The group goes with its only handler.
    group = find(parse(text, path), ("hooks", handler.event, handler.group))
    alone = group is not None and len(group.build_value()["hooks"]) == 1
    return handler.at[:3] if alone else handler.at


def _is_there(value: dict[str, Any], wish: Wish) -> bool:
    if wish.listed:
        wanted = {each.command for each in find_handlers({"hooks": {wish.at[-1]: [wish.value]}})}
        there = {each.command for each in find_handlers(value) if each.event == wish.at[-1]}
        return wanted <= there
    return bool(_look(value, wish.at) == wish.value)


def _look(value: Any, at: Sequence[str]) -> Any:
    for step in at:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _check_way(value: dict[str, Any], wish: Wish, path: str) -> None:
    for depth in range(1, len(wish.at)):
        if not isinstance(_look(value, wish.at[:depth]), dict | None):
            raise FormatError(f"{'.'.join(wish.at[:depth])} is no object here.", path=path, next="mend it by hand")
    if wish.listed and not isinstance(_look(value, wish.at), list | None):
        raise FormatError(f"{'.'.join(wish.at)} is no list here.", path=path, next="mend it by hand")
