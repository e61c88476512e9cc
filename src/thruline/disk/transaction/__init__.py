"""Several files change together, or none does.

    with transaction(project, other) as change:
        state = change.read(path)          # remembered: if someone edits it before the end, Conflict
        change.write(path, new_bytes)
        change.delete(old_path)

Names and contents go into a journal and are durable there before the first file is touched; then each file is renamed
into place. Whoever dies in between leaves a journal that the next opener replays, so a change is all there or not at
all; `read_together` waits for it, and sees one or the other. A plain `cat` sees each file whole.

    change      the `with` block, and what goes wrong in it
    reach       which files it may touch
    recovery    what an opener does first; entries made durable in their files, and forgotten
    place       one entry put into its files, now or after a crash
    find        a look at what is there, for doctor
    aside       what is not ours moved out of the way
    roots       which projects a change touches, their locks, their marks
    boot        how long a mark can be believed
    seal        what proves that this machine wrote a journal
    entry       what a journal holds; `table` keeps it in SQLite, `sheet` in plain files where SQLite cannot be trusted
    mount       which of the two

docs/formats/journal.md describes the files, docs/design/0003-transactions.md why it is done this way.
"""

from thruline.disk.transaction.aside import set_aside
from thruline.disk.transaction.change import Change, read_together, transaction
from thruline.disk.transaction.find import JournalFound, find_journals
from thruline.disk.transaction.place import Recovered
from thruline.disk.transaction.recovery import hold_recovered, recover, settle

__all__ = [
    "Change",
    "JournalFound",
    "Recovered",
    "find_journals",
    "hold_recovered",
    "read_together",
    "recover",
    "set_aside",
    "settle",
    "transaction",
]
