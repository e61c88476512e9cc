"""Files that must be ours and plain: no link, no device, no pipe, nobody else's, no larger than expected.

A repository may put anything at a name that we use. What lies below a project and is opened by us alone (locks, marks,
journals) is opened here; what people and git may put there as they like is read with `read_capped`.
"""

import os

from thruline.disk.faults import EACCES, EFBIG, EINVAL, ENOTDIR, build_disk_error

# Without O_NONBLOCK opening a pipe would wait for its other end; to a plain file it is nothing.
CAREFUL = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_BINARY = getattr(os, "O_BINARY", 0)
# As in the module stat, which a hook need not import for this.
_TYPE, _FILE, _FOLDER, _LINK = 0o170000, 0o100000, 0o040000, 0o120000


def open_own(path: str, flags: int, mode: int = 0o600, *, limit: int = 0) -> int:
    """A descriptor of a plain file of ours; OSError where something else stands there, or more than `limit` bytes."""
    _check_no_link(path)
    fd = os.open(path, flags | CAREFUL | _BINARY, mode)
    try:
        check_own(os.fstat(fd), path, limit=limit)
    except BaseException:
        os.close(fd)
        raise
    return fd


def read_own(path: str, limit: int) -> bytes:
    """The content of a plain file of ours of at most `limit` bytes; NotFound or DiskError."""
    return _read(path, limit, own=True)


def read_capped(path: str, limit: int) -> bytes:
    """The content of a regular file of at most `limit` bytes, whoever owns it and by whatever links; as `read_own`."""
    return _read(path, limit, own=False)


def _read(path: str, limit: int, *, own: bool) -> bytes:
    try:
        if own:
            fd = open_own(path, os.O_RDONLY, limit=limit)
        else:
            fd = os.open(path, os.O_RDONLY | (CAREFUL & ~getattr(os, "O_NOFOLLOW", 0)) | _BINARY)
        try:
            found = os.fstat(fd)
            if not own:
                _check_plain(found, path, limit)
            chunks = []
            left = limit + 1  # it may grow while it is read
            while left > 0 and (chunk := os.read(fd, min(left, max(found.st_size, 4095) + 1, 1 << 20))):
                chunks.append(chunk)
                left -= len(chunk)
            if left <= 0:
                raise OSError(EFBIG, "it is larger than such a file can be", path)
            return b"".join(chunks)
        finally:
            os.close(fd)
    except FileNotFoundError:
        from thruline.errors import NotFound  # here and not on top, as in `faults`

        raise NotFound(f"There is no file {os.path.basename(path)}.", where=path, next="check the path") from None
    except OSError as error:
        raise build_disk_error(error, "read", path) from None


def check_own(found: os.stat_result, path: str, *, limit: int = 0) -> None:
    """Raises OSError unless `found`, not following links, is a plain file of ours of at most `limit` bytes (0: any)."""
    _check_plain(found, path, limit)
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        raise OSError(EACCES, "it belongs to another user", path)


def _check_plain(found: os.stat_result, path: str, limit: int) -> None:
    if found.st_mode & _TYPE == _LINK:
        raise OSError(EINVAL, "it is a link", path)
    if found.st_mode & _TYPE != _FILE:
        raise OSError(EINVAL, "it is not a regular file", path)
    if limit and found.st_size > limit:
        raise OSError(EFBIG, "it is larger than such a file can be", path)


def _check_no_link(path: str) -> None:
    # Asked first for the sake of the message, and for systems whose open cannot refuse a link.
    if os.path.islink(path):
        raise OSError(EINVAL, "it is a link", path)


def check_own_folder(folder: str) -> None:
    """Raises OSError unless `folder` is a folder of ours, not a link to one."""
    found = os.lstat(folder)
    if found.st_mode & _TYPE != _FOLDER:
        raise OSError(ENOTDIR, "it is a link" if found.st_mode & _TYPE == _LINK else "it is not a folder", folder)
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        raise OSError(EACCES, "it belongs to another user", folder)
