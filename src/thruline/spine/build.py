"""The fold that makes a spine: parts in, entries out, in the order of the transcript.

A call is told in one line with its outcome, which stands some records later. So entries wait behind an open call
until its result arrives; a call that still has none when the next person speaks, or after many entries, is told
without. Memory stays flat: only what waits is held.
"""

from thruline.session import parts
from thruline.spine.entry import Entry
from thruline.spine.strip import OTHER_KINDS, strip_call, strip_late, strip_other, strip_said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

# A call that runs in the background may never return; what comes after it must not wait for ever.
MOST_WAITING = 400


class SpineBuilder:
    """Takes one part after another with `see`, which returns the entries that are ready."""

    __slots__ = ("_late", "_open", "_refused", "_waiting")

    def __init__(self) -> None:
        self._waiting: list[Entry | parts.Call] = []
        self._open: dict[str, tuple[parts.Call, parts.Result | None]] = {}
        self._late: dict[str, parts.Call] = {}
        self._refused: set[str] = set()  # calls whose refusal has a person's words, told in an entry of their own

    def see(self, part: parts.Part) -> list[Entry]:
        """The entries that `part` makes ready, usually its own."""
        return self.see_all((part,))

    def see_all(self, found: "Iterable[parts.Part]") -> list[Entry]:
        """The entries that these parts make ready."""
        ready: list[Entry] = []
        for part in found:
            take = _TAKERS.get(type(part))
            if take is not None:
                take(self, part, ready)
        return ready

    def finish(self) -> list[Entry]:
        """What still waits at the end."""
        ready: list[Entry] = []
        self._flush(ready)
        return ready

    def _said(self, part: parts.Said, ready: list[Entry]) -> None:
        if part.kind == "rejection":
            self._refused.add(part.call_id)
        entry = strip_said(part)
        if entry is not None:
            self._add(entry, ready)

    def _call(self, part: parts.Call, ready: list[Entry]) -> None:
        self._waiting.append(part)
        self._open[part.call_id] = (part, None)
        if len(self._waiting) > MOST_WAITING:
            self._flush(ready)

    def _result(self, part: parts.Result, ready: list[Entry]) -> None:
        known = self._open.get(part.call_id)
        if known is None:
            self._tell_late(part, ready)
        elif len(self._waiting) == 1 and self._waiting[0] is known[0]:
            del self._open[part.call_id]
            self._waiting.clear()
            ready.append(self._strip(known[0], part))
        else:
            self._open[part.call_id] = (known[0], part)
            self._release(ready)

    def _strip(self, call: parts.Call, result: "parts.Result | None") -> Entry:
        return strip_call(call, result, call.call_id in self._refused)

    def _other(self, part: parts.Part, ready: list[Entry]) -> None:
        entry = strip_other(part)
        if entry is not None:
            self._add(entry, ready)

    def _add(self, entry: Entry, ready: list[Entry]) -> None:
        if not self._waiting:
            ready.append(entry)
            return
        self._waiting.append(entry)
        if entry.turn or len(self._waiting) > MOST_WAITING:
            self._flush(ready)

    def _tell_late(self, result: parts.Result, ready: list[Entry]) -> None:
        call = self._late.pop(result.call_id, None)
        entry = strip_late(call, result) if call is not None else None
        if entry is not None:
            self._add(entry, ready)

    def _release(self, ready: list[Entry]) -> None:
        waiting = self._waiting
        count = 0
        for item in waiting:
            if isinstance(item, Entry):
                ready.append(item)
            else:
                call, result = self._open[item.call_id]
                if result is None or call is not item:
                    break
                del self._open[item.call_id]
                ready.append(self._strip(item, result))
            count += 1
        del waiting[:count]

    def _flush(self, ready: list[Entry]) -> None:
        for item in self._waiting:
            if isinstance(item, Entry):
                ready.append(item)
            else:
                _, result = self._open.pop(item.call_id, (item, None))
                if result is None:
                    self._late[item.call_id] = item
                ready.append(self._strip(item, result))
        self._waiting.clear()


_TAKERS: "dict[type[parts.Part], Callable[[SpineBuilder, Any, list[Entry]], None]]" = {
    parts.Said: SpineBuilder._said,
    parts.Call: SpineBuilder._call,
    parts.Result: SpineBuilder._result,
    **dict.fromkeys(OTHER_KINDS, SpineBuilder._other),
}


def build_spine(session_parts: "Iterable[parts.Part]") -> "Iterator[Entry]":
    """The entries of a whole session, one after another."""
    builder = SpineBuilder()
    for part in session_parts:
        yield from builder.see(part)
    yield from builder.finish()
