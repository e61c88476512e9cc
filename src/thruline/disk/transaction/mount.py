"""Whether a folder lies on a disk of this machine, where SQLite's locks and mappings can be trusted."""

import ctypes
import os
import sys
from functools import cache

# Seen by more than one machine, or through a file server: byte locks and shared mappings may not reach the other side.
# fmt: off
SHARED_TYPES = frozenset((
    "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "fuse", "gfs2", "glusterfs", "gpfs", "lustre", "ncpfs",
    "nfs", "nfs4", "ocfs2", "orangefs", "prl_fs", "prl_fs2", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs",
))
# fmt: on


def is_shared(folder: str) -> bool:
    """Whether `folder` is on a network or shared mount; True where the system does not say."""
    try:
        return _ask(folder, os.stat(folder).st_dev)
    except OSError:
        return True


@cache
def _ask(folder: str, _device: int) -> bool:
    folder = os.path.realpath(folder)
    if sys.platform == "win32":
        drive = os.path.splitdrive(folder)[0]
        return drive.startswith("\\\\") or ctypes.windll.kernel32.GetDriveTypeW(drive + "\\") not in (2, 3, 6)
    if sys.platform == "darwin":
        return not _has_local_flag(folder)
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
        return is_shared_type(find_type(file.read(), folder))


def _has_local_flag(folder: str) -> bool:
    # struct statfs of macOS: f_flags is the 32-bit word at 64, MNT_LOCAL its bit 12.
    answer = ctypes.create_string_buffer(4096)
    if ctypes.CDLL(None).statfs(os.fsencode(folder), answer) != 0:
        return False
    return bool(int.from_bytes(answer.raw[64:68], sys.byteorder) & 0x1000)


def find_type(mountinfo: str, folder: str) -> str:
    """The file system type of `folder`, from the text of /proc/self/mountinfo; empty if it tells nothing."""
    best, found = "", ""
    for line in mountinfo.splitlines():
        left, _, right = line.partition(" - ")
        words = left.split(" ")
        if len(words) < 5 or not right:
            continue
        at = words[4]
        for code, plain in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
            at = at.replace(code, plain)
        # The longest mount point counts, and of two in one place the later one, which hides the other.
        if (folder + "/").startswith(at.rstrip("/") + "/") and len(at) >= len(best):
            best, found = at, right.split(" ")[0]
    return found


def is_shared_type(kind: str) -> bool:
    """Whether a file system of this type may be seen from elsewhere. An unknown FUSE server may do anything."""
    return not kind or kind in SHARED_TYPES or kind.startswith("fuse.")
