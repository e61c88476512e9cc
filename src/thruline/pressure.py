"""Whether a session has just become too full: once per session, and once more after each compaction.

Both ask it, the status line on the hook path and the worker where a client has none, so it is one small file and
imports nothing but os. The flag of a session says how far it is:

    (none)            below the threshold so far
    fired 74          it became too full, at that percentage
    waiting 74 4711   its client compacted since; numbers from before the compaction may still come
    armed 74 4711     and was seen below the threshold after that: it may fire again, in that client

A number from another window on the same session cannot arm it or fire it again. docs/design/0025-context-pressure.md.
"""

import os

from thruline.process import is_same_running

FIRED, WAITING, ARMED = "fired", "waiting", "armed"


def see_percent(path: str, percent: int, threshold: int, find_client=int) -> "tuple[bool, int]":  # type: ignore[no-untyped-def]
    """Whether the session of the flag at `path` is too full from now on, and the percentage to warn of.

    `percent` is -1 where the client does not tell, and so is what is returned where there is nothing to warn of.
    `find_client` tells whose number it is, 0 where unknown. Of many who ask at once one is told that it fired.
    """
    kind, last, owner = read_flag(path)
    if kind == FIRED:
        return False, percent if percent >= 0 else last
    if kind and not _is_owner(owner, find_client()):
        return False, -1
    if kind == WAITING and 0 <= percent < threshold:
        _replace(path, f"{ARMED} {last} {owner}")
        return False, -1
    if percent < threshold or kind == WAITING:
        return False, -1
    if kind == ARMED:
        return _fire_again(path, percent), percent
    return _create(path, f"{FIRED} {percent}"), percent


def note_compaction(path: str, client: int) -> None:
    """The session was compacted by that client: it may fire again once it was seen below the threshold."""
    kind, last, _ = read_flag(path)
    if kind:
        _replace(path, f"{WAITING} {last} {client}")


def clear_flag(path: str) -> bool:
    """Forgets the flag; whether there was one."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    return True


def read_flag(path: str) -> "tuple[str, int, int]":
    """What the flag says: its word, the percentage, the client's process; an unreadable one counts as fired."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return "", -1, 0
    try:
        words = os.read(descriptor, 100).decode("ascii", "replace").split()
    finally:
        os.close(descriptor)
    kind = words[0] if words and words[0] in (FIRED, WAITING, ARMED) else FIRED
    numbers = [int(word) for word in words[1:3] if word.isdigit()]
    return kind, numbers[0] if numbers else -1, numbers[1] if len(numbers) > 1 else 0


def _fire_again(path: str, percent: int) -> bool:
    # A name can be given once: of many who saw the flag armed, one holds the other name and looks again.
    claim = path + ".again"
    if not _create(claim, ARMED):
        return False
    try:
        if read_flag(path)[0] != ARMED:
            return False
        _replace(path, f"{FIRED} {percent}")
    finally:
        os.unlink(claim)
    return True


def _is_owner(owner: int, client: int) -> bool:
    # A client that is gone has left the session to whoever opens it next.
    return not owner or not client or owner == client or not is_same_running(owner, 0)


def _create(path: str, text: str) -> bool:
    # A name can be given once; a flag that a killed process left empty still says that somebody fired.
    try:
        _write(path, text, os.O_EXCL)
    except FileExistsError:
        return False
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        return _create(path, text)
    except OSError:
        _remove(path)  # a disk that is full for a moment: the next who asks fires
        raise
    return True


def _replace(path: str, text: str) -> None:
    draft = f"{path}.{os.getpid()}"
    try:
        _write(draft, text)
        os.replace(draft, path)
    except OSError:
        _remove(draft)
        raise


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass


def _write(path: str, text: str, flags: int = os.O_TRUNC) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | flags, 0o600)
    try:
        os.write(descriptor, text.encode("ascii") + b"\n")
    finally:
        os.close(descriptor)
