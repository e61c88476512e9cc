"""What proves that this machine wrote a journal: a seal made with a key that only the user's state holds.

A journal says which files to write and delete, and it can arrive with a repository. Only what bears the seal of this
machine is ever replayed.
"""

import hashlib
import hmac
import os

from thruline.disk.atomic import make_folders, sync_file, sync_folder, write_all
from thruline.disk.faults import build_disk_error
from thruline.disk.lock import hold
from thruline.disk.own import CAREFUL, check_own, read_own
from thruline.errors import NotFound
from thruline.layout import find_user_paths

KEY_SIZE = 32

_known: dict[str, bytes] = {}


def build_seal(key: bytes, purpose: str, body: bytes) -> str:
    """The seal of `body`: keyed BLAKE2b, told apart by `purpose`."""
    return hashlib.blake2b(body, key=key, person=purpose.encode(), digest_size=32).hexdigest()


def is_sealed(key: bytes, purpose: str, body: bytes, seal: str) -> bool:
    """Whether `seal` is that of `body`. No key seals nothing: without one anybody could compute it."""
    return bool(key) and hmac.compare_digest(build_seal(key, purpose, body).encode(), seal.encode("utf-8", "replace"))


def read_key() -> bytes:
    """This machine's key; empty where none was made yet."""
    path = find_user_paths().journal_key
    if path not in _known:
        try:
            found = read_own(path, 4096)
        except NotFound:
            return b""
        if len(found) < KEY_SIZE:
            return b""  # its maker was killed
        _known[path] = found[:KEY_SIZE]
    return _known[path]


def make_key() -> bytes:
    """This machine's key, made if there is none."""
    if not read_key():
        path = find_user_paths().journal_key
        try:
            _write_key(path)
        except OSError as error:
            raise build_disk_error(error, "make", path) from None
    return read_key()


def _write_key(path: str) -> None:
    folder = os.path.dirname(path)
    made = make_folders(folder, 0o700)
    # Under its own lock: of two that come first at once, the second finds the key of the first.
    fd = hold(path, os.O_RDWR | os.O_CREAT | CAREFUL, mode=0o600)
    try:
        found = os.fstat(fd)
        check_own(found, path)
        if found.st_size < KEY_SIZE:
            os.lseek(fd, 0, os.SEEK_SET)  # a lock on Windows is taken far behind
            write_all(fd, os.urandom(KEY_SIZE))
            sync_file(fd)
    finally:
        os.close(fd)
    for each in (folder, *made):
        sync_folder(each)
