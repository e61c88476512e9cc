"""Where a session's files go when they are written out of the ark: as they lay, and none over another."""

import os


def build_restored_paths(folder: str, paths: list[str]) -> list[str]:
    """Where each file goes: no two to one place, and none to where another needs a folder.

    The client may have put a folder where a file was, and the ark has both: the later one of the list steps aside.
    """
    files: set[str] = set()
    folders: set[str] = set()
    made = []
    for path in paths:
        number = 0
        place = build_restored_path(folder, path)
        while place in files | folders or not files.isdisjoint(above := _find_above(place, folder)):
            number += 1
            place = build_restored_path(os.path.join(folder, f"again-{number}"), path)
        files.add(place)
        folders.update(above)
        made.append(place)
    return made


def _find_above(path: str, top: str) -> list[str]:
    above = []
    while len(path := os.path.dirname(path)) > len(top):
        above.append(path)
    return above


def build_restored_path(folder: str, path: str) -> str:
    """Where below `folder` the file of that absolute path goes; what lay beside it lies beside it again."""
    drive, rest = os.path.splitdrive(os.path.normpath(path))
    # Split as the system does: where a backslash is a character like others it stays one.
    parts = [part for part in (drive.strip("\\/:").replace("\\", "-"), *rest.split(os.sep)) if part]
    return os.path.join(folder, *(part for part in parts if part != ".."))
