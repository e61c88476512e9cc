"""After an upgrade: the stub, the plugin and the skills of the older version are written anew by the first command."""

import os

from thruline.errors import ThrulineError
from thruline.layout import UserPaths
from thruline.operations.hook_entry import write_entry
from thruline.operations.install.applying import apply_install
from thruline.operations.install.planning import FileChange, Plan, build_digest, read_current, render_all_files
from thruline.operations.install.record import Record, read_record
from thruline.operations.install.roster import build_roster


def keep_up(user: UserPaths, env: dict[str, str], home: str) -> None:
    """Writes what is of an older version; a file that a user edited stays theirs."""
    try:
        record = read_record(user)
    except ThrulineError:
        write_entry(user.state)
        return  # doctor tells
    files = render_all_files(user, env, home, record, build_roster(user))
    changes, kept = [], dict(record.files)
    for path, text in files.items():
        before, after = read_current(path), text.encode("utf-8")
        harness, scope, digest = record.files.get(path, ("", "user", ""))
        own = path.startswith(os.path.join(user.plugin, ""))
        if before == after or (before is not None and not own and build_digest(before) != digest):
            continue
        kept[path] = (harness, scope, build_digest(after))
        changes.append(FileChange(path, before, after, "file", harness))
    apply_install(user, Plan(tuple(changes), record, Record(record.settings, kept, record.folders), (), "user"))
