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
LOST = "The ark lost a copy of this file, and nothing is left to make it from: it is given up."


@dataclass(frozen=True, slots=True)
class Missed:
    """A file that was not taken, and why."""

    path: str
    what: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """An entry whose blocks are in a pack without a name yet, or were in the ark before. `read` counts bytes.

    `lost` are blocks that the entry names and that were gone before: a backup may bring their pack back.
    """

    entry: Entry
    read: int
    missed: tuple[Missed, ...]
    lost: frozenset[bytes] = frozenset()


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


def prepare(request: Request, before: Entry | None, writer: PackWriter, has: Callable[[bytes], bool]) -> Prepared:
    """Reads what is new since `before`; raises where the first file cannot be had, tells of the others.

    `has` tells whether a block is in the ark. What was kept and is not is read again; with `fresh` everything is, and
    copies that nobody can bring back are given up.
    """
    fresh = request.fresh
    old = {member.path: member for member in before.members} if before is not None else {}
    members: list[Member] = []
    earlier: list[Member] = []
    missed: list[Missed] = []
    with ThreadPoolExecutor(max_workers=2, thread_name_prefix="ark") as pool:
        intake = Intake(writer, (lambda _: False) if fresh else has, pool, request.told)
        for number, source in enumerate(request.sources):
            kept = old.pop(source.path, None)
            lost = kept is not None and not is_whole(kept, has)
            if kept is not None and not fresh and not lost and is_unchanged(source, kept):
                members.append(kept)
                continue
            try:
                made, grown = intake.take(source, kept, fresh=fresh or lost)
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

    def is_there(digest: bytes) -> bool:
        return digest in writer.places or has(digest)

    if fresh:
        gone = [member for member in (*members, *earlier) if not is_whole(member, is_there)]
        missed += [Missed(member.path, LOST) for member in gone]
        members = [member for member in members if member not in gone]
        earlier = [member for member in earlier if member not in gone]
    entry = Entry(request.shelf, request.name, time.time(), tuple(members), tuple(earlier[:_MOST_EARLIER]))
    needed = {bytes.fromhex(digest) for digest in entry.digests()}
    return Prepared(entry, intake.read, tuple(missed), frozenset(each for each in needed if not is_there(each)))


def is_whole(kept: Member | Entry, has: Callable[[bytes], bool]) -> bool:
    """Whether every block of it is there."""
    return all(has(bytes.fromhex(digest)) for digest in kept.digests())


def is_all_kept(sources: Iterable[Source], before: Entry, has: Callable[[bytes], bool]) -> bool:
    """Whether archiving `sources` again would change nothing."""
    kept = {member.path: member for member in before.members}
    return all(
        source.path in kept and is_unchanged(source, kept[source.path]) and is_whole(kept[source.path], has)
        for source in sources
    )
