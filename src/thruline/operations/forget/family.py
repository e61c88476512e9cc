"""Who else is meant by a session, and who else holds its words.

Some clients keep a subagent as a session of its own, so the ark has it twice: beside its parent and by itself. What
its parent told it and what it answered are the parent's words; both go together. A fork that does not repeat what it
goes on from needs a copy of that: it stays, and is told.
"""

from collections.abc import Collection, Iterable, Iterator

from thruline.ark.entry import Entry
from thruline.ark.store import Ark
from thruline.errors import FormatError, Refused
from thruline.harnesses.registry import Harness
from thruline.harnesses.transcripts import find_companions, find_session_id
from thruline.layout import find_user_paths
from thruline.session.found import Found

_WHY = {"base": "goes on from it", "subagent": "had it done"}


def find_subagents(harness: Harness, entry: Entry | None, theirs: Iterable[Found]) -> list[str]:
    """The ids under which a session's subagents have something of their own: of those in the ark, of the client's."""
    kept = [member.path for member in entry.members if member.kind == "subagent"] if entry is not None else []
    here = [each.path for own in theirs for each in find_companions(harness, own.path) if each.kind == "subagent"]
    return sorted({find_session_id(harness, path) for path in (*kept, *here)})


def find_holders(harness: Harness, session_ids: Collection[str]) -> Iterator[str]:
    """Of sessions in the ark that are not among these and hold a whole copy of one: their id, and why they do."""
    entries = Ark(find_user_paths().ark).entries
    for shelf, name in sorted(entries.find_names()):
        if shelf != harness.name or name in session_ids:
            continue
        try:
            entry = entries.read(shelf, name)
        except (FormatError, Refused):
            continue
        members = entry.members if entry is not None else ()
        kinds = {each.kind for each in members if find_session_id(harness, each.path) in session_ids}
        yield from (f"{name} {_WHY[kind]}" for kind in sorted(kinds & set(_WHY)))
