"""The loop that holds a process at its system calls: ptrace(2) through ctypes.

A seccomp filter lets calls that no test asks about pass at full speed; the others stop the process at their entry, and
again when they return. Needs Linux 5.3 for PTRACE_GET_SYSCALL_INFO, which tells number and arguments alike on every
machine. Only to make a call fail must we know the registers, hence the two machines named in calls.TABLES.
"""

import ctypes
import os
import platform
import signal
import struct
from collections.abc import Callable

from tests.tracer.calls import INTERESTING, TABLES, Call, decode

TRACEME, POKEUSER, CONT, SYSCALL, SETOPTIONS, SETREGSET, GETREGSET = 0, 6, 7, 24, 0x4200, 0x4205, 0x4204
GET_SYSCALL_INFO = 0x420E
SYSGOOD, FORK, VFORK, CLONE, EXEC, SECCOMP, EXITKILL = 0x1, 0x2, 0x4, 0x8, 0x10, 0x80, 0x100000
EVENT_SECCOMP = 7
WALL = 0x40000000

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
_libc.ptrace.restype = ctypes.c_long
_machine = platform.machine()
_names = TABLES.get(_machine, {})


def _ptrace(request: int, pid: int, address: int = 0, data: int = 0) -> int:
    result = int(_libc.ptrace(request, pid, address, data))
    if result == -1 and ctypes.get_errno():
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


Decide = Callable[[Call], int | None]
"""Asked at each call that a test may care about: None lets it pass, 0 kills the whole tree, an errno makes it fail."""


def run_traced(start: Callable[[], None], decide: Decide) -> tuple[list[Call], int]:
    """Runs `start` in a traced child; returns every call of it and its children, and its exit code (-9 if killed)."""
    child = os.fork()
    if child == 0:
        try:
            _ptrace(TRACEME, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
            _install_filter()
            start()
        finally:
            os._exit(70)
    os.waitpid(child, 0)
    _ptrace(SETOPTIONS, child, 0, SYSGOOD | FORK | VFORK | CLONE | EXEC | SECCOMP | EXITKILL)
    return _Loop(child, decide).run()


class _Loop:
    def __init__(self, child: int, decide: Decide) -> None:
        self.child = child
        self.decide = decide
        self.alive = {child}
        self.calls: list[Call] = []
        self.inside: dict[int, tuple[Call, int]] = {}
        self.exit = -1
        self.info = ctypes.create_string_buffer(88)

    def run(self) -> tuple[list[Call], int]:
        self._go_on(self.child, 0)
        while True:
            try:
                pid, status = os.waitpid(-1, WALL)
            except ChildProcessError:
                return self.calls, self.exit
            if os.WIFEXITED(status) or os.WIFSIGNALED(status):
                self.alive.discard(pid)
                if pid == self.child:
                    self.exit = os.waitstatus_to_exitcode(status)
                continue
            self._go_on(pid, self._handle(pid, os.WSTOPSIG(status), status >> 16))

    def _go_on(self, pid: int, passed_signal: int) -> None:
        try:
            # Inside a call that is watched, the next stop is its return; otherwise the next watched entry.
            _ptrace(SYSCALL if pid in self.inside else CONT, pid, 0, passed_signal)
        except ProcessLookupError:
            pass  # killed meanwhile; waitpid will tell

    def _handle(self, pid: int, stopped_by: int, event: int) -> int:
        try:
            if event == EVENT_SECCOMP:
                self._enter_call(pid)
            elif stopped_by == signal.SIGTRAP | 0x80:
                self._leave_call(pid)
        except (ProcessLookupError, FileNotFoundError):
            return 0  # killed by another process of the tree
        if event or stopped_by in (signal.SIGTRAP, signal.SIGTRAP | 0x80):
            return 0
        if pid not in self.alive and stopped_by == signal.SIGSTOP:
            self.alive.add(pid)  # a new process starts with a stop that is ours, not its own
            return 0
        return stopped_by

    def _enter_call(self, pid: int) -> None:
        _ptrace(GET_SYSCALL_INFO, pid, len(self.info), ctypes.addressof(self.info))
        number, *args = struct.unpack_from("7Q", self.info, 24)
        call = decode(pid, _names[number], tuple(args), lambda address, size: _read_memory(pid, address, size))
        if (call.name == "mmap" and not call.text) or call.path.startswith("/memfd:"):
            return  # private memory, and the memory files that stand for its stdin and stdout
        self.calls.append(call)
        verdict = self.decide(call)
        if verdict == 0:
            for each in self.alive:
                os.kill(each, signal.SIGKILL)
            return
        if verdict:
            _skip_call(pid)
        self.inside[pid] = (call, verdict or 0)

    def _leave_call(self, pid: int) -> None:
        if pid not in self.inside:
            return
        call, fault = self.inside.pop(pid)
        if fault:
            _set_result(pid, -fault)
            call.result = -fault
        else:
            _ptrace(GET_SYSCALL_INFO, pid, len(self.info), ctypes.addressof(self.info))
            call.result = struct.unpack_from("q", self.info, 24)[0]


def _read_memory(pid: int, address: int, size: int) -> bytes:
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        try:
            return os.pread(memory.fileno(), size, address)
        except OSError:
            return b""


# --- the filter ---------------------------------------------------------------------------------------------------

LOAD_WORD, JUMP_EQUAL, JUMP_SET, RETURN = 0x20, 0x15, 0x45, 0x06
LET_PASS, STOP = 0x7FFF0000, 0x7FF00000
AT_NUMBER, AT_FOURTH_ARGUMENT = 0, 40
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2


def _build_filter() -> bytes:
    """A BPF program that stops the calls of calls.INTERESTING, and of the many mmaps only the shared ones."""
    numbers = [number for number, name in _names.items() if name in INTERESTING and name != "mmap"]
    mmap = next(number for number, name in _names.items() if name == "mmap")
    steps = [(LOAD_WORD, 0, 0, AT_NUMBER)]
    steps += [(JUMP_EQUAL, len(numbers) - at + 3, 0, number) for at, number in enumerate(numbers)]
    steps += [(JUMP_EQUAL, 0, 2, mmap), (LOAD_WORD, 0, 0, AT_FOURTH_ARGUMENT), (JUMP_SET, 1, 0, 1)]
    steps += [(RETURN, 0, 0, LET_PASS), (RETURN, 0, 0, STOP)]
    return b"".join(struct.pack("HBBI", *step) for step in steps)


_filter = ctypes.create_string_buffer(_build_filter()) if _names else None


def _install_filter() -> None:
    assert _filter is not None
    size = len(_filter) // 8
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", size, ctypes.addressof(_filter)))
    if _libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or _libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program):
        os._exit(71)


# --- registers ----------------------------------------------------------------------------------------------------

X86_RAX, X86_ORIG_RAX = 10 * 8, 15 * 8
NT_PRSTATUS, NT_ARM_SYSTEM_CALL = 1, 0x404


def _skip_call(pid: int) -> None:
    """Turns the call that `pid` enters into number -1, which does nothing."""
    if _machine == "x86_64":
        _ptrace(POKEUSER, pid, X86_ORIG_RAX, ctypes.c_ulong(-1).value)
    else:
        _move_registers(SETREGSET, pid, NT_ARM_SYSTEM_CALL, ctypes.create_string_buffer(struct.pack("i", -1), 4))


def _set_result(pid: int, value: int) -> None:
    """What the call that `pid` leaves returns."""
    if _machine == "x86_64":
        _ptrace(POKEUSER, pid, X86_RAX, ctypes.c_ulong(value).value)
    else:
        registers = ctypes.create_string_buffer(34 * 8)
        _move_registers(GETREGSET, pid, NT_PRSTATUS, registers)
        struct.pack_into("q", registers, 0, value)
        _move_registers(SETREGSET, pid, NT_PRSTATUS, registers)


class _Iovec(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("size", ctypes.c_size_t))


def _move_registers(request: int, pid: int, kind: int, buffer: "ctypes.Array[ctypes.c_char]") -> None:
    vector = _Iovec(ctypes.addressof(buffer), len(buffer))
    _ptrace(request, pid, kind, ctypes.addressof(vector))
