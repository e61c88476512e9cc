"""What was changed where: `<state>/install/record.json`, written in the same change as the files it speaks of."""

import json
import os
from dataclasses import dataclass, field
from typing import Any

from thruline.disk.atomic import read_bytes
from thruline.disk.transaction import transaction
from thruline.errors import FormatError, NotFound
from thruline.layout import ProjectPaths, UserPaths

SCHEMA = 1
Note = tuple[str, tuple[str | int, ...], str]


@dataclass(frozen=True, slots=True)
class Setting:
    """One settings file that we added to. `created` says that it was not there; `notes` are those of the edits."""

    harness: str
    scope: str
    created: bool
    notes: tuple[Note, ...]
    backup: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """Settings files and files of ours by path, with the digest of each of the latter; folders that we made."""

    settings: dict[str, Setting] = field(default_factory=dict)
    files: dict[str, tuple[str, str, str]] = field(default_factory=dict)  # harness, scope, digest
    folders: tuple[str, ...] = ()


def build_place(user: UserPaths) -> ProjectPaths:
    """The whole file system as the reach of one change, with its journal in the state folder.

    Settings of several clients, skills and the record lie far from each other and still change together or not at all.
    """
    top = os.path.splitdrive(user.state)[0] + os.sep
    return ProjectPaths(top, user.install, marked=False, forge=False)


def settle(user: UserPaths) -> None:
    """Finishes an installation that was broken off: what is looked at next is old or new, not half of each."""
    place = build_place(user)
    if os.path.isdir(place.journal):
        with transaction(place):
            pass


def read_record(user: UserPaths) -> Record:
    """What was installed; an empty record where nothing was."""
    try:
        return parse_record(read_bytes(user.install_record), user.install_record)
    except NotFound:
        return Record()


def parse_record(data: bytes, path: str) -> Record:
    """The record in `data`."""
    try:
        value = json.loads(data)
        if value["schema"] > SCHEMA:
            raise FormatError("A newer thruline wrote this record.", path=path, next="upgrade thruline")
        return Record(
            {
                name: Setting(
                    each["harness"],
                    each["scope"],
                    each["created"],
                    tuple((kind, tuple(at), text) for kind, at, text in each["notes"]),
                    each.get("backup", ""),
                )
                for name, each in value["settings"].items()
            },
            {name: (each["harness"], each["scope"], each["digest"]) for name, each in value["files"].items()},
            tuple(value["folders"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        what = "The record of the installation is damaged."
        raise FormatError(what, path=path, next="delete it, and install again") from None


def render_record(record: Record) -> bytes:
    """The bytes of the file."""
    settings: dict[str, Any] = {
        path: {
            "harness": each.harness,
            "scope": each.scope,
            "created": each.created,
            "notes": [[kind, list(at), text] for kind, at, text in each.notes],
            "backup": each.backup,
        }
        for path, each in sorted(record.settings.items())
    }
    files = {
        path: {"harness": harness, "scope": scope, "digest": digest}
        for path, (harness, scope, digest) in sorted(record.files.items())
    }
    value = {"schema": SCHEMA, "settings": settings, "files": files, "folders": sorted(record.folders)}
    return json.dumps(value, ensure_ascii=True, indent=2).encode("ascii") + b"\n"
