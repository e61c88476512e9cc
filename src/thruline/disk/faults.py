"""What the system said, told in three parts."""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.errors import DiskError

# Numbers, as a hook cannot spare the import of errno; those up to 34 are the same on Linux, macOS and Windows.
EPERM, EIO, EACCES, ENOTDIR, EISDIR, EINVAL, EFBIG, ENOSPC, EROFS = 1, 5, 13, 20, 21, 22, 27, 28, 30
ENAMETOOLONG, EDQUOT = {"darwin": (63, 69), "win32": (38, 122)}.get(sys.platform, (36, 122))
# What the system may refuse at any path, through no fault of ours.
REFUSALS = (EPERM, EIO, EACCES, ENOSPC, EROFS, ENAMETOOLONG, EDQUOT)

_NEXT = {
    ENOSPC: "free some space on this disk, then run it again",
    EDQUOT: "your disk quota is used up: free some space, then run it again",
    EACCES: "check the owner and the mode of the file and of its folder (ls -ld)",
    EPERM: "check its owner, and whether it is locked against changes",
    EROFS: "this file system is mounted read-only: remount it or work elsewhere",
    EIO: "the disk reports a fault: check its health before writing more",
    ENAMETOOLONG: "choose a shorter name",
    EFBIG: "move it away if it is not yours",
    EISDIR: "move the folder of that name away, or choose another name",
    ENOTDIR: "a file stands where a folder is needed: move it away",
}


def build_disk_error(error: OSError, doing: str, path: str) -> "DiskError":
    """The three-part form of an OSError; `doing` is a verb, as in "Cannot write state.json"."""
    from thruline.errors import DiskError  # here and not on top: a hook pays for it only where something failed

    reason = error.strerror or type(error).__name__
    what = f"Cannot {doing} {os.path.basename(path) or path}: {reason[:1].lower()}{reason[1:]}."
    return DiskError(what, where=path, next=_NEXT.get(error.errno or 0, "look at that path, then run it again"))
