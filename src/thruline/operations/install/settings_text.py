"""Ours in the text of a settings file: put in where it is missing, taken out where it is."""

import os
from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

from thruline.errors import FormatError
from thruline.harnesses.installing import Handler, Wish, find_handlers
from thruline.jsontext import MADE, append, find, parse, put, remove, undo
from thruline.operations.install.line import parse_line
from thruline.operations.install.record import Note

REPLACED = "replaced"
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


def add_wishes(
    text: str, wishes: Sequence[Wish], path: str, known: Sequence[Note] = ()
) -> tuple[str, tuple[Note, ...], tuple[tuple[str, ...], ...]]:
    """`text` with every wish fulfilled, what undoing it must know, and the places that somebody else has set.

    `known` are the notes of earlier edits: what they made is ours to change, and nothing else is.
    """
    notes: list[Note] = []
    taken: list[tuple[str, ...]] = []
    ours = {at for kind, at, _ in known if kind == MADE}
    for wish in wishes:
        value = read_value(text, path)
        _check_way(value, wish, path)
        if _is_there(value, wish):
            continue
        if wish.slot and (there := find(parse(text, path), wish.at) if value else None) is not None:
            notes += _keep_slot(text[there.start : there.end], there.build_value(), wish)
            wish = _take_over(there.build_value(), wish)
        there = find(parse(text, path), wish.at) if value else None
        if there is not None and there.kind != "array" and not wish.slot and wish.at not in ours:
            if not wish.listed:
                taken.append(wish.at)
                continue
            notes.append((REPLACED, wish.at, text[there.start : there.end]))
        edit = (append if wish.listed else put)(text, wish.at, wish.value, path)
        text = edit.text
        notes += edit.notes
    return text, tuple(notes), tuple(taken)


def remove_ours(text: str, module: ModuleType, commands: set[str], notes: Sequence[Note] | None, path: str) -> str:
    """`text` without our hook `commands` and the client's other keys of ours.

    `notes` are the record's; without one, what our removal leaves empty goes too.
    """
    taken: list[Note] = []
    while ours := [each for each in find_handlers(read_value(text, path)) if each.command in commands]:
        last = ours[-1]
        text = remove(text, _find_whole(text, last, path), path)
        taken += [("made", ("hooks",), ""), ("made", ("hooks", last.event), "")]
    made = {at for kind, at, _ in notes or () if kind == MADE}
    for key in module.PLUGIN_KEYS:
        # Without a record what was switched off by hand is still not ours.
        there = find(parse(text, path), key) if text.removeprefix(_BOM).strip() else None
        if there is not None and (key in made if notes is not None else there.build_value() is not False):
            text = remove(text, key, path)
            taken.append(("made", key[:-1], ""))
    text = _put_back(_free_slot(text, module, commands, notes, path), notes or (), path)
    if not text.removeprefix(_BOM).strip():
        return text
    return undo(text, sorted(set(taken), key=lambda note: len(note[1])) if notes is None else notes, path)


def find_kept_slot(notes: Sequence[Note]) -> str:
    """The command that stood in a slot before ours, by the notes; empty where there was none."""
    for kind, _, text in reversed(notes):
        value = parse(text).build_value() if kind == REPLACED else None
        if isinstance(value, dict) and isinstance(value.get("command"), str):
            command = str(value["command"])
            return "" if parse_line(command) else command  # two lines of ours would say the same
    return ""


def _put_back(text: str, notes: Sequence[Note], path: str) -> str:
    """`text` with what stood where a list of ours was put, if nothing else came into that list."""
    for kind, at, raw in reversed(notes):
        there = find(parse(text, path), at) if kind == REPLACED and text.removeprefix(_BOM).strip() else None
        if there is not None and there.build_value() == []:
            text = text[: there.start] + raw + text[there.end :]
    return text


def _keep_slot(raw: str, value: Any, wish: Wish) -> list[Note]:
    command = value.get("command") if isinstance(value, dict) else None
    ours = parse_line(command) if isinstance(command, str) else None
    # A line of ours for another state folder is put back as long as that is there: it holds what the user had.
    return [] if ours and not os.path.exists(ours.script) else [(REPLACED, wish.at, raw)]


def _take_over(value: Any, wish: Wish) -> Wish:
    return replace(wish, value={**value, **wish.value} if isinstance(value, dict) else wish.value)


def _free_slot(text: str, module: ModuleType, commands: set[str], notes: Sequence[Note] | None, path: str) -> str:
    """`text` with what stood in the slot before ours; where somebody put another thing there since, that stays."""
    slot = module.STATUS_SLOT
    there = find(parse(text, path), slot) if slot and text.removeprefix(_BOM).strip() else None
    value = there.build_value() if there is not None else None
    if there is None or not isinstance(value, dict) or value.get("command") not in commands:
        return text
    for kind, at, raw in reversed(notes or ()):
        if (kind, at) == (REPLACED, slot):
            return text[: there.start] + raw + text[there.end :]
    return remove(text, slot, path)


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
    if wish.slot:
        there_now = _look(value, wish.at)
        return isinstance(there_now, dict) and there_now.get("command") == wish.value["command"]
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
