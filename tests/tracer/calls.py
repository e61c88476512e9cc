"""What a system call was: numbers and registers made readable."""

import os
import socket
import stat
import struct
from collections.abc import Callable
from dataclasses import dataclass

# fmt: off
X86_64 = {
    0: "read", 1: "write", 2: "open", 3: "close", 9: "mmap", 17: "pread64", 18: "pwrite64", 20: "writev", 26: "msync",
    40: "sendfile", 41: "socket", 42: "connect", 43: "accept", 44: "sendto", 45: "recvfrom", 46: "sendmsg",
    49: "bind", 50: "listen", 53: "socketpair", 56: "clone", 57: "fork", 58: "vfork", 59: "execve", 62: "kill",
    73: "flock", 74: "fsync", 75: "fdatasync", 76: "truncate", 77: "ftruncate", 82: "rename", 83: "mkdir", 84: "rmdir",
    85: "creat", 86: "link", 87: "unlink", 88: "symlink", 90: "chmod", 91: "fchmod", 92: "chown", 93: "fchown",
    94: "lchown", 132: "utime", 133: "mknod", 162: "sync", 188: "setxattr", 189: "lsetxattr", 190: "fsetxattr",
    197: "removexattr", 198: "lremovexattr", 199: "fremovexattr", 235: "utimes", 257: "openat", 258: "mkdirat",
    259: "mknodat", 260: "fchownat", 261: "futimesat", 263: "unlinkat", 264: "renameat", 265: "linkat",
    266: "symlinkat", 268: "fchmodat", 275: "splice", 277: "sync_file_range", 280: "utimensat", 285: "fallocate",
    288: "accept4", 296: "pwritev", 306: "syncfs", 307: "sendmmsg", 316: "renameat2", 322: "execveat",
    326: "copy_file_range", 328: "pwritev2", 425: "io_uring_setup", 435: "clone3", 437: "openat2", 452: "fchmodat2",
}
AARCH64 = {
    5: "setxattr", 6: "lsetxattr", 7: "fsetxattr", 14: "removexattr", 15: "lremovexattr", 16: "fremovexattr",
    32: "flock", 33: "mknodat", 34: "mkdirat", 35: "unlinkat", 36: "symlinkat", 37: "linkat", 38: "renameat",
    45: "truncate", 46: "ftruncate", 47: "fallocate", 52: "fchmod", 53: "fchmodat", 54: "fchownat", 55: "fchown",
    56: "openat", 57: "close", 63: "read", 64: "write", 66: "writev", 67: "pread64", 68: "pwrite64", 70: "pwritev",
    71: "sendfile", 76: "splice", 81: "sync", 82: "fsync", 83: "fdatasync", 84: "sync_file_range", 88: "utimensat",
    129: "kill", 198: "socket", 199: "socketpair", 200: "bind", 201: "listen", 202: "accept", 203: "connect",
    206: "sendto", 207: "recvfrom", 211: "sendmsg", 220: "clone", 221: "execve", 222: "mmap", 227: "msync",
    242: "accept4", 267: "syncfs", 269: "sendmmsg", 276: "renameat2", 281: "execveat", 285: "copy_file_range",
    287: "pwritev2", 425: "io_uring_setup", 435: "clone3", 437: "openat2", 452: "fchmodat2",
}
# fmt: on
TABLES = {"x86_64": X86_64, "aarch64": AARCH64}

# Where a call keeps its path: (descriptor argument or None for the working folder, path argument or None).
AT_FIRST = (None, 0)
AT_DIR = (0, 1)
OF_FD = (0, None)
PLACES: dict[str, tuple[int | None, int | None]] = {
    **dict.fromkeys(("open", "creat", "truncate", "mkdir", "rmdir", "unlink", "rename", "link", "chmod"), AT_FIRST),
    **dict.fromkeys(("chown", "lchown", "utime", "utimes", "mknod", "setxattr", "lsetxattr", "removexattr"), AT_FIRST),
    **dict.fromkeys(("lremovexattr", "execve"), AT_FIRST),
    **dict.fromkeys(("openat", "openat2", "mkdirat", "unlinkat", "renameat", "renameat2", "linkat", "mknodat"), AT_DIR),
    **dict.fromkeys(("fchmodat", "fchmodat2", "fchownat", "futimesat", "utimensat", "execveat"), AT_DIR),
    **dict.fromkeys(("write", "pwrite64", "writev", "pwritev", "pwritev2", "sendfile", "read", "pread64"), OF_FD),
    **dict.fromkeys(("fsync", "fdatasync", "ftruncate", "fchmod", "fchown", "fallocate", "flock", "syncfs"), OF_FD),
    **dict.fromkeys(("fsetxattr", "fremovexattr", "sync_file_range"), OF_FD),
    "symlink": (None, 1),
    "symlinkat": (1, 2),
    "copy_file_range": (2, None),
    "splice": (2, None),
    "mmap": (4, None),
}
# The second path of calls that have one.
TARGETS: dict[str, tuple[int | None, int]] = {
    "rename": (None, 1),
    "link": (None, 1),
    "renameat": (2, 3),
    "renameat2": (2, 3),
    "linkat": (2, 3),
}
OPENS = {"open": 1, "openat": 2, "creat": None, "openat2": None}
WRITES = {"write", "pwrite64", "writev", "pwritev", "pwritev2", "sendfile", "copy_file_range", "splice"}
ALWAYS_CHANGE = {
    name
    for name in PLACES
    if name not in WRITES
    and name not in OPENS
    and name not in {"read", "pread64", "mmap", "execve", "execveat", "flock"}
} | {"sync"}
NETWORK = {"socket", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg"}
STARTS = {"execve", "execveat", "fork", "vfork", "clone", "clone3"}
INTERESTING = set(PLACES) - {"read", "pread64"} | NETWORK | STARTS | {"sync", "io_uring_setup"}

AT_FDCWD = -100
PROT_WRITE, MAP_SHARED, MAP_ANONYMOUS = 2, 1, 0x20
FLAG_NAMES = ("O_WRONLY", "O_RDWR", "O_CREAT", "O_EXCL", "O_TRUNC", "O_APPEND", "O_DIRECTORY", "O_NOFOLLOW")


@dataclass(slots=True)
class Call:
    """One system call, decoded where it matters to a test."""

    pid: int
    name: str
    path: str = ""
    target: str = ""
    flags: str = ""
    text: str = ""
    changes: bool = False
    result: int | None = None

    def is_below(self, folder: str) -> bool:
        """Whether it is about `folder` or something in it."""
        return any(place == folder or place.startswith(folder + "/") for place in (self.path, self.target) if place)


def decode(pid: int, name: str, args: tuple[int, ...], read: Callable[[int, int], bytes]) -> Call:
    """The call that process `pid` is about to make; `read(address, size)` looks into its memory."""
    call = Call(pid, name)
    if name in PLACES:
        at, path = PLACES[name]
        call.path = _place(pid, args, at, path, read)
    if name in TARGETS:
        call.target = _place(pid, args, *TARGETS[name], read)
    if name in OPENS:
        flags = _open_flags(name, args, read)
        call.flags = _flag_text(flags)
        call.changes = bool(flags & (os.O_CREAT | os.O_TRUNC))
    elif name in WRITES:
        call.changes = _is_regular(pid, args[PLACES[name][0] or 0])
    elif name in ALWAYS_CHANGE:
        call.changes = True
    elif name == "mmap":
        shared = args[3] & 3 == MAP_SHARED and args[2] & PROT_WRITE and not args[3] & MAP_ANONYMOUS
        call.text = "shared writable" if shared else ""
    elif name == "socket":
        call.text = _family(args[0])
    elif name in ("connect", "bind"):
        call.text = _address(read(args[1], min(args[2], 128)))
    elif name == "sendto":
        call.text = _address(read(args[4], min(args[5], 128))) if args[4] else ""
    elif name in ("execve", "execveat"):
        call.text = " ".join(_strings(args[1] if name == "execve" else args[2], read))
    return call


def _place(pid: int, args: tuple[int, ...], at: int | None, path: int | None, read: Callable[[int, int], bytes]) -> str:
    given = _string(args[path], read) if path is not None and args[path] else ""
    if given.startswith("/"):
        return os.path.normpath(given)
    fd = AT_FDCWD if at is None else _signed(args[at])
    base = f"/proc/{pid}/cwd" if fd == AT_FDCWD else f"/proc/{pid}/fd/{fd}"
    try:
        folder = os.readlink(base)
    except OSError:
        folder = f"fd:{fd}"
    return os.path.normpath(os.path.join(folder, given)) if given else folder


def _signed(value: int) -> int:
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value & 0x80000000 else value


def _string(address: int, read: Callable[[int, int], bytes]) -> str:
    found = b""
    while len(found) < 8192:
        # Never across a page: the next one may not be mapped.
        chunk = read(address, 4096 - address % 4096)
        end = chunk.find(b"\0")
        if not chunk or end >= 0:
            return os.fsdecode(found + chunk[: max(end, 0)])
        found += chunk
        address += len(chunk)
    return os.fsdecode(found)


def _strings(address: int, read: Callable[[int, int], bytes]) -> list[str]:
    found: list[str] = []
    while address and len(found) < 200:
        raw = read(address, 8)
        if len(raw) < 8 or raw == bytes(8):
            break
        found.append(_string(struct.unpack("Q", raw)[0], read))
        address += 8
    return found


def _open_flags(name: str, args: tuple[int, ...], read: Callable[[int, int], bytes]) -> int:
    if name == "creat":
        return os.O_CREAT | os.O_WRONLY | os.O_TRUNC
    if name == "openat2":
        return int(struct.unpack("Q", read(args[2], 8))[0])
    return args[OPENS[name] or 0]


def _flag_text(flags: int) -> str:
    found = [flag for flag in FLAG_NAMES if flags & getattr(os, flag)]
    return "|".join(found) or "O_RDONLY"


def _is_regular(pid: int, fd: int) -> bool:
    try:
        at = f"/proc/{pid}/fd/{_signed(fd)}"
        return stat.S_ISREG(os.stat(at).st_mode) and not os.readlink(at).startswith("/memfd:")
    except OSError:
        return False


def _family(number: int) -> str:
    try:
        return socket.AddressFamily(number).name
    except ValueError:
        return f"AF_{number}"


def _address(raw: bytes) -> str:
    if len(raw) < 2:
        return ""
    family = _family(struct.unpack("H", raw[:2])[0])
    if family == "AF_UNIX":
        return f"AF_UNIX {os.fsdecode(raw[2:].split(bytes(1))[0] or raw[2:])!r}"
    if family == "AF_INET" and len(raw) >= 8:
        return f"AF_INET {socket.inet_ntop(socket.AF_INET, raw[4:8])}:{struct.unpack('>H', raw[2:4])[0]}"
    if family == "AF_INET6" and len(raw) >= 24:
        return f"AF_INET6 {socket.inet_ntop(socket.AF_INET6, raw[8:24])}:{struct.unpack('>H', raw[2:4])[0]}"
    return family
