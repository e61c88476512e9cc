"""The slow part of archiving: files read into blocks, and the entry that they will make. Holds no lock."""

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from thruline.ark.entry import Entry, Member, Source
from thruline.ark.intake import Intake
from thruline.ark.original import is_unchanged
from thruline.ark.pack import PackWriter
from thruline.errors import DiskError, Refused

_MOST_EARLIER = 8


@dataclass(frozen=True, slots=True)
class Missed:
    """A file that was not taken, and why."""

    path: str
    what: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """An entry whose blocks are in a pack without a name yet, or were in the ark before. `read` counts bytes."""

    entry: Entry
    read: int
    missed: tuple[Missed, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be archived as one entry, the session's own file first.

    More than `most` bytes in the ark are refused (0: no limit); `told` hears how many bytes were read.
    """

    shelf: str
    name: str
    sources: tuple[Source, ...]
    fresh: bool = False
    most: int = 0
    told: Callable[[int], None] | None = None


def prepare(request: Request, before: Entry | None, writer: PackWriter, is_known: Callable[[bytes], bool]) -> Prepared:
    """Reads what is new since `before`; raises where the first file cannot be had, tells of the others."""
    fresh = request.fresh
    old = {member.path: member for member in before.members} if before is not None else {}
    members: list[Member] = []
    earlier: list[Member] = []
    missed: list[Missed] = []
    with ThreadPoolExecutor(max_workers=2, thread_name_prefix="ark") as pool:
        intake = Intake(writer, is_known, pool, request.told)
        for number, source in enumerate(request.sources):
            kept = old.pop(source.path, None)
            if kept is not None and not fresh and is_unchanged(source, kept):
                members.append(kept)
                continue
            try:
                made, grown = intake.take(source, kept, fresh=fresh)
            except (DiskError, Refused) as error:
                if number == 0 or writer.failed:
                    raise
                missed.append(Missed(source.path, error.what))
                members += [kept] if kept is not None else []
                continue
            members.append(made)
            if kept is not None and source.grows and not grown:
                earlier.append(kept)
    if before is not None:
        earlier += before.earlier
    # What the client has deleted meanwhile stays.
    members += old.values()
    entry = Entry(request.shelf, request.name, time.time(), tuple(members), tuple(earlier[:_MOST_EARLIER]))
    return Prepared(entry, intake.read, tuple(missed))


def is_all_kept(sources: Iterable[Source], before: Entry) -> bool:
    """Whether archiving `sources` again would change nothing."""
    kept = {member.path: member for member in before.members}
    return all(source.path in kept and is_unchanged(source, kept[source.path]) for source in sources)
