"""What an installation would change. Nothing is written here: it is shown first."""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field

import thruline
from thruline.clock import read_clock
from thruline.disk.inside import check_inside
from thruline.disk.own import read_capped
from thruline.errors import NotFound, Refused
from thruline.gitfacts import NOT_A_REPOSITORY, NoAnswer, is_tracked, read_ignored
from thruline.harnesses.installed import find_installed
from thruline.harnesses.installing import PROJECT, USER, Surface, Wish, find_installers
from thruline.harnesses.registry import HARNESSES
from thruline.layout import UserPaths
from thruline.operations.install.line import build_lines
from thruline.operations.install.record import Note, Record, Setting, read_record, settle
from thruline.operations.install.roster import build_roster
from thruline.operations.install.settings_text import add_wishes, decode_settings
from thruline.roster import Entry

_LARGEST = 64 << 20  # bytes of a settings file, or of one of ours; a pipe in its place is refused as well


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file, before and after; None where it is not there. `kind` is settings, file, backup or client."""

    path: str
    before: bytes | None
    after: bytes | None
    kind: str
    harness: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """Every change together, the record as it was and will be, and what to tell: `notes` now, `next` afterwards."""

    changes: tuple[FileChange, ...]
    known: Record
    record: Record
    harnesses: tuple[str, ...]
    scope: str
    notes: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    stays: tuple[str, ...] = ()
    folders: tuple[str, ...] = field(default=())  # to be removed where they are empty

    @property
    def changed(self) -> bool:
        return any(each.before != each.after for each in self.changes)


def build_surface(user: UserPaths, env: dict[str, str], home: str, root: str, harness: str) -> Surface:
    """Where an installation for that client goes."""
    return Surface(env, home, root, os.path.join(user.plugin, harness))


def choose_harnesses(names: Sequence[str], env: dict[str, str], home: str) -> list[str]:
    """The clients to install into: those that are named, else those of this machine."""
    able = [harness.name for harness, _ in find_installers()]
    for name in names:
        if name not in able:
            known = [harness.name for harness in HARNESSES]
            what = (
                f'There is no client "{name}".' if name not in known else f"Nothing can be installed into {name} yet."
            )
            raise NotFound(what, where="--harness", next=", ".join(able))
    if names:
        return list(dict.fromkeys(names))
    found = [each.harness.name for each in find_installed(env, home) if each.harness.name in able]
    if not found:
        raise NotFound("No client was found on this machine.", where=home, next=f"--harness {able[0]}")
    return found


def plan_install(
    user: UserPaths,
    env: dict[str, str],
    home: str,
    root: str,
    *,
    harnesses: Sequence[str],
    scope: str,
    roster: list[Entry] | None = None,
) -> Plan:
    """What installing into `harnesses` would change; without `roster`, with the one of this version."""
    settle(user)
    record = read_record(user)
    builder = _Builder(user, record, scope)
    roster = build_roster(user) if roster is None else roster
    for harness, module in find_installers(harnesses):
        surface = build_surface(user, env, home, root, harness.name)
        paths = module.find_settings(surface, scope)
        if scope == PROJECT and not module.SAME_RUNS_ONCE and _has_scope(record, harness.name, USER):
            builder.notes.append(f"{harness.name} has our hooks for all projects already; here they would run twice.")
            continue
        if scope != USER:
            for path in paths:
                check_inside(root, path)
        if scope == PROJECT:
            builder.notes += [_check_ignored(root, path) for path in paths]
        wishes = module.build_wishes(surface, scope, build_lines(user, harness.name, scope))
        for path in paths:
            builder.add_settings(path, harness.name, wishes, strict=module.STRICT)
        files = module.render_files(surface, scope, roster, thruline.__version__)
        if scope != USER:
            for path in files:
                check_inside(root, path)
        builder.add_files(files, harness.name)
        builder.next += module.tell_next(surface, scope)
    return builder.build(tuple(harnesses))


def _has_scope(record: Record, harness: str, scope: str) -> bool:
    return any((each.harness, each.scope) == (harness, scope) for each in record.settings.values())


def render_all_files(
    user: UserPaths, env: dict[str, str], home: str, record: Record, roster: list[Entry]
) -> dict[str, str]:
    """The files of ours that the record's installations have, as this version writes them."""
    files: dict[str, str] = {}
    installed = {(each.harness, each.scope) for each in record.settings.values()}
    for harness, module in find_installers(sorted({name for name, _ in installed})):
        if (harness.name, USER) in installed:
            surface = build_surface(user, env, home, "", harness.name)
            files |= module.render_files(surface, USER, roster, thruline.__version__)
    return files


def build_backup_path(user: UserPaths, path: str, data: bytes) -> str:
    """Where the content `data` of the file `path` is kept; two contents never share a name."""
    digest = build_digest(os.fsencode(path) + b"\0" + data)
    name = f"{read_clock():%Y%m%dT%H%M%SZ}-{digest[:12]}-{os.path.basename(path)}"
    return os.path.join(user.install_backups, name)


def read_current(path: str) -> bytes | None:
    """The bytes of a file, None where there is none."""
    try:
        return read_capped(path, _LARGEST)
    except NotFound:
        return None


def build_digest(data: bytes) -> str:
    """What tells whether a file of ours was edited."""
    return hashlib.sha256(data).hexdigest()


class _Builder:
    def __init__(self, user: UserPaths, record: Record, scope: str) -> None:
        self.user, self.record, self.scope = user, record, scope
        self.changes: list[FileChange] = []
        self.notes: list[str] = []
        self.next: list[str] = []
        self.settings = dict(record.settings)
        self.files = dict(record.files)
        self.folders = set(record.folders)

    def add_settings(self, path: str, harness: str, wishes: list[Wish], *, strict: bool) -> None:
        before = read_current(path)
        text = decode_settings(before, path)
        known = self.record.settings.get(path)
        after, notes, taken = add_wishes(text, wishes, path, known.notes if known else ())
        self.notes += [f"{'.'.join(at)} in {path} is set otherwise, and stays." for at in taken]
        if strict and _has_comment(after):
            self.notes.append(f"{path} has comments or trailing commas; its client does not load such a file.")
        if after == text:
            return
        backup = known.backup if known else ""
        if known is None and before is not None:
            backup = self._keep_backup(path, before, harness)
        old: tuple[Note, ...] = known.notes if known else ()
        created = known.created if known else before is None
        self.settings[path] = Setting(harness, self.scope, created, old + notes, backup)
        self.changes.append(FileChange(path, before, after.encode("utf-8"), "settings", harness))
        self._note_folders(path)

    def add_files(self, files: dict[str, str], harness: str) -> None:
        for path, text in files.items():
            before, after = read_current(path), text.encode("utf-8")
            known = self.record.files.get(path)
            ours = path.startswith(os.path.join(self.user.plugin, ""))
            if before not in (None, after) and not ours and (known is None or known[2] != build_digest(before or b"")):
                self.notes.append(f"{path} is not as we wrote it, and stays.")
                continue
            self.files[path] = (harness, self.scope, build_digest(after))
            if before != after:
                self.changes.append(FileChange(path, before, after, "file", harness))
                self._note_folders(path)
        self._drop_gone(set(files), harness)

    def _drop_gone(self, wanted: set[str], harness: str) -> None:
        # A verb that this version no longer has.
        for path, (name, scope, digest) in self.record.files.items():
            if (name, scope) == (harness, self.scope) and path not in wanted and wanted:
                before = read_current(path)
                if before is not None and build_digest(before) == digest:
                    self.changes.append(FileChange(path, before, None, "file", harness))
                self.files.pop(path, None)

    def _keep_backup(self, path: str, data: bytes, harness: str) -> str:
        backup = build_backup_path(self.user, path, data)
        self.changes.append(FileChange(backup, read_current(backup), data, "backup", harness))
        return backup

    def _note_folders(self, path: str) -> None:
        folder = os.path.dirname(path)
        while folder and not os.path.isdir(folder):
            if not folder.startswith(os.path.join(self.user.state, "")):
                self.folders.add(folder)
            folder = os.path.dirname(folder)

    def build(self, harnesses: tuple[str, ...]) -> Plan:
        record = Record(self.settings, self.files, tuple(sorted(self.folders)))
        return Plan(
            tuple(self.changes), self.record, record, harnesses, self.scope, tuple(self.notes), tuple(self.next)
        )


def _has_comment(text: str) -> bool:
    try:
        json.loads(text.removeprefix("\ufeff"))
    except ValueError:
        return True
    return False


def _check_ignored(root: str, path: str) -> str:
    name = os.path.relpath(path, root)
    answer = read_ignored(root, [name])
    if isinstance(answer, NoAnswer):
        if answer.reason == NOT_A_REPOSITORY:
            return f"{name}: this is no git repository, so nothing can be committed."
        return f"{name}: git could not be asked whether it ignores this file ({answer.reason})."
    tracked = is_tracked(root, name)
    if not answer[0].ignored or tracked is not False:
        how = "tracks" if answer[0].ignored else "does not ignore"
        raise Refused(
            f"git {how} {name}, and --project writes only what stays on this machine.",
            where=path,
            next=f"git rm --cached {name}, or use --shared for the whole team"
            if answer[0].ignored
            else f"add the line {name} to .git/info/exclude, or use --shared for the whole team",
        )
    return f"{name} is ignored by git ({answer[0].rule})."
