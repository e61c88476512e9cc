"""The ark: archive, read, forget. Safe with any number of processes, killed at any moment.

The slow part of archiving, reading and compressing, holds no lock. Then, under the lock, it is checked that nothing it
relies on was forgotten meanwhile, and two renames make it count: the new blocks' pack, then the entry. Readers share
the lock, so no block goes while they read.
"""

import os
from collections.abc import Callable, Collection, Generator, Iterable
from contextlib import nullcontext

from thruline.ark.collect import collect, settle
from thruline.ark.commit import Archived, commit
from thruline.ark.entries import Entries
from thruline.ark.entry import Entry, Member, Source, render_entry
from thruline.ark.output import choose_members, read_member, write_members
from thruline.ark.pack import PackWriter, build_too_large
from thruline.ark.packs import Packs
from thruline.ark.prepare import Prepared, Request, is_all_kept, is_whole, prepare
from thruline.disk.atomic import Lock, make_folders, remove_quietly, sync_folder
from thruline.disk.faults import build_disk_error
from thruline.disk.leftovers import is_left_over, is_temp_name
from thruline.errors import Conflict, FormatError, NotFound

# Longer than for small files: someone may be putting gigabytes in order.
LOCK_SECONDS = 120.0
_TRIES = 3


class Ark:
    """The ark in `folder`, made when something is first put into it."""

    def __init__(self, folder: str, lock_seconds: float = LOCK_SECONDS) -> None:
        self.folder = folder
        self.entries = Entries(os.path.join(folder, "entries"))
        self.packs = Packs(os.path.join(folder, "packs"))
        self._lock = os.path.join(folder, "lock")
        self._seconds = lock_seconds

    # --- in ---------------------------------------------------------------------------------------------------

    def archive(
        self,
        shelf: str,
        name: str,
        sources: Iterable[Source],
        *,
        fresh: bool = False,
        most: int = 0,
        told: Callable[[int], None] | None = None,
    ) -> Archived:
        """Keeps `sources`, the session's own file first, as one entry. `fresh` trusts nothing that is kept already.

        Refused where it would take more than `most` bytes by itself; what was kept of it then stays.

        A file that is kept and no longer there stays; one that was cut or rewritten is kept in both versions.
        """
        request = Request(shelf, name, tuple(sources), fresh, most, told)
        self._make_folders()
        for _ in range(_TRIES - 1):
            try:
                return self._try(request, held=False)
            except Conflict:
                continue
        # Others were faster every time: keep them out for once.
        with self._held():
            return self._try(request, held=True)

    def _try(self, request: Request, *, held: bool) -> Archived:
        before = self._read_before(request)
        self.packs.refresh()
        if before is not None and not request.fresh and is_all_kept(request.sources, before, self.packs.has):
            return Archived(before, changed=False, read=0, written=0)
        writer = PackWriter(self.packs.folder, request.most)
        try:
            prepared = self._prepare(request, before, writer)
            if request.most and self._find_cost(prepared.entry, writer) > request.most:
                raise build_too_large(request.most)
            pack = writer.finish()
            with nullcontext() if held else self._held():
                if self._read_before(request) != before:
                    what = "Someone else archived this session just now."
                    raise Conflict(what, where=self.folder, next="run it again")
                return commit(self.entries, self.packs, prepared, writer, pack)
        finally:
            writer.drop()

    def is_kept(self, shelf: str, name: str, sources: list[Source]) -> bool:
        """Whether archiving `sources` again would change nothing."""
        before = self.entries.read(shelf, name)
        self.packs.refresh()
        return before is not None and is_all_kept(sources, before, self.packs.has)

    def _prepare(self, request: Request, before: Entry | None, writer: PackWriter) -> Prepared:
        return prepare(request, before, writer, self.packs.has)

    def _find_cost(self, entry: Entry, writer: PackWriter) -> int:
        # What it shares with others counts as well: alone it would need that too.
        places = dict.fromkeys(bytes.fromhex(digest) for digest in entry.digests())
        found = [writer.places.get(digest) or (self.packs.find(digest) or ("", None))[1] for digest in places]
        return len(render_entry(entry)) + sum(place.cost for place in found if place is not None)

    def _read_before(self, request: Request) -> Entry | None:
        try:
            return self.entries.read(request.shelf, request.name)
        except FormatError:
            if request.fresh:
                return None  # damaged, and about to be replaced
            raise

    # --- out --------------------------------------------------------------------------------------------------

    def read(self, member: Member) -> Generator[bytes, None, None]:
        """The bytes of one file, piece by piece, each checked. The ark's lock is shared until the last."""
        with self._shared():
            yield from read_member(self.packs, member)

    def restore(
        self, shelf: str, name: str, folder: str, *, only: Collection[str] | None = None, back: int = 0
    ) -> dict[str, str]:
        """Writes an entry's files below `folder`, for this user alone; from the path each had to the one it has.

        `only` chooses among them by path; `back` takes the session's own file as it was so many versions ago.
        """
        with self._shared():
            # Read under the lock: an entry from before it may have been replaced, and its blocks collected.
            return write_members(self.packs, choose_members(self.get(shelf, name), only, back), folder)

    # --- gone -------------------------------------------------------------------------------------------------

    def forget(self, names: list[tuple[str, str]]) -> int:
        """Removes entries, and every block that no other entry uses; the bytes that were freed.

        Where another entry cannot be read, its blocks are unknown: nothing is changed then, and it raises. Entries that
        cannot be read themselves go all the same; the blocks follow with the last of them.
        """
        if not os.path.isdir(self.folder):
            return 0
        with self._held():
            trouble = self.entries.find_trouble()
            others = [error for pair, error in trouble.items() if pair not in names]
            if others and not any(pair in trouble for pair in names):
                raise others[0]
            gone = []
            for shelf, name in names:
                path = self.entries.find_path(shelf, name)
                if os.path.lexists(path):
                    # Renamed, not removed: until its blocks are gone too, the next one must know of it.
                    gone.append(self.entries.mark())
                    os.replace(path, gone[-1])
            if not gone:
                return 0
            sync_folder(self.entries.folder)
            if others:
                return 0
            freed = collect(self.entries, self.packs)
            for path in gone:
                remove_quietly(path)
            return freed

    def collect(self) -> int:
        """Removes blocks that no entry uses; the bytes that were freed."""
        if not os.path.isdir(self.folder):
            return 0
        with self._held():
            return collect(self.entries, self.packs)

    def find_unfinished(self) -> list[str]:
        """What changes that were broken off left, of this machine's processes that are gone."""
        marks = [path for path in self.entries.find_marks() if is_left_over(os.path.basename(path))]
        return marks + self.packs.find_leftovers()

    def settle(self) -> None:
        """Finishes what was broken off; nothing where nothing was, or where a damaged entry is in the way."""
        if os.path.isdir(self.folder):
            with self._held():
                pass

    # --- all of it --------------------------------------------------------------------------------------------

    def find_size(self) -> int:
        """The bytes of all packs and entries on disk. What someone is just writing does not count yet."""
        total = 0
        for folder, _, names in os.walk(self.folder):
            for name in names:
                if is_temp_name(name):
                    continue
                try:
                    total += os.path.getsize(os.path.join(folder, name))
                except FileNotFoundError:
                    pass  # renamed while we looked
        return total

    def find_block_sizes(self) -> dict[str, int]:
        """What each block takes on disk, by its digest."""
        self.packs.refresh()
        return {place.digest.hex(): place.cost for places in self.packs.places.values() for place in places}

    def find_entry_size(self, entry: Entry) -> int:
        """What the entry itself takes on disk, without its blocks."""
        return len(render_entry(entry))

    def is_whole(self, kept: Member | Entry) -> bool:
        """Whether every block of it is there; nothing is read but the packs' lists of what they hold."""
        self.packs.refresh()
        return is_whole(kept, self.packs.has)

    def check(self, entry: Entry) -> None:
        """Reads everything the entry needs; DiskError at the first thing that is damaged."""
        for member in (*entry.members, *entry.earlier):
            for _ in self.read(member):
                pass

    def get(self, shelf: str, name: str) -> Entry:
        """The entry of that name; NotFound where there is none."""
        entry = self.entries.read(shelf, name)
        if entry is None:
            raise NotFound(f'The ark has no session "{name}".', where=self.folder, next="thruline sessions list --all")
        return entry

    def _shared(self) -> Lock:
        return Lock(self._lock, self._seconds, shared=True)

    def _held(self) -> "_Held":
        return _Held(self)

    def _make_folders(self) -> None:
        try:
            for folder in (self.folder, self.packs.folder, self.entries.folder):
                make_folders(folder, 0o700)
        except OSError as error:
            raise build_disk_error(error, "make", self.folder) from None


class _Held:
    """The ark's lock, alone; what a killed owner left is put in order first."""

    def __init__(self, ark: Ark) -> None:
        self._ark = ark
        self._lock = Lock(ark._lock, ark._seconds)

    def __enter__(self) -> None:
        self._lock.__enter__()
        try:
            settle(self._ark.entries, self._ark.packs)
        except BaseException as error:
            self.__exit__(type(error), error)
            raise

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, *_: object) -> None:
        self._lock.__exit__()
        if isinstance(error, OSError):
            raise build_disk_error(error, "change", error.filename or self._ark.folder) from None
