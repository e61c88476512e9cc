"""The folder of packs: which block is where."""

import os
from contextlib import ExitStack
from typing import IO

from thruline.ark.pack import END, Place, read_block, read_places
from thruline.disk.atomic import find_leftovers
from thruline.disk.faults import build_disk_error
from thruline.errors import DiskError


class Packs:
    """The packs in `folder`, as of the last `refresh`."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.places: dict[str, list[Place]] = {}
        self._where: dict[bytes, tuple[str, Place]] = {}

    def refresh(self) -> None:
        """Looks at the folder again; a pack never changes, so only new ones are opened."""
        try:
            names = sorted(name for name in os.listdir(self.folder) if name.endswith(END))
        except FileNotFoundError:
            names = []
        except OSError as error:
            raise build_disk_error(error, "read", self.folder) from None
        if names == list(self.places):
            return
        known, self.places = self.places, {}
        for name in names:
            try:
                self.places[name] = known.get(name) or read_places(self.find_path(name))
            except FileNotFoundError:
                continue  # written again without its unused blocks, or merged, since the folder was listed
        # In the order of age: of a block that is there twice, the younger copy counts.
        self._where = {place.digest: (name, place) for name, places in self.places.items() for place in places}

    def find_path(self, name: str) -> str:
        """The file of a pack."""
        return os.path.join(self.folder, name)

    def find(self, digest: bytes) -> tuple[str, Place] | None:
        """The pack that holds a block, and where in it."""
        return self._where.get(digest)

    def has(self, digest: bytes) -> bool:
        """Whether a pack holds the block."""
        return digest in self._where

    def find_sizes(self) -> dict[str, int]:
        """The bytes of each pack on disk."""
        return {name: os.path.getsize(self.find_path(name)) for name in self.places}

    def find_leftovers(self) -> list[str]:
        """Packs that a process began and, killed, never finished."""
        return find_leftovers(self.folder)


class BlockReader:
    """Reads blocks by their digest, from packs it keeps open until it is closed."""

    def __init__(self, packs: Packs) -> None:
        self._packs = packs
        self._files: dict[str, IO[bytes]] = {}
        self._open = ExitStack()

    def __enter__(self) -> "BlockReader":
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def read(self, digest: str) -> bytes:
        """A block, checked against its digest."""
        found = self._packs.find(bytes.fromhex(digest))
        if found is None:
            raise DiskError(
                "A block of the ark is missing.",
                where=f"{digest} in {self._packs.folder}",
                next="look for a backup of it",
            )
        name, place = found
        path = self._packs.find_path(name)
        try:
            if name not in self._files:
                self._files[name] = self._open.enter_context(open(path, "rb"))  # noqa: SIM115 - the stack closes it
            return read_block(self._files[name], place)
        except OSError as error:
            raise build_disk_error(error, "read", path) from None
